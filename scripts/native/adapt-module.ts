/**
 * Adapts what wasm2c writes to a library: no state outside of an instance, and memory by way of native/module_runtime.h.
 *
 *   types of functions    a table that is filled at the start becomes a constant, so that nothing need be initialised
 *   loads and stores      take the address of memory, which each function reads once, instead of the record that holds it
 *   loads                 are not forced: those whose value is not used would only find accesses outside of memory
 */

/** @param name of the module, as `wasm2c -n` got it. @throws Error when wasm2c writes something else than expected. */
export function adaptSource(source: string, name: string): string {
  let text = source;
  const replace = (from: RegExp | string, to: string): void => {
    const replaced = text.replaceAll(from, to);
    if (replaced === text) throw new Error(`wasm2c's output for ${name} has nothing of the form ${from}`);
    text = replaced;
  };
  text = withConstantTypes(text);
  replace(/#define wasm_asm __asm__\n/g, '#define wasm_asm(X)\n');
  replace(/\b((?:i32|i64|f32|f64)_(?:load|store)\w*)\(&instance->w2c_memory,/g, '$1(module_memory,');
  replace(/static inline (t3|void) name\(wasm_rt_memory_t\* mem, u64 addr/g,
    'static inline $1 name(ROCE_MEMORY mem, u64 addr');
  replace(/&mem->data\[addr\]/g, '&ROCE_BYTES(mem)[addr]');
  replace(/#else\n#define FUNC_PROLOGUE\n/g, '#else\n#define FUNC_PROLOGUE ROCE_PROLOGUE\n');
  // Shifts into the sign are undefined in C.
  text = text.replaceAll('~(1 << 31)', '~(1u << 31)').replaceAll('~(1ll << 63)', '~(1ull << 63)');
  replace(/static bool s_module_initialized = false;\n/g, '');
  replace(/ {2}assert\(s_module_initialized\);\n/g, '');
  replace(/ {2}s_module_initialized = true;\n {2}init_func_types\(\);\n/g, '');
  return text;
}

/** @throws Error as `adaptSource`. */
export function adaptHeader(header: string): string {
  const text = header.replace('#include "wasm-rt.h"', '#include "module_runtime.h"');
  if (text === header) throw new Error("wasm2c's header does not include wasm-rt.h");
  return text;
}

/** Equal signatures get equal numbers. */
function withConstantTypes(text: string): string {
  const declared = /static u32 func_types\[\d+\];\n/;
  const filled = /static void init_func_types\(void\) \{\n((?: {2}func_types\[\d+\] = .*\n)*)\}\n/;
  const [, body = ''] = filled.exec(text) ?? [];
  if (body === '' || !declared.test(text)) throw new Error("wasm2c's output has no table of function types");
  const numbers = new Map<string, number>();
  const items = [...body.matchAll(/wasm_rt_register_func_type\((.*)\);/g)].map(([, signature]) => {
    const number = numbers.get(signature) ?? numbers.size + 1;
    numbers.set(signature, number);
    return number;
  });
  return text.replace(declared, `static const u32 func_types[] = {${items.join(', ')}};\n`).replace(filled, '');
}
