/**
 * Streams of packet events: 2^20 events in the order of time, at a mean of 20 us between two events of a QP.
 *
 * mix        90 % data packets sent (1 to 64 KiB), 10 % CNPs; all QPs limited, so every timer runs
 * cnp        CNPs only
 * recovered  all QPs unlimited; one event in 2000 is a CNP
 */
import { EVENT_CNP, EVENT_SENT } from '../../src/abi/codes.js';
import { EVENT_BYTES, EVENT_KIND_SHIFT } from '../../src/abi/layout.js';
import { us } from '../../src/units.js';
import { randomFrom, uniform, zipf } from './random.js';

export type Workload = 'mix' | 'cnp' | 'recovered';
export type Spread = 'uniform' | 'zipf';

export interface EventStream {
  readonly length: number;
  readonly timePs: Float64Array;
  readonly qp: Uint32Array;
  /** 0 = CNP, else the bytes sent. */
  readonly sentBytes: Uint32Array;
  /** The same as records that can be copied into the event region. */
  readonly records: Uint8Array;
}

/** Mean time between two events of one QP. */
export const MEAN_GAP_PS = us(20);
/** When a stream begins: behind everything that `limitAll` does. */
export const START_PS = us(400);

const CNP_ONE_IN: Readonly<Record<Workload, number>> = { mix: 10, cnp: 1, recovered: 2000 };
const SENT_MIN = 1024;
const SENT_RANGE = 64 * 1024 - SENT_MIN;

export function eventStream(workload: Workload, spread: Spread, qps: number, length: number): EventStream {
  const random = randomFrom(42);
  const pick = spread === 'zipf' ? zipf(qps, random) : uniform(qps, random);
  const timePs = new Float64Array(length);
  const qp = new Uint32Array(length);
  const sentBytes = new Uint32Array(length);
  for (let i = 0; i < length; i++) {
    timePs[i] = START_PS + Math.floor((i * MEAN_GAP_PS) / qps);
    qp[i] = pick();
    sentBytes[i] = random() % CNP_ONE_IN[workload] === 0 ? 0 : SENT_MIN + (random() % SENT_RANGE);
  }
  return { length, timePs, qp, sentBytes, records: recordsOf(timePs, qp, sentBytes) };
}

/** CNPs that put a limiter on every QP, at random instants of the 400 us before the stream: three each. */
export function limitingStream(qps: number): EventStream {
  const random = randomFrom(7);
  const length = 3 * qps;
  const timePs = new Float64Array(length);
  const qp = new Uint32Array(length);
  for (let i = 0; i < length; i++) {
    timePs[i] = Math.floor((i * START_PS) / length);
    qp[i] = i < qps ? i : random() % qps;
  }
  const sentBytes = new Uint32Array(length);
  return { length, timePs, qp, sentBytes, records: recordsOf(timePs, qp, sentBytes) };
}

function recordsOf(timePs: Float64Array, qp: Uint32Array, sentBytes: Uint32Array): Uint8Array {
  const bytes = new Uint8Array(timePs.length * EVENT_BYTES);
  const f64 = new Float64Array(bytes.buffer);
  const u32 = new Uint32Array(bytes.buffer);
  for (let i = 0; i < timePs.length; i++) {
    const sent = sentBytes[i] ?? 0;
    f64[i * 2] = timePs[i] ?? 0;
    u32[i * 4 + 2] = qp[i] ?? 0;
    u32[i * 4 + 3] = sent === 0 ? EVENT_CNP << EVENT_KIND_SHIFT : (EVENT_SENT << EVENT_KIND_SHIFT) | sent;
  }
  return bytes;
}
