#include "errors.h"

#include <stdarg.h>
#include <stdio.h>

#include "tables.h"

static _Thread_local char last_error[ERROR_BYTES];

static const char *const STATUS_TEXTS[] = {
  "ok", "invalid-argument", "invalid-config", "capacity", "duplicate-qp", "unknown-qp", "time-backwards", "unsupported",
  "snapshot-mismatch", "closed", "busy", "version", "fault",
};

char *thread_error(void) {
  return last_error;
}

roce_status fail(char *buffer, roce_status status, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(buffer ? buffer : last_error, ERROR_BYTES, format, arguments);
  va_end(arguments);
  return status;
}

const char *roce_status_text(roce_status status) {
  int index = -(int)status;
  int count = (int)(sizeof STATUS_TEXTS / sizeof *STATUS_TEXTS);
  return index >= 0 && index < count ? STATUS_TEXTS[index] : "unknown";
}

uint32_t roce_abi(void) {
  return ROCE_CC_ABI;
}

const char *roce_version(void) {
  return ROCE_VERSION_TEXT;
}

const char *roce_build(void) {
  return ROCE_BUILD_TEXT;
}
