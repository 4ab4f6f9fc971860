/** Copies frames into slots, parses them, and stores what the switch needs while they wait. */
import type { Forwarding } from './forwarding.js';
import { FrameFacts, KIND_DATA } from './frame-facts.js';
import { NONE, type FramePool } from './frame-pool.js';

const FCS_BYTES = 4;
const LEAST_FRAME_BYTES = 64;
/** Up to this length, copying in a loop is faster than creating a view. */
const LOOP_BYTES = 96;

const FLOWS_MAX = 65_536;
const QPNS = 2 ** 24;

/** Counted length of a frame with this many bytes without FCS. */
export function countedBytesOf(lenBytes: number): number {
  return Math.max(LEAST_FRAME_BYTES, lenBytes + FCS_BYTES);
}

export class FrameIntake {
  /** Facts of the last stored frame. */
  readonly facts = new FrameFacts();
  readonly #pool: FramePool;
  readonly #forwarding: Forwarding;
  /** Flow numbers; undefined if flows and senders are not needed. */
  readonly #flows: FlowNumbers | undefined;

  /** @param hosts number of known hosts; undefined if no Fast CNPs are sent. */
  constructor(pool: FramePool, forwarding: Forwarding, hosts: number | undefined) {
    this.#pool = pool;
    this.#forwarding = forwarding;
    this.#flows = hosts === undefined ? undefined : new FlowNumbers(hosts);
  }

  /** @param arrival port, or NONE if the switch made the frame. @returns its slot; one must be free. */
  take(bytes: Uint8Array, offset: number, lenBytes: number, arrival: number): number {
    const pool = this.#pool;
    const slot = pool.take();
    const at = pool.offsetOf(slot);
    const target = pool.bytes;
    // The view is garbage, but cheaper than a loop over a long frame.
    if (lenBytes > LOOP_BYTES) target.set(bytes.subarray(offset, offset + lenBytes), at);
    else for (let index = 0; index < lenBytes; index += 1) target[at + index] = bytes[offset + index];
    this.facts.read(target, at, lenBytes);
    this.#describe(slot, at, lenBytes, arrival);
    return slot;
  }

  #describe(slot: number, at: number, lenBytes: number, arrival: number): void {
    const pool = this.#pool;
    const { facts } = this;
    pool.lenBytes[slot] = lenBytes;
    pool.countedBytes[slot] = countedBytesOf(lenBytes);
    pool.arrival[slot] = arrival;
    pool.trafficClass[slot] = facts.trafficClass;
    pool.kind[slot] = facts.kind;
    pool.ecn[slot] = facts.ecn;
    pool.ipOffset[slot] = facts.ipVersion === 0 ? 0 : facts.ipOffset - at;
    pool.traceOffset[slot] = facts.traceBytes === 0 ? 0 : facts.traceOffset - at;
    pool.traceBytes[slot] = facts.traceBytes;
    pool.takesFastCnps[slot] = 0;
    pool.flow[slot] = 0;
    if (this.#flows === undefined || facts.kind !== KIND_DATA) return;
    const source = this.#forwarding.sourceOf(facts, pool.bytes);
    const destination = this.#forwarding.destinationOf(facts, pool.bytes);
    pool.flow[slot] = this.#flows.of(source, destination, facts.destQpn);
    const takes = source !== NONE && facts.ipVersion === 6 && this.#forwarding.hostAt(source).takesFastCnps;
    pool.takesFastCnps[slot] = takes ? 1 : 0;
  }
}

/**
 * Numbers flows by hosts and destination QP. The table is limited: all further flows share one number, so that
 * malicious frames cannot make it grow.
 */
class FlowNumbers {
  readonly #numbers = new Map<number, number>();
  readonly #hosts: number;

  constructor(hosts: number) {
    this.#hosts = hosts + 1;
  }

  /** @param source index of a host, or -1 if it is unknown; likewise `destination`. */
  of(source: number, destination: number, destQpn: number): number {
    const key = ((source + 1) * this.#hosts + destination + 1) * QPNS + destQpn;
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const number = this.#numbers.size;
    if (number >= FLOWS_MAX) return FLOWS_MAX;
    this.#numbers.set(key, number);
    return number;
  }
}
