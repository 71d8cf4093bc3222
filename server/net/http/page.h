/* The web page's files, read into memory once at start-up. Serving the page never touches the disk:
 * no path leads outside the folder, and a lack of file descriptors does not stop it. */
#ifndef PAGE_H
#define PAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PAGE_FILES_MAX 128
#define PAGE_NAME_MAX  64
#define PAGE_SIZE_MAX  4194304 /* bytes of one file */
#define PAGE_HEADROOM  32      /* bytes in front of a body, for the sender's headers */

struct page_body {
    uint8_t *bytes; /* the headroom, then the body; NULL: no such form */
    size_t size;    /* of the body */
};

struct page_file {
    char name[PAGE_NAME_MAX];
    const char *type; /* the media type */
    char etag[24];    /* with quotes, as in the header; weak: both forms share it */
    bool immutable;   /* the name carries a hash of the content */
    struct page_body plain, gzip;
};

struct page {
    size_t count;
    struct page_file files[PAGE_FILES_MAX];
};

/* Reads every file of the folder whose name is made of letters, digits, '.', '_' and '-'. Takes
 * name.gz as the compressed form of name. index.html and start.html must exist. On failure returns
 * false with one line in error. */
bool page_load(struct page *page, const char *folder, char *error, size_t error_size);
void page_free(struct page *page);

/* Returns the file of that name, such as "index.html", or NULL. */
const struct page_file *page_find(const struct page *page, const char *name);

/* Returns the file for a request path, or NULL. /r/CODE is served by index.html and / by
 * start.html, and only these paths; any other file is served at its name. */
const struct page_file *page_route(const struct page *page, const char *path);

#endif
