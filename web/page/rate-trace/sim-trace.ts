/** The build of the simulator that traces rate changes, loaded at the first request. */
import simTraceUrl from '../../../build/sim-trace.wasm?url';

let bytes: Promise<ArrayBuffer> | undefined;

export function simTraceBytes(): Promise<ArrayBuffer> {
  bytes ??= fetch(simTraceUrl).then((response) => response.arrayBuffer());
  return bytes;
}
