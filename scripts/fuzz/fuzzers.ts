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

/** @throws Error for a name that there is not. */
export function loadFuzzer(name: string): Promise<Fuzzer> {
  if (!Object.hasOwn(LOADERS, name)) throw new Error(`got ${name}, allowed: ${FUZZER_NAMES.join(', ')}`);
  return LOADERS[name as keyof typeof LOADERS]();
}
