/** Adds the switch's records to the IOAM traces of data that passes: telemetry for HPCC. */
import { recordHop, type TracedHop } from '../../switching/hop-trace.js';
import type { EgressQueues } from './packet-memory.js';
import { KIND_DATA } from './frame-facts.js';
import type { FramePool } from './frame-pool.js';
import type { SwitchSettings } from './settings.js';

export class HopRecorder {
  readonly #settings: SwitchSettings;
  readonly #pool: FramePool;
  readonly #queues: EgressQueues;
  /** Bytes sent by port, as counted on the link, without the overhead per frame. */
  readonly #sentBytes: Float64Array;

  constructor(settings: SwitchSettings, pool: FramePool, queues: EgressQueues) {
    this.#settings = settings;
    this.#pool = pool;
    this.#queues = queues;
    this.#sentBytes = new Float64Array(settings.ports.length);
  }

  /** Counts a frame that starts to leave a port; call it after `record`. */
  noteSent(port: number, slot: number): void {
    this.#sentBytes[port] += this.#pool.countedBytes[slot];
  }

  /** Adds this switch's record to data that has left its queue, if there is space in its trace. */
  record(port: number, slot: number, timePs: number): void {
    const pool = this.#pool;
    const traceBytes = pool.traceBytes[slot];
    if (traceBytes === 0 || !this.#settings.recordsHops || pool.kind[slot] !== KIND_DATA) return;
    const at = pool.offsetOf(slot) + pool.traceOffset[slot];
    recordHop(pool.bytes, at, traceBytes, this.hopOf(port, slot, timePs));
  }

  /** The record for a frame that leaves through a port. */
  hopOf(port: number, slot: number, timePs: number): TracedHop {
    const { node, ports } = this.#settings;
    return {
      node,
      ingress: this.#pool.arrival[slot] + 1,
      egress: port + 1,
      timePs,
      rateBps: ports[port].rateBps,
      queueBytes: this.#queues.bytesOf(port),
      txBytes: this.#sentBytes[port],
    };
  }
}
