#include "net/http/page.h"

#include <assert.h>
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define ROOM_PAGE  "index.html"
#define START_PAGE "start.html"

static const struct {
    const char *ending, *type;
} types[] = {
    {".html", "text/html; charset=utf-8"},
    {".js", "text/javascript; charset=utf-8"},
    {".css", "text/css; charset=utf-8"},
    {".svg", "image/svg+xml"},
    {".png", "image/png"},
    {".ico", "image/x-icon"},
    {".webmanifest", "application/manifest+json"},
    {".map", "application/json"},
    {".txt", "text/plain; charset=utf-8"},
};

static bool ends_with(const char *text, const char *ending)
{
    size_t length = strlen(text);
    size_t size = strlen(ending);

    return length >= size && strcmp(text + length - size, ending) == 0;
}

static bool is_valid_name(const char *name)
{
    if (name[0] == '.' || strlen(name) >= PAGE_NAME_MAX) {
        return false;
    }
    for (const char *c = name; *c != '\0'; c++) {
        if (!isalnum((unsigned char)*c) && strchr("._-", *c) == NULL) {
            return false;
        }
    }
    return true;
}

/* Returns true for a name NAME-HASH.ENDING whose hash has 8 or more hexadecimal digits. The build
 * names files by their content in this form. */
static bool has_hash(const char *name)
{
    const char *dash = strrchr(name, '-');
    size_t length = dash != NULL ? strspn(dash + 1, "0123456789abcdef") : 0;

    return length >= 8 && dash[length + 1] == '.';
}

static bool read_body(const char *path, struct page_body *body, char *error, size_t error_size)
{
    FILE *file = fopen(path, "rbe");
    struct stat status;

    if (file == NULL || fstat(fileno(file), &status) != 0) {
        snprintf(error, error_size, "%s: %s", path, strerror(errno));
        goto fail;
    }
    if (status.st_size > PAGE_SIZE_MAX) {
        snprintf(error, error_size, "%s: %lld bytes, expected at most %d", path,
                 (long long)status.st_size, PAGE_SIZE_MAX);
        goto fail;
    }
    body->size = (size_t)status.st_size;
    body->bytes = malloc(PAGE_HEADROOM + body->size + 1);
    if (body->bytes == NULL ||
        fread(body->bytes + PAGE_HEADROOM, 1, body->size, file) != body->size) {
        snprintf(error, error_size, "%s: cannot be read", path);
        free(body->bytes);
        body->bytes = NULL;
        goto fail;
    }
    fclose(file);
    return true;
fail:
    if (file != NULL) {
        fclose(file);
    }
    return false;
}

/* Returns the file of that name; adds one if needed. Returns NULL if there are too many files. */
static struct page_file *file_named(struct page *page, const char *name, size_t length)
{
    struct page_file *file;

    for (size_t i = 0; i < page->count; i++) {
        if (strncmp(page->files[i].name, name, length) == 0 &&
            page->files[i].name[length] == '\0') {
            return &page->files[i];
        }
    }
    if (page->count == PAGE_FILES_MAX) {
        return NULL;
    }
    assert(length < PAGE_NAME_MAX);
    file = &page->files[page->count++];
    memcpy(file->name, name, length);
    file->type = "application/octet-stream";
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        if (ends_with(file->name, types[i].ending)) {
            file->type = types[i].type;
        }
    }
    file->immutable = has_hash(file->name);
    return file;
}

/* Computes the ETag from the content: 64-bit FNV-1a. */
static void make_etag(struct page_file *file)
{
    uint64_t hash = 14695981039346656037u;

    for (size_t i = 0; i < file->plain.size; i++) {
        hash = (hash ^ file->plain.bytes[PAGE_HEADROOM + i]) * 1099511628211u;
    }
    snprintf(file->etag, sizeof file->etag, "W/\"%016" PRIx64 "\"", hash);
}

static bool load_entry(struct page *page, const char *folder, const char *name, char *error,
                       size_t error_size)
{
    char path[1200];
    struct stat status;
    bool gzip = ends_with(name, ".gz");
    struct page_file *file;

    snprintf(path, sizeof path, "%s/%s", folder, name);
    if (!is_valid_name(name) || stat(path, &status) != 0 || !S_ISREG(status.st_mode)) {
        return true;
    }
    file = file_named(page, name, strlen(name) - (gzip ? 3 : 0));
    if (file == NULL) {
        snprintf(error, error_size, "%s: more than %d files", folder, PAGE_FILES_MAX);
        return false;
    }
    return read_body(path, gzip ? &file->gzip : &file->plain, error, error_size);
}

bool page_load(struct page *page, const char *folder, char *error, size_t error_size)
{
    DIR *directory = opendir(folder);
    static const char *const pages[] = {ROOM_PAGE, START_PAGE};
    struct dirent *entry;
    bool good = true;

    memset(page, 0, sizeof *page);
    if (directory == NULL) {
        snprintf(error, error_size, "%s: %s", folder, strerror(errno));
        return false;
    }
    while (good && (entry = readdir(directory)) != NULL) {
        good = load_entry(page, folder, entry->d_name, error, error_size);
    }
    closedir(directory);
    for (size_t i = 0; good && i < sizeof pages / sizeof pages[0]; i++) {
        if (page_find(page, pages[i]) == NULL) {
            snprintf(error, error_size, "%s: has no %s", folder, pages[i]);
            good = false;
        }
    }
    if (!good) {
        page_free(page);
        return false;
    }
    for (size_t i = 0; i < page->count; i++) {
        make_etag(&page->files[i]);
    }
    return true;
}

void page_free(struct page *page)
{
    for (size_t i = 0; i < page->count; i++) {
        free(page->files[i].plain.bytes);
        free(page->files[i].gzip.bytes);
    }
    page->count = 0;
}

const struct page_file *page_find(const struct page *page, const char *name)
{
    for (size_t i = 0; i < page->count; i++) {
        if (page->files[i].plain.bytes != NULL && strcmp(page->files[i].name, name) == 0) {
            return &page->files[i];
        }
    }
    return NULL;
}

const struct page_file *page_route(const struct page *page, const char *path)
{
    if (path[0] != '/') {
        return NULL;
    }
    if (strcmp(path, "/") == 0) {
        return page_find(page, START_PAGE);
    }
    if (strncmp(path, "/r/", 3) == 0 && path[3] != '\0' && strchr(path + 3, '/') == NULL) {
        return page_find(page, ROOM_PAGE);
    }
    /* The pages name their files relative to these two paths, so other paths do not serve them. */
    if (strcmp(path + 1, START_PAGE) == 0 || strcmp(path + 1, ROOM_PAGE) == 0) {
        return NULL;
    }
    return page_find(page, path + 1);
}
