/* Log lines on standard error, as text for people or as one JSON object per line for programs. Any
 * thread may log.
 *
 * Before log_start(), log_line() writes at once. After it, no caller waits for the log's reader:
 * one thread writes the lines that other threads put into a bounded buffer. A line is lost if the
 * buffer is full or writing fails; once writing works again, a line says how many were lost. At
 * most 10 lines of one kind, which is one format string, are written per minute (log_rate.h). Lines
 * never mix. */
#ifndef LOG_H
#define LOG_H

#include <stdbool.h>
#include <stddef.h>

enum log_level { LOG_LEVEL_INFO, LOG_LEVEL_WARN, LOG_LEVEL_ERROR };

enum log_format { LOG_FORMAT_TEXT, LOG_FORMAT_JSON };

/* Sets the format. Must be called before any thread starts. The default is text. */
void log_set_format(enum log_format format);

/* Starts the thread. Must be called once, before any other thread starts. Returns false if no
 * thread can be created. */
bool log_start(void);

/* Waits until all lines are written, for at most half a second. Returns whether they are. Call it
 * before the program ends; logging may continue. */
bool log_finish(void);

/* Logs one line. Its message has at most 999 bytes; log_escape() escapes it. The format must be a
 * literal, because it must outlive the program's last line. */
void log_line(enum log_level level, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Copies text into out (capacity bytes, at least 4) as valid UTF-8 without line breaks. Writes
 * control characters, and other characters that protocol/text.h forbids, as \uXXXX, and malformed
 * bytes as \ufffd. For JSON, puts a backslash before a quote or a backslash. Cuts a text that does
 * not fit between two characters and ends it with "...". */
void log_escape(char *out, size_t capacity, const char *text, bool json);

#define log_info(...)  log_line(LOG_LEVEL_INFO, __VA_ARGS__)
#define log_warn(...)  log_line(LOG_LEVEL_WARN, __VA_ARGS__)
#define log_error(...) log_line(LOG_LEVEL_ERROR, __VA_ARGS__)

#endif
