/* Statuses with their texts: of an engine, or of a thread where there is none. */
#ifndef ROCE_ERRORS_H
#define ROCE_ERRORS_H

#include "roce_cc.h"

#define ERROR_BYTES 320

#if defined(__GNUC__)
#define ROCE_PRINTF __attribute__((format(printf, 3, 4)))
#define ROCE_COLD __attribute__((cold, noinline))
#else
#define ROCE_PRINTF
#define ROCE_COLD
#endif

/* Notes the text in `buffer` (of ERROR_BYTES), or with NULL in that of the thread; returns the status. */
ROCE_COLD roce_status fail(char *buffer, roce_status status, const char *format, ...) ROCE_PRINTF;
/* The buffer of the calling thread. */
char *thread_error(void);

#endif
