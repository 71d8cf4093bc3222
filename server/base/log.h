/* Log lines on standard error, as text for people or as one JSON object a line for machines. Any
 * thread may log.
 *
 * Until log_start(), log calls write their line at once. From then on no caller waits for the
 * log's reader: one thread writes the lines that other threads put into a bounded buffer. A line
 * that finds the buffer full is lost, as is one that cannot be written; once writing works again a
 * line says how many were. Of one kind of line, which is one format string, 10 are written in a
 * minute (log_rate.h). Lines never mix. */
#ifndef LOG_H
#define LOG_H

#include <stdbool.h>
#include <stddef.h>

enum log_level { LOG_LEVEL_INFO, LOG_LEVEL_WARN, LOG_LEVEL_ERROR };

enum log_format { LOG_FORMAT_TEXT, LOG_FORMAT_JSON };

/* Before any thread starts. The default is text. */
void log_set_format(enum log_format format);

/* Once, before any other thread starts. Returns false if there is no thread to be had. */
bool log_start(void);

/* Waits until all lines are written, for at most half a second, and returns whether they are.
 * Before the program ends; logging may go on. */
bool log_finish(void);

/* Logs one line. Its message has at most 999 bytes and is escaped as log_escape() does. The format
 * must outlive the program's last line: a literal. */
void log_line(enum log_level level, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Copies text into out (capacity bytes, at least 4) as well-formed UTF-8 that stays on its line:
 * control characters and what else protocol/text.h forbids as \uXXXX, malformed bytes as \ufffd,
 * and for json the quote and the backslash with a backslash. A text that does not fit is cut
 * between two characters and ends with "...". */
void log_escape(char *out, size_t capacity, const char *text, bool json);

#define log_info(...)  log_line(LOG_LEVEL_INFO, __VA_ARGS__)
#define log_warn(...)  log_line(LOG_LEVEL_WARN, __VA_ARGS__)
#define log_error(...) log_line(LOG_LEVEL_ERROR, __VA_ARGS__)

#endif
