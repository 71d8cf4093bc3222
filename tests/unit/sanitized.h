/* Whether AddressSanitizer looks at this program, which then takes four times as long. The program
 * runs without it, too: so a test may leave out what takes long and is no new place in memory. */
#ifndef SANITIZED_H
#define SANITIZED_H

#ifdef __SANITIZE_ADDRESS__
enum { SANITIZED = 1 };
#else
enum { SANITIZED = 0 };
#endif

#endif
