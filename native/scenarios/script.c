/*
 * QuickJS runs the npm package's compiler and reader of scenarios; the kernel that they drive is this library's own.
 *
 *   JSON ──► scenario-program.js ──host functions──► sim_module.c
 *                     └────── views of the kernel's memory ──┘
 *
 * Both are generated modules with a memory of their own. They lie in one reservation, the kernel's behind the reach of what QuickJS allocates,
 * so that an ArrayBuffer at that address is the kernel's memory itself. Each call has a new engine and a new kernel.
 */
#include "script.h"

#include <stdlib.h>
#include <string.h>

#include "quickjs_module.h"
#include "scenario_program.h"
#include "sim_module.h"
/* After the modules' own headers. */
#include "memory.h"

#if WASM_RT_MEMCHECK_SIGNAL_HANDLER

/* The kernel's memory, as QuickJS addresses it. */
#define WINDOW 0x80000000u
#define WINDOW_PAGES 0x7fffu
/* Bytes of QuickJS's own stack, of the 1 MiB that its module has. */
#define STACK_BYTES 0x80000u
#define BAD_FILE 8u

/* What the imports of QuickJS get. */
struct Z_env_instance_t {
  Z_quickjs_instance_t engine;
  Z_sim_instance_t kernel;
  bool has_kernel;
  /* Of the kernel, when its buffer was made. */
  uint32_t buffer_pages;
  uint8_t *reservation;
};

typedef struct Z_env_instance_t script;

struct host_function {
  const char *name;
  uint32_t (*call)(script *self, const uint32_t *arguments);
};

static double number_of(script *self, const uint32_t *arguments, int index) {
  return Z_quickjsZ_qjs_get_float64(&self->engine, arguments[index]);
}

/* Whole numbers of both signs, as WebAssembly takes them. */
static uint32_t word_of(script *self, const uint32_t *arguments, int index) {
  return (uint32_t)(int64_t)number_of(self, arguments, index);
}

static uint32_t number(script *self, double value) {
  return Z_quickjsZ_qjs_new_number(&self->engine, value);
}

static uint32_t nothing(script *self) {
  return Z_quickjsZ_qjs_get_undefined(&self->engine);
}

#include "host_functions.h"

#define HOST_FUNCTION_COUNT (sizeof HOST_FUNCTIONS / sizeof *HOST_FUNCTIONS)
/* Names of host functions are one character each. */
#define FIRST_NAME '0'
#define INSTANTIATE ((uint32_t)HOST_FUNCTION_COUNT)

static uint8_t *engine_at(script *self, uint32_t address) {
  return self->engine.w2c_memory.data + address;
}

static void set_member(script *self, uint32_t object, const char *name, uint32_t value) {
  uint32_t length = (uint32_t)strlen(name) + 1;
  uint32_t at = Z_quickjsZ_wasm_malloc(&self->engine, length);
  memcpy(engine_at(self, at), name, length);
  Z_quickjsZ_qjs_set_prop_string(&self->engine, object, at, value);
  Z_quickjsZ_wasm_free(&self->engine, at);
}

static void set_global(script *self, const char *name, uint32_t value) {
  uint32_t global = Z_quickjsZ_qjs_get_global(&self->engine);
  set_member(self, global, name, value);
  Z_quickjsZ_qjs_free_value(&self->engine, global);
  Z_quickjsZ_qjs_free_value(&self->engine, value);
}

/* A buffer over the kernel's memory as it is now. Values are boxed: 8 bytes that wasm_malloc gives. */
static void show_memory(script *self) {
  uint32_t bytes = self->kernel.w2c_memory.size;
  uint32_t context = Z_quickjsZ_qjs_get_context_ptr(&self->engine);
  uint64_t buffer = Z_quickjsZ_JS_NewArrayBuffer(&self->engine, context, WINDOW, bytes, 0, 0, 0, 0);
  uint32_t boxed = Z_quickjsZ_wasm_malloc(&self->engine, sizeof buffer);
  memcpy(engine_at(self, boxed), &buffer, sizeof buffer);
  set_global(self, "kernelBuffer", boxed);
  self->buffer_pages = self->kernel.w2c_memory.pages;
}

static void open_kernel(script *self) {
  if (self->has_kernel) wasm_rt_trap(WASM_RT_TRAP_UNREACHABLE);
  Z_sim_instantiate(&self->kernel);
  self->has_kernel = true;
  move_memory(&self->kernel.w2c_memory, self->reservation + WINDOW, WINDOW_PAGES);
  show_memory(self);
}

static uint32_t call_kernel(script *self, uint32_t index, const uint32_t *arguments) {
  if (index == INSTANTIATE) {
    open_kernel(self);
    return nothing(self);
  }
  uint32_t result = HOST_FUNCTIONS[index].call(self, arguments);
  if (self->kernel.w2c_memory.pages != self->buffer_pages) show_memory(self);
  return result;
}

