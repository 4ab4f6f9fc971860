/** Engines of the library by preset and overrides. */
import koffi from 'koffi';
import { LIBRARY_FILE } from './library.js';
// koffi allows one declaration per structure name, so this reuses those of native-engine.
import { ABI } from './native-engine.js';

const library = koffi.load(LIBRARY_FILE);
const create = library.func('int roce_engine_create(const roce_options *options, _Out_ void **engine)');
const snapshot = library.func('int roce_snapshot(void *engine, void *bytes, size_t capacity, _Out_ size_t *written)');
const nameOf = library.func('const char *roce_preset_name(uint32_t index)');
const destroy = library.func('int roce_engine_destroy(void *engine)');
const lastError = library.func('const char *roce_last_error(void *engine)');

/** The presets of the library, in its order. */
export function presetNames(): string[] {
  const names: string[] = [];
  for (let name = nameOf(0) as string | null; name !== null; name = nameOf(names.length) as string | null)
    names.push(name);
  return names;
}

/** The snapshot of a new engine with one parameter set, `p`. @throws Error with the library's text. */
export function snapshotOf(preset: string, overrides: string): Uint8Array {
  const out: unknown[] = [null];
  const zero = { qps: 0, endpoints: 0, addresses: 0, events: 0, packets: 0, frame_bytes: 0 };
  const status = create({
    struct_bytes: koffi.sizeof('roce_options'),
    abi: ABI,
    ...zero,
    parameter_sets: [{ name: 'p', preset, overrides }],
    parameter_set_count: 1,
    settings: 'hashSeed=1',
  }, out) as number;
  if (status !== 0) throw new Error(lastError(null) as string);
  const size: unknown[] = [null];
  snapshot(out[0], null, 0, size);
  const bytes = new Uint8Array(Number(size[0]));
  snapshot(out[0], bytes, bytes.length, size);
  destroy(out[0]);
  return bytes;
}
