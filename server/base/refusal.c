#include "base/refusal.h"

#include <stdarg.h>
#include <stdio.h>

bool refusal_write(struct refusal to, enum proto_code code, const char *field, const char *format,
                   ...)
{
    va_list arguments;

    *to.code = code;
    snprintf(to.field, to.field_size, "%s", field);
    va_start(arguments, format);
    vsnprintf(to.message, to.message_size, format, arguments);
    va_end(arguments);
    return false;
}
