/* The JavaScript of the npm package that compiles, runs and reads scenarios, in a JavaScript engine that is part of the library. */
#ifndef ROCE_SCRIPT_H
#define ROCE_SCRIPT_H

#include "errors.h"

/* Bytes of a result, to be freed by the caller; `length` without the 0 behind them. */
struct script_result {
  uint8_t *bytes;
  size_t length;
};

/*
 * Calls a function of scripts/native/scenario-program.ts by name with two texts.
 * ROCE_INVALID_CONFIG with the message of a RoceError, ROCE_CAPACITY for memory, ROCE_UNSUPPORTED where the library or the system has no
 * such engine.
 */
roce_status script_call(const char *function, const char *json, const char *options, struct script_result *result);

#endif
