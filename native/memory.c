/*
 * The runtime of the C that wasm2c makes: memory, tables, traps. There is no global state.
 *
 * Memory safety. On 64-bit POSIX systems each memory is a reservation of 8 GiB, the reach of a 32-bit address and offset, of which only
 * what the module has asked for is accessible: an access beyond it is a fault of the hardware and never reaches other memory, so the code
 * needs no checks. No signal handler is installed: the process ends, as with any other such fault. Elsewhere, and with ROCE_CHECKED_MEMORY,
 * memory is allocated by calloc and every access is checked; one beyond it is a trap, and the engine gives ROCE_FAULT.
 */
#if !defined(_WIN32) && !defined(_DEFAULT_SOURCE)
#define _DEFAULT_SOURCE
#endif
#if defined(__APPLE__) && !defined(_DARWIN_C_SOURCE)
#define _DARWIN_C_SOURCE
#endif

#include "memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if WASM_RT_MEMCHECK_SIGNAL_HANDLER
#include <sys/mman.h>
#ifndef MAP_ANONYMOUS
#define MAP_ANONYMOUS MAP_ANON
#endif
#endif

#define WASM_PAGE 65536u
#define RESERVED_BYTES 0x200000000u
#define HUGE_PAGE 0x200000u

_Thread_local jmp_buf *trap_target;

void wasm_rt_trap(wasm_rt_trap_t code) {
  if (trap_target) longjmp(*trap_target, (int)code + 1);
  fprintf(stderr, "roce-cc: internal error %d\n", (int)code);
  abort();
}

#if WASM_RT_MEMCHECK_SIGNAL_HANDLER

/* Accessible from here on; large memories take large pages where the system has them, as lookups go all over them. */
static bool open_pages(uint8_t *from, uint64_t bytes) {
  if (mprotect(from, bytes, PROT_READ | PROT_WRITE)) return false;
#ifdef MADV_HUGEPAGE
  if (bytes >= 2 * HUGE_PAGE) (void)madvise(from, bytes, MADV_HUGEPAGE);
#endif
  return true;
}

/* A reservation that begins on a large page. */
static uint8_t *reserve(void) {
  uint64_t bytes = (uint64_t)RESERVED_BYTES + HUGE_PAGE;
  uint8_t *start = mmap(NULL, bytes, PROT_NONE, MAP_ANONYMOUS | MAP_PRIVATE, -1, 0);
  if (start == MAP_FAILED) return NULL;
  uint64_t before = (HUGE_PAGE - (uintptr_t)start % HUGE_PAGE) % HUGE_PAGE;
  if (before) munmap(start, before);
  munmap(start + before + RESERVED_BYTES, HUGE_PAGE - before);
  return start + before;
}

void wasm_rt_allocate_memory(wasm_rt_memory_t *memory, uint32_t initial_pages, uint32_t max_pages) {
  memset(memory, 0, sizeof *memory);
  memory->data = reserve();
  if (!memory->data) wasm_rt_trap(WASM_RT_TRAP_OOB);
  if (!open_pages(memory->data, (uint64_t)initial_pages * WASM_PAGE)) wasm_rt_trap(WASM_RT_TRAP_OOB);
  memory->pages = initial_pages;
  memory->max_pages = max_pages;
  memory->size = initial_pages * WASM_PAGE;
}

static bool grow(wasm_rt_memory_t *memory, uint32_t pages) {
  uint64_t from = (uint64_t)memory->pages * WASM_PAGE;
  return open_pages(memory->data + from, (uint64_t)pages * WASM_PAGE);
}

void wasm_rt_free_memory(wasm_rt_memory_t *memory) {
  if (memory->data) munmap(memory->data, RESERVED_BYTES);
  memory->data = NULL;
}

#ifdef ROCE_SCENARIOS
#define JOINT_BYTES (2ull * RESERVED_BYTES)

uint8_t *reserve_joint(void) {
  uint8_t *start = mmap(NULL, JOINT_BYTES, PROT_NONE, MAP_ANONYMOUS | MAP_PRIVATE | MAP_NORESERVE, -1, 0);
  return start == MAP_FAILED ? NULL : start;
}

void release_joint(uint8_t *reservation) {
  munmap(reservation, JOINT_BYTES);
}

void move_memory(wasm_rt_memory_t *memory, uint8_t *to, uint32_t max_pages) {
  uint64_t bytes = (uint64_t)memory->pages * WASM_PAGE;
  if (!open_pages(to, bytes)) wasm_rt_trap(WASM_RT_TRAP_OOB);
  memcpy(to, memory->data, bytes);
  wasm_rt_free_memory(memory);
  memory->data = to;
  memory->max_pages = max_pages;
}
#endif

#else

void wasm_rt_allocate_memory(wasm_rt_memory_t *memory, uint32_t initial_pages, uint32_t max_pages) {
  memset(memory, 0, sizeof *memory);
  memory->data = calloc(initial_pages, WASM_PAGE);
  if (!memory->data) wasm_rt_trap(WASM_RT_TRAP_OOB);
  memory->pages = initial_pages;
  memory->max_pages = max_pages;
  memory->size = initial_pages * WASM_PAGE;
}

static bool grow(wasm_rt_memory_t *memory, uint32_t pages) {
  uint64_t bytes = ((uint64_t)memory->pages + pages) * WASM_PAGE;
  if (bytes > UINT32_MAX || bytes > SIZE_MAX) return false;
  uint8_t *data = realloc(memory->data, (size_t)bytes);
  if (!data) return false;
  memset(data + memory->size, 0, (size_t)bytes - memory->size);
  memory->data = data;
  return true;
}

void wasm_rt_free_memory(wasm_rt_memory_t *memory) {
  free(memory->data);
  memory->data = NULL;
}

#endif

uint32_t wasm_rt_grow_memory(wasm_rt_memory_t *memory, uint32_t pages) {
  uint32_t before = memory->pages;
  uint64_t after = (uint64_t)before + pages;
  if (after > memory->max_pages) return UINT32_MAX;
  if (pages > 0 && !grow(memory, pages)) return UINT32_MAX;
  memory->pages = (uint32_t)after;
  /* 4 GiB are one byte more than `size` holds: the last one is then taken for outside. */
  uint32_t reached = after * WASM_PAGE > UINT32_MAX ? UINT32_MAX : (uint32_t)(after * WASM_PAGE);
  if (reached > memory->size) memory->size = reached;
  return before;
}

void wasm_rt_allocate_funcref_table(wasm_rt_funcref_table_t *table, uint32_t elements, uint32_t max_elements) {
  table->size = elements;
  table->max_size = max_elements;
  table->data = calloc(elements ? elements : 1, sizeof *table->data);
  if (!table->data) wasm_rt_trap(WASM_RT_TRAP_OOB);
}

void wasm_rt_free_funcref_table(wasm_rt_funcref_table_t *table) {
  free(table->data);
  table->data = NULL;
}

bool wasm_rt_is_initialized(void) {
  return true;
}
