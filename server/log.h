/* Log lines on standard error, as text for people or as one JSON object a line for machines. Any
 * thread may log; a line is one write, so lines never mix. */
#ifndef LOG_H
#define LOG_H

enum log_level { LOG_LEVEL_INFO, LOG_LEVEL_WARN, LOG_LEVEL_ERROR };

enum log_format { LOG_FORMAT_TEXT, LOG_FORMAT_JSON };

/* Before any thread starts. The default is text. */
void log_set_format(enum log_format format);

/* Writes one line, of at most 1,000 bytes; control characters in the result are escaped. */
void log_line(enum log_level level, const char *format, ...) __attribute__((format(printf, 2, 3)));

#define log_info(...)  log_line(LOG_LEVEL_INFO, __VA_ARGS__)
#define log_warn(...)  log_line(LOG_LEVEL_WARN, __VA_ARGS__)
#define log_error(...) log_line(LOG_LEVEL_ERROR, __VA_ARGS__)

#endif
