/** The C variants as an addon, built when a compiler is there; see bench/native. */
import { createRequire } from 'node:module';
import { buildNative, type NativeBuild } from '../native/build.js';

/** Exports of engine.node: the engine's batch calls, in C, on the memory given to `attach`. */
export interface NativeEngine {
  attach(memory: ArrayBuffer, map: Uint32Array): void;
  applyEvents(n: number): number;
  applyEventsPrefetching(n: number): number;
  applyPackets(n: number): number;
  findFlows(keys: number, results: number, n: number): void;
  findFlowsPrefetching(keys: number, results: number, n: number): void;
}

/** Exports of lookup.node: hash tables of C++ libraries over keys in the form of `findFlows`. */
export interface NativeTables {
  /** Names of the tables that this build has. */
  readonly tables: readonly string[];
  attach(memory: ArrayBuffer): void;
  /** Empties all tables and inserts n keys at `keys` with the values 0..n-1. */
  fill(keys: number, n: number): void;
  find(table: string, keys: number, results: number, n: number): void;
}

export interface Native {
  readonly engine: NativeEngine | undefined;
  readonly tables: NativeTables | undefined;
  readonly build: NativeBuild;
}

let loaded: Native | undefined;

/** Builds and loads both addons, once. */
export function loadNative(): Native {
  loaded ??= load(buildNative());
  return loaded;
}

function load(build: NativeBuild): Native {
  const require = createRequire(import.meta.url);
  return {
    build,
    engine: build.engineFile === undefined ? undefined : (require(build.engineFile) as NativeEngine),
    tables: build.tablesFile === undefined ? undefined : (require(build.tablesFile) as NativeTables),
  };
}
