/* The versions of this release, in a file of their own: tests link a node with others. */
#ifndef VERSIONS_H
#define VERSIONS_H

#include <stdint.h>

/* Returns the version of the messages between nodes, and of what they store in buckets. A node
 * refuses all that has another one. */
uint8_t version_of_messages(void);

/* Returns a number that goes up when a release appends fields to these, or to states of rooms. A
 * room never goes to a node of an earlier release. */
uint32_t version_of_release(void);

#endif
