/* How generated modules reach their memory: src/memory.c has the reasons. */
#ifndef ROCE_MODULE_RUNTIME_H
#define ROCE_MODULE_RUNTIME_H

#include <stdint.h>

#define WASM_RT_SKIP_SIGNAL_RECOVERY 1
#define WASM_RT_USE_STACK_DEPTH_COUNT 0
#if defined(ROCE_CHECKED_MEMORY) || defined(_WIN32) || UINTPTR_MAX <= 0xffffffff
#define WASM_RT_MEMCHECK_SIGNAL_HANDLER 0
#else
#define WASM_RT_MEMCHECK_SIGNAL_HANDLER 1
#endif

#include "wasm-rt.h"

#if WASM_RT_MEMCHECK_SIGNAL_HANDLER
/* Memory never moves, so each function keeps its address. */
#define ROCE_MEMORY uint8_t *
#define ROCE_BYTES(memory) (memory)
#define ROCE_PROLOGUE                                            \
  uint8_t *const module_memory = instance->w2c_memory.data;      \
  (void)module_memory
#else
#define ROCE_MEMORY wasm_rt_memory_t *
#define ROCE_BYTES(memory) (memory)->data
#define module_memory (&instance->w2c_memory)
#define ROCE_PROLOGUE (void)instance
#endif

#endif
