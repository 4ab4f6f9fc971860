/**
 * Loads the build of the simulator that traces rate changes.
 *
 * This file must stay in src/cli/: its relative path must also be right from dist/cli.
 */
import { readFileSync } from 'node:fs';

let module: WebAssembly.Module | undefined;

export function simTraceModule(): WebAssembly.Module {
  module ??= new WebAssembly.Module(readFileSync(new URL('../../dist/sim-trace.wasm', import.meta.url)));
  return module;
}