/* A trap in the kernel becomes an exception of the script, whose stack is as it was: the kernel calls nothing outside. */
u32 Z_envZ_host_call(script *self, u32 name, u32 name_bytes, u32 this_value, u32 count, u32 values) {
  uint32_t arguments[8] = {0};
  uint32_t index = (uint32_t)(*engine_at(self, name) - FIRST_NAME);
  uint32_t result;
  (void)name_bytes;
  (void)this_value;
  memcpy(arguments, engine_at(self, values), (count < 8 ? count : 8) * sizeof *arguments);
  WITH_TRAPS(Z_quickjsZ_qjs_throw(&self->engine, Z_quickjsZ_qjs_get_null(&self->engine)); return 0)
  result = call_kernel(self, index, arguments);
  END_TRAPS
  return result;
}

/* The script runs to its end, loads no modules, and sees neither clock nor files nor random numbers. */
u32 Z_envZ_host_interrupt(script *self) {
  (void)self;
  return 0;
}

u32 Z_envZ_host_get_timezone_offset(script *self, u32 high, u32 low) {
  (void)self;
  (void)high;
  (void)low;
  return 0;
}

u32 Z_envZ_host_module_load(script *self, u32 name, u32 length) {
  (void)self;
  (void)name;
  (void)length;
  return 0;
}

u32 Z_envZ_host_module_normalize(script *self, u32 base, u32 name) {
  (void)self;
  (void)base;
  (void)name;
  return 0;
}

void Z_envZ_host_promise_rejection(script *self, u32 promise, u32 reason, u32 is_handled) {
  (void)is_handled;
  Z_quickjsZ_qjs_free_value(&self->engine, promise);
  Z_quickjsZ_qjs_free_value(&self->engine, reason);
}

struct Z_wasi_snapshot_preview1_instance_t {
  script *owner;
};

typedef struct Z_wasi_snapshot_preview1_instance_t files;

u32 Z_wasi_snapshot_preview1Z_clock_time_get(files *self, u32 clock, u64 precision, u32 at) {
  (void)clock;
  (void)precision;
  memset(engine_at(self->owner, at), 0, sizeof(uint64_t));
  return 0;
}

u32 Z_wasi_snapshot_preview1Z_random_get(files *self, u32 at, u32 length) {
  memset(engine_at(self->owner, at), 0, length);
  return 0;
}

u32 Z_wasi_snapshot_preview1Z_fd_close(files *self, u32 file) {
  (void)self;
  (void)file;
  return BAD_FILE;
}

u32 Z_wasi_snapshot_preview1Z_fd_fdstat_get(files *self, u32 file, u32 at) {
  (void)self;
  (void)file;
  (void)at;
  return BAD_FILE;
}

u32 Z_wasi_snapshot_preview1Z_fd_seek(files *self, u32 file, u64 offset, u32 whence, u32 at) {
  (void)self;
  (void)file;
  (void)offset;
  (void)whence;
  (void)at;
  return BAD_FILE;
}

u32 Z_wasi_snapshot_preview1Z_fd_write(files *self, u32 file, u32 parts, u32 count, u32 at) {
  (void)self;
  (void)file;
  (void)parts;
  (void)count;
  (void)at;
  return BAD_FILE;
}

static uint32_t new_text(script *self, const char *text) {
  size_t length = strlen(text);
  uint32_t at = Z_quickjsZ_wasm_malloc(&self->engine, (uint32_t)length + 1);
  memcpy(engine_at(self, at), text, length + 1);
  uint32_t value = Z_quickjsZ_qjs_new_string(&self->engine, at, (uint32_t)length);
  Z_quickjsZ_wasm_free(&self->engine, at);
  return value;
}

/* The value of a program; the value of an exception where it throws. */
static uint32_t evaluate(script *self, const char *code, size_t length) {
  static const char name[] = "scenarios";
  uint32_t at = Z_quickjsZ_wasm_malloc(&self->engine, (uint32_t)length + 1);
  uint32_t name_at = Z_quickjsZ_wasm_malloc(&self->engine, sizeof name);
  memcpy(engine_at(self, at), code, length);
  *engine_at(self, at + (uint32_t)length) = 0;
  memcpy(engine_at(self, name_at), name, sizeof name);
  uint32_t value = Z_quickjsZ_qjs_eval(&self->engine, at, (uint32_t)length, name_at, 0);
  Z_quickjsZ_wasm_free(&self->engine, at);
  Z_quickjsZ_wasm_free(&self->engine, name_at);
  return value;
}

