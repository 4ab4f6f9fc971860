/**
 * The build of the simulator that has a trace of rate changes.
 *
 * This file must stay in src/cli/: the files of dist/cli are as deep as it is.
 */
import { readFileSync } from 'node:fs';

let module: WebAssembly.Module | undefined;

export function simTraceModule(): WebAssembly.Module {
  module ??= new WebAssembly.Module(readFileSync(new URL('../../dist/sim-trace.wasm', import.meta.url)));
  return module;
}
