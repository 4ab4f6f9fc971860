/* Linear memory of generated modules, and what happens when one of them stops. */
#ifndef ROCE_MEMORY_H
#define ROCE_MEMORY_H

#include <setjmp.h>
#include <stdbool.h>

#include "wasm-rt.h"

/* Where a trap of this thread goes; NULL: the process ends, as nothing may continue on a broken state. */
extern _Thread_local jmp_buf *trap_target;

#ifdef ROCE_SCENARIOS
/* Addresses for two modules, of which the first one can reach the second one's memory; NULL where the system has none. */
uint8_t *reserve_joint(void);
void release_joint(uint8_t *reservation);
/* Moves a memory into such a reservation, where it may grow to `max_pages`. It is not freed with its module: `data` is then NULL. */
void move_memory(wasm_rt_memory_t *memory, uint8_t *to, uint32_t max_pages);
#endif

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
