/**
 * Batches of acknowledgements: only the call that applies a batch is timed; events and AckEvent records lie in their regions.
 */
import { EVENT_SENT } from '../../src/abi/codes.js';
import { EVENT_BYTES, REGION_ACK_EVENTS, REGION_EVENTS } from '../../src/abi/layout.js';
import type { AckStream } from './ack-stream.js';
import type { BenchEngine } from './bench-engine.js';
import type { Variant } from './interleave.js';

/** Events of a batch. */
export const BATCH = 4096;
const SMALL_BATCH = 64;
/** A packet of each QP is in flight. */
const SENT_BYTES = 4096;

/** Opens all QPs, each with a packet on its way and a first ACK behind it. */
export function begin(bench: BenchEngine, qps: number, first: AckStream): void {
  for (let qp = 0; qp < qps; qp++) {
    bench.engine.openQp({ localQpn: qp + 1 });
    bench.abi.applyEvent(EVENT_SENT, qp, 0, SENT_BYTES);
  }
  applyAcks(bench, first, BATCH, (n) => bench.abi.applyEvents(n));
  bench.save();
}

/** Copies batch by batch into the regions of events and acknowledgements; the time of the calls only, milliseconds. */
export function applyAcks(bench: BenchEngine, stream: AckStream, batch: number, apply: (n: number) => number): number {
  const { u8 } = bench.views;
  const events = bench.region(REGION_EVENTS);
  const acks = bench.region(REGION_ACK_EVENTS);
  let spent = 0;
  for (let from = 0; from < stream.length; from += BATCH) {
    const end = Math.min(from + BATCH, stream.length);
    u8.set(stream.acks.subarray(from * stream.ackBytes, end * stream.ackBytes), acks);
    for (let at = from; at < end; at += batch) {
      const to = Math.min(at + batch, end);
      u8.set(stream.records.subarray(at * EVENT_BYTES, to * EVENT_BYTES), events);
      const begun = performance.now();
      bench.actions = apply(to - at);
      spent += performance.now() - begun;
    }
  }
  return spent;
}

/** The engine with batches of both sizes. */
export function wasmVariants(bench: BenchEngine, stream: AckStream): Variant[] {
  const reset = (): void => {
    bench.restore();
  };
  const apply = (n: number): number => bench.abi.applyEvents(n);
  return [
    { name: `wasm, batch ${BATCH}`, reset, pass: () => applyAcks(bench, stream, BATCH, apply) },
    { name: `wasm, batch ${SMALL_BATCH}`, reset, pass: () => applyAcks(bench, stream, SMALL_BATCH, apply) },
  ];
}
