/** Collects samples of all ports until they are sent to the page. */
import type { PortSample, RateSample, SimKernel } from '../../src/sim/index.js';
import { COUNTERS, type SampleChunk } from '../protocol/run-protocol.js';

/** Initial rows of a buffer, which grows by doubling. */
const FIRST_ROWS = 16;
const BUSY_MAX = 255;

export class SampleBuffer {
  readonly #ports: number;
  readonly #flows: number;
  readonly #sample: PortSample;
  /** Time that each port had been sending at the previous sample. */
  readonly #busyPs: Float64Array;
  #lastPs: number;
  #count = 0;
  #rows = 0;
  #chunk: SampleChunk;

  /** @param flows number of flows whose rates and delivered bytes are sampled. */
  constructor(ports: number, flows: number, startPs: number) {
    this.#ports = ports;
    this.#flows = flows;
    this.#sample = { queueBytes: new Float64Array(ports), busyPs: new Float64Array(ports) };
    this.#busyPs = new Float64Array(ports);
    this.#lastPs = startPs;
    this.#chunk = this.#newChunk(FIRST_ROWS);
  }

  get count(): number {
    return this.#count;
  }

  add(kernel: SimKernel, timePs: number, { rateBps, fairness }: RateSample): void {
    if (this.#count === this.#rows) this.#grow();
    const row = this.#count++;
    const chunk = this.#chunk;
    chunk.timesPs[row] = timePs;
    this.#addPorts(kernel, timePs, row * this.#ports);
    const first = row * this.#flows;
    for (let flow = 0; flow < this.#flows; flow++) {
      chunk.rateBps[first + flow] = rateBps[flow] ?? 0;
      chunk.deliveredBytes[first + flow] = kernel.deliveredBytes(flow);
    }
    chunk.fairness[row] = fairness;
    this.#addCounters(kernel, row * COUNTERS.length);
    this.#lastPs = timePs;
  }

  /** Samples added since the last call. */
  take(): SampleChunk {
    const [count, ports, flows] = [this.#count, this.#ports, this.#flows];
    const { timesPs, queueBytes, busy, rateBps, deliveredBytes, fairness, counters } = this.#chunk;
    this.#chunk = this.#newChunk(FIRST_ROWS);
    this.#count = 0;
    return {
      count,
      timesPs: timesPs.slice(0, count),
      queueBytes: queueBytes.slice(0, count * ports),
      busy: busy.slice(0, count * ports),
      rateBps: rateBps.slice(0, count * flows),
      deliveredBytes: deliveredBytes.slice(0, count * flows),
      fairness: fairness.slice(0, count),
      counters: counters.slice(0, count * COUNTERS.length),
    };
  }

  #addPorts(kernel: SimKernel, timePs: number, first: number): void {
    const sincePs = Math.max(1, timePs - this.#lastPs);
    const { queueBytes, busyPs } = this.#sample;
    kernel.readPorts(timePs, this.#sample);
    this.#chunk.queueBytes.set(queueBytes, first);
    for (let port = 0; port < this.#ports; port++) {
      const share = ((busyPs[port] ?? 0) - (this.#busyPs[port] ?? 0)) / sincePs;
      this.#chunk.busy[first + port] = Math.round(BUSY_MAX * Math.min(1, Math.max(0, share)));
    }
    this.#busyPs.set(busyPs);
  }

  #addCounters(kernel: SimKernel, first: number): void {
    const totals = kernel.sampledTotals();
    COUNTERS.forEach((name, index) => {
      this.#chunk.counters[first + index] = totals[name];
    });
  }

  #newChunk(rows: number): SampleChunk {
    this.#rows = rows;
    return {
      count: 0,
      timesPs: new Float64Array(rows),
      queueBytes: new Float32Array(rows * this.#ports),
      busy: new Uint8Array(rows * this.#ports),
      rateBps: new Float32Array(rows * this.#flows),
      deliveredBytes: new Float64Array(rows * this.#flows),
      fairness: new Float32Array(rows),
      counters: new Float64Array(rows * COUNTERS.length),
    };
  }

  #grow(): void {
    const before = this.#chunk;
    const next = this.#newChunk(2 * this.#rows);
    next.timesPs.set(before.timesPs);
    next.queueBytes.set(before.queueBytes);
    next.busy.set(before.busy);
    next.rateBps.set(before.rateBps);
    next.deliveredBytes.set(before.deliveredBytes);
    next.fairness.set(before.fairness);
    next.counters.set(before.counters);
    this.#chunk = next;
  }
}

/** Buffers of a chunk, to be transferred to the page. */
export function buffersOf(
  { timesPs, queueBytes, busy, rateBps, deliveredBytes, fairness, counters }: SampleChunk,
): Transferable[] {
  return [timesPs, queueBytes, busy, rateBps, deliveredBytes, fairness, counters].map(({ buffer }) => buffer)
    .filter((buffer) => buffer instanceof ArrayBuffer);
}
