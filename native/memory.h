/* Linear memory of generated modules, and what happens when one of them stops. */
#ifndef ROCE_MEMORY_H
#define ROCE_MEMORY_H

#include <setjmp.h>
#include <stdbool.h>

#include "wasm-rt.h"

/* Where a trap of this thread goes; NULL: the process ends, as nothing may continue on a broken state. */
extern _Thread_local jmp_buf *trap_target;

/*
 * Runs the statement behind it, once, with traps of generated code leading to `on_trap`, a statement that leaves the function:
 *
 *   WITH_TRAPS(return ROCE_FAULT)
 *   Z_engineZ_applyEvents(...);
 *   END_TRAPS
 */
#define WITH_TRAPS(on_trap)               \
  {                                       \
    jmp_buf trap_buffer;                  \
    jmp_buf *outer_target = trap_target;  \
    trap_target = &trap_buffer;           \
    if (setjmp(trap_buffer)) {            \
      trap_target = outer_target;         \
      on_trap;                            \
    }
#define END_TRAPS                \
  trap_target = outer_target;    \
  }

#endif