static void start(script *self, files *system) {
  Z_quickjs_instantiate(&self->engine, self, system);
  move_memory(&self->engine.w2c_memory, self->reservation, WINDOW / 0x10000u);
  /* Copies between the two memories are within its reach. */
  self->engine.w2c_memory.size = UINT32_MAX;
  Z_quickjsZ__initialize(&self->engine);
  Z_quickjsZ_qjs_init(&self->engine);
  Z_quickjsZ_qjs_set_max_stack_size(&self->engine, STACK_BYTES);
  uint32_t list = Z_quickjsZ_qjs_new_object(&self->engine);
  for (uint32_t index = 0; index <= INSTANTIATE; index++) {
    uint32_t at = Z_quickjsZ_wasm_malloc(&self->engine, 2);
    *engine_at(self, at) = (uint8_t)(FIRST_NAME + index);
    uint32_t function = Z_quickjsZ_qjs_new_host_function(&self->engine, at, 1, 0);
    set_member(self, list, index == INSTANTIATE ? "instantiate" : HOST_FUNCTIONS[index].name, function);
    Z_quickjsZ_qjs_free_value(&self->engine, function);
    Z_quickjsZ_wasm_free(&self->engine, at);
  }
  set_global(self, "kernelFunctions", list);
}

static roce_status status_of(const char *text) {
  if (!strncmp(text, "capacity", 8)) return ROCE_CAPACITY;
  if (!strncmp(text, "fault", 5)) return ROCE_FAULT;
  return ROCE_INVALID_CONFIG;
}

/* A copy of a text, or of the bytes of a buffer. */
static roce_status take_result(script *self, uint32_t value, struct script_result *result) {
  uint32_t length_at = Z_quickjsZ_wasm_malloc(&self->engine, sizeof(uint32_t));
  uint32_t at = Z_quickjsZ_qjs_get_array_buffer(&self->engine, value, length_at);
  if (!at) at = Z_quickjsZ_qjs_get_string_len(&self->engine, value, length_at);
  uint32_t length;
  memcpy(&length, engine_at(self, length_at), sizeof length);
  const char *text = (const char *)engine_at(self, at);
  if (!at) return fail(NULL, ROCE_FAULT, "the script gives no text");
  /* "!status message" */
  if (length && text[0] == '!') {
    const char *message = strchr(text, ' ');
    return fail(NULL, status_of(text + 1), "%s", message ? message + 1 : text);
  }
  result->bytes = malloc((size_t)length + 1);
  if (!result->bytes) return fail(NULL, ROCE_CAPACITY, "no memory for a result of %u bytes", length);
  memcpy(result->bytes, text, length);
  result->bytes[length] = 0;
  result->length = length;
  return ROCE_OK;
}

/* What the program does not catch: an error in it, or no memory for it. */
static roce_status fail_as_thrown(script *self) {
  uint32_t thrown = Z_quickjsZ_qjs_get_exception(&self->engine);
  uint32_t at = Z_quickjsZ_qjs_get_string(&self->engine, thrown);
  return fail(NULL, ROCE_FAULT, "the script stopped: %s", at ? (const char *)engine_at(self, at) : "no reason");
}

static roce_status run_script(script *self, files *system, const char *function, const char *json, const char *options,
                              struct script_result *result) {
  start(self, system);
  set_global(self, "scenarioText", new_text(self, json));
  set_global(self, "optionsText", new_text(self, options));
  set_global(self, "functionName", new_text(self, function));
  uint32_t value = evaluate(self, SCENARIO_PROGRAM, SCENARIO_PROGRAM_BYTES);
  if (Z_quickjsZ_qjs_is_exception(&self->engine, value)) return fail_as_thrown(self);
  return take_result(self, value, result);
}

static void end(script *self) {
  self->engine.w2c_memory.data = NULL;
  Z_quickjs_free(&self->engine);
  if (self->has_kernel) {
    self->kernel.w2c_memory.data = NULL;
    Z_sim_free(&self->kernel);
  }
  release_joint(self->reservation);
  free(self);
}

roce_status script_call(const char *function, const char *json, const char *options, struct script_result *result) {
  script *self = calloc(1, sizeof *self);
  if (self) self->reservation = reserve_joint();
  if (!self || !self->reservation) {
    free(self);
    return fail(NULL, ROCE_CAPACITY, "the system has no addresses for a script");
  }
  files system = {self};
  roce_status status;
  WITH_TRAPS(end(self); return fail(NULL, ROCE_CAPACITY, "the scenario needs more memory than the script may have"))
  status = run_script(self, &system, function, json, options, result);
  END_TRAPS
  end(self);
  return status;
}

#else

roce_status script_call(const char *function, const char *json, const char *options, struct script_result *result) {
  (void)function;
  (void)json;
  (void)options;
  (void)result;
  return fail(NULL, ROCE_UNSUPPORTED, "scenarios need a 64-bit POSIX system, and a library without ROCE_CHECKED_MEMORY");
}

#endif
