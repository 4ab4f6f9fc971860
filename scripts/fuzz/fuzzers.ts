/** All fuzzers by name; each is loaded only where it runs, as some build engines and parsers to begin with. */
import type { Fuzzer } from './fuzzer.js';

const LOADERS = {
  frames: async (): Promise<Fuzzer> => (await import('./frames.js')).frames,
  events: async (): Promise<Fuzzer> => (await import('./events.js')).events,
  captures: async (): Promise<Fuzzer> => (await import('./captures.js')).captures,
  scenarios: async (): Promise<Fuzzer> => (await import('./scenarios.js')).scenarios,
  'reference-files': async (): Promise<Fuzzer> => (await import('./reference-files.js')).referenceFiles,
  settings: async (): Promise<Fuzzer> => (await import('./settings.js')).settings,
  snapshots: async (): Promise<Fuzzer> => (await import('./snapshots.js')).snapshots,
  craft: async (): Promise<Fuzzer> => (await import('./craft.js')).craft,
  workloads: async (): Promise<Fuzzer> => (await import('./workloads.js')).workloads,
  arguments: async (): Promise<Fuzzer> => (await import('./arguments.js')).argumentLists,
} as const;

/** Names of all fuzzers. */
export const FUZZER_NAMES: readonly string[] = Object.keys(LOADERS);

/** Run only on request by name: a fuzzer for each format of workloads, which `workloads` has among others. */
export const FORMAT_PREFIX = 'workloads-';

/** @throws Error for a name that there is not. */
export async function loadFuzzer(name: string): Promise<Fuzzer> {
  if (name.startsWith(FORMAT_PREFIX)) return loadFormat(name.slice(FORMAT_PREFIX.length));
  if (!Object.hasOwn(LOADERS, name)) throw new Error(`got ${name}, allowed: ${FUZZER_NAMES.join(', ')}`);
  return LOADERS[name as keyof typeof LOADERS]();
}

async function loadFormat(format: string): Promise<Fuzzer> {
  const { WORKLOAD_FORMATS, workloadsOf } = await import('./workloads.js');
  const known = WORKLOAD_FORMATS.find((name) => name === format);
  if (known === undefined) throw new Error(`got ${format}, allowed: ${WORKLOAD_FORMATS.join(', ')}`);
  return workloadsOf(known);
}
