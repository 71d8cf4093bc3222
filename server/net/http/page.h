/* The web page's files, read into memory once at start-up: a small page is served without touching
 * the disk, a path can lead nowhere else, and running out of file descriptors does not matter to
 * it. */
#ifndef PAGE_H
#define PAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PAGE_FILES_MAX 64
#define PAGE_NAME_MAX  64
#define PAGE_SIZE_MAX  4194304 /* bytes of one file */
#define PAGE_HEADROOM  32      /* bytes in front of a body that belong to whoever sends it */

struct page_body {
    uint8_t *bytes; /* the headroom, then the body; NULL: there is none */
    size_t size;    /* of the body */
};

struct page_file {
    char name[PAGE_NAME_MAX];
    const char *type; /* the media type */
    char etag[24];    /* as the header has it; weak: the same for both bodies */
    bool immutable;   /* its name carries a hash of its content */
    struct page_body plain, gzip;
};

struct page {
    size_t count;
    struct page_file files[PAGE_FILES_MAX];
};

/* Reads every file of the folder whose name is made of letters, digits, '.', '_' and '-', and
 * name.gz as the compressed form of name. There must be an index.html and a start.html. Returns
 * false and one line in error. */
bool page_load(struct page *page, const char *folder, char *error, size_t error_size);
void page_free(struct page *page);

/* The file of that name, such as "index.html", or NULL. */
const struct page_file *page_find(const struct page *page, const char *name);

/* The file for that request path, or NULL: a room's page, index.html, at /r/ANYTHING alone, and the
 * start page, start.html, at / alone; any other file at its name. */
const struct page_file *page_route(const struct page *page, const char *path);

#endif
