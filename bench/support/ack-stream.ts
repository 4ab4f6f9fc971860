/**
 * Streams of acknowledgements with HPCC's telemetry, in the order of time, at a mean of 20 us between two of a QP.
 *
 * Each is a full update: its sequence number is beyond what had been sent at the one before. Hops send 30 to 110 % of
 * 100 Gb/s, the inner ones at a line rate of 400 Gb/s; a third of the queues are empty.
 */
import * as ack from '../../src/abi/ack-layout.js';
import { EVENT_ACK } from '../../src/abi/codes.js';
import { EVENT_BYTES, EVENT_KIND_SHIFT } from '../../src/abi/layout.js';
import { gbps, us } from '../../src/units.js';
import { MEAN_GAP_PS, START_PS } from './event-stream.js';
import { randomFrom, uniform } from './random.js';

export interface AckStream {
  readonly length: number;
  readonly timePs: Float64Array;
  readonly qp: Uint32Array;
  /** Event records; their values count the AckEvent records from 0 in each batch. */
  readonly records: Uint8Array;
  /** AckEvent records, `ackBytes` each. */
  readonly acks: Uint8Array;
  readonly ackBytes: number;
}

export interface AckStreamOptions {
  readonly qps: number;
  readonly hops: number;
  /** Events behind the first one of each QP. */
  readonly events: number;
  readonly ackBytes: number;
  readonly batch: number;
}

const HOP_GAP_PS = us(1);
const BYTES_PER_PS = gbps(100) / 8e12;
const QLEN_RANGE = 150_000;
/** Of the links at both ends of the path, and of those between them. */
const EDGE_BPS = gbps(100);
const CORE_BPS = gbps(400);

/** The first acknowledgement of each QP, which sets its starting point, and the stream behind them. */
export function ackStreams(options: AckStreamOptions): { readonly first: AckStream; readonly rest: AckStream } {
  const paths = new Paths(options);
  const pick = uniform(options.qps, randomFrom(42));
  const { qps, events } = options;
  const first = stream(options, paths, qps, (i) => ({ timePs: Math.floor((i * START_PS) / qps) + us(10), qp: i }));
  const from = START_PS + us(10);
  const rest = stream(options, paths, events,
    (i) => ({ timePs: from + Math.floor((i * MEAN_GAP_PS) / qps), qp: pick() }));
  return { first, rest };
}

/** Counters of the hops on each QP's path. */
class Paths {
  readonly #random = randomFrom(11);
  readonly #hops: number;
  readonly #lastPs: Float64Array;
  readonly #txBytes: Float64Array;
  readonly #acks: Uint32Array;

  constructor({ qps, hops }: AckStreamOptions) {
    this.#hops = hops;
    this.#lastPs = new Float64Array(qps);
    this.#txBytes = new Float64Array(qps * hops);
    this.#acks = new Uint32Array(qps);
  }

  /** Writes the next AckEvent of a QP. */
  write(view: DataView, at: number, qp: number, timePs: number): void {
    const elapsedPs = timePs - (this.#lastPs[qp] ?? 0);
    const count = (this.#acks[qp] = (this.#acks[qp] ?? 0) + 1);
    this.#lastPs[qp] = timePs;
    view.setUint32(at + ack.ACK_SEQ, 2 * count + 1, true);
    view.setUint32(at + ack.ACK_SND_NXT, 2 * count + 2, true);
    view.setUint32(at + ack.ACK_PINT_POWER, ack.ACK_NO_POWER, true);
    view.setUint8(at + ack.ACK_TELEMETRY, ack.TELEMETRY_EXACT);
    view.setUint8(at + ack.ACK_HOP_COUNT, this.#hops);
    for (let hop = 0; hop < this.#hops; hop++) {
      this.#writeHop(view, at + ack.ACK_HOPS + hop * ack.ACK_HOP_BYTES, qp, hop, timePs, elapsedPs);
    }
  }

  #writeHop(view: DataView, at: number, qp: number, hop: number, timePs: number, elapsedPs: number): void {
    const random = this.#random;
    const slot = qp * this.#hops + hop;
    const load = 0.3 + (0.8 * random()) / 2 ** 32;
    const txBytes = (this.#txBytes[slot] = (this.#txBytes[slot] ?? 0) + Math.floor(elapsedPs * BYTES_PER_PS * load));
    const isEdge = hop === 0 || hop === this.#hops - 1;
    view.setFloat64(at + ack.HOP_TIME, timePs - (this.#hops - hop) * HOP_GAP_PS, true);
    view.setFloat64(at + ack.HOP_TX_BYTES, txBytes, true);
    view.setFloat64(at + ack.HOP_QLEN_BYTES, random() % 3 === 0 ? 0 : random() % QLEN_RANGE, true);
    view.setFloat64(at + ack.HOP_LINE_RATE, isEdge ? EDGE_BPS : CORE_BPS, true);
    view.setUint32(at + ack.HOP_ID, hop + 1, true);
  }
}

function stream(options: AckStreamOptions, paths: Paths, length: number,
  next: (i: number) => { timePs: number; qp: number }): AckStream {
  const { ackBytes, batch } = options;
  const records = new Uint8Array(length * EVENT_BYTES);
  const acks = new Uint8Array(length * ackBytes);
  const f64 = new Float64Array(records.buffer);
  const u32 = new Uint32Array(records.buffer);
  const view = new DataView(acks.buffer);
  const timePs = new Float64Array(length);
  const qp = new Uint32Array(length);
  for (let i = 0; i < length; i++) {
    const event = next(i);
    f64[i * 2] = timePs[i] = event.timePs;
    u32[i * 4 + 2] = qp[i] = event.qp;
    u32[i * 4 + 3] = ((EVENT_ACK << EVENT_KIND_SHIFT) | (i % batch)) >>> 0;
    paths.write(view, i * ackBytes, event.qp, event.timePs);
  }
  return { length, timePs, qp, records, acks, ackBytes };
}
