/* Names of headers that libwebsockets cannot read. Its table of names has no entry for a name with
 * which a longer one begins, such as "X-A" of "X-Auth-Token". There it takes the colon, the value
 * and the next line for more of the name. If the header is the last one, it waits for ever. Any
 * thread. */
#ifndef HEADER_NAMES_H
#define HEADER_NAMES_H

#include <stdbool.h>
#include <stddef.h>

/* head: the bytes of a request up to its empty line, or more. Returns true if libwebsockets can
 * read all names in it. */
bool header_names_known(const char *head, size_t size);

#endif
