/** How an emulated switch reports congestion: CE marks, Fast CNPs to senders, and IOAM records for HPCC. */
import { RoceError } from '../../errors.js';
import type { CongestionPointRandom } from '../../reference/cp/random.js';
import { CongestionJudge, type Verdict } from '../../switching/congestion-judge.js';
import { freeHops, recordHop, type TracedHop } from '../../switching/hop-trace.js';
import { CLASS_COUNT } from '../../switching/shared-buffer.js';
import type { IoamTrace } from '../../wire/roce/fast-cnp-option.js';
import { fastCnpFieldsFor, FastCnp } from '../../wire/roce/fast-cnp.js';
import type { IcrcPolicy } from '../../wire/roce/icrc.js';
import type { EthernetLink } from '../../wire/roce/roce-frame.js';
import { IoamOption } from '../../wire/telemetry/ioam-option.js';
import { KIND_DATA } from './frame-facts.js';
import type { FramePool } from './frame-pool.js';
import type { EgressQueues } from './packet-memory.js';
import type { SwitchSettings } from './settings.js';

const ECT_MASK = 3;

/** Decides the reaction to a frame that met congestion: nothing, a mark, or a Fast CNP to its sender. */
export class Congestion {
  readonly #settings: SwitchSettings;
  readonly #pool: FramePool;
  readonly #queues: EgressQueues;
  readonly #judge: CongestionJudge;
  readonly #random: CongestionPointRandom;

  /** @param random the network's generator, used for all decisions except for data at switches that send Fast CNPs. */
  constructor(settings: SwitchSettings, pool: FramePool, queues: EgressQueues, random: CongestionPointRandom) {
    const { fastCnp, seed, node } = settings;
    this.#settings = settings;
    this.#pool = pool;
    this.#queues = queues;
    this.#random = random;
    this.#judge = new CongestionJudge(fastCnp, seed, node);
  }

  /** Decides by the length of the queue of the frame's class at a port. */
  verdict(port: number, slot: number, timePs: number): Verdict {
    const settings = this.#settings;
    const pool = this.#pool;
    const thresholds = settings.ports[port];
    if (!thresholds.ecn) return 'nothing';
    const isAnswered = settings.sendsFastCnps && pool.kind[slot] === KIND_DATA;
    if (!isAnswered && !this.isMarkable(slot)) return 'nothing';
    const queueBytes = this.#queues.bytes[port * CLASS_COUNT + pool.trafficClass[slot]];
    if (!isAnswered) return this.#judge.judgePlain(this.#random, thresholds, queueBytes);
    const asked = { port, flow: pool.flow[slot], takesFastCnps: pool.takesFastCnps[slot] === 1 };
    return this.#judge.judgeData(timePs, thresholds, queueBytes, asked);
  }

  isMarkable(slot: number): boolean {
    const isEct = (this.#pool.ecn[slot] & ECT_MASK) !== 0;
    return isEct && (this.#settings.markable === 'all' || this.#pool.kind[slot] === KIND_DATA);
  }

  /** Makes the Fast CNP for a frame; undefined if none is possible. */
  responseTo(port: number, slot: number, timePs: number, hops: HopRecorder): Uint8Array | undefined {
    const settings = this.#settings;
    const pool = this.#pool;
    const at = pool.offsetOf(slot);
    const arrival = pool.arrival[slot];
    return fastCnpFrame(pool.bytes.subarray(at, at + pool.lenBytes[slot]), {
      ...hops.hopOf(port, slot, timePs),
      switchAddress: settings.address,
      mac: settings.ports[arrival].mac,
      option: settings.fastCnp.option,
      icrcPolicy: settings.icrcPolicy,
    });
  }
}

/** Adds the switch's records to the IOAM traces of data that passes. */
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

/** The switch's data about the point of congestion. */
interface CongestedPlace extends TracedHop {
  readonly switchAddress: Uint8Array;
  /** MAC address of the ingress port, which faces the sender of the data. */
  readonly mac: Uint8Array;
  readonly option: 1 | 2;
  readonly icrcPolicy: IcrcPolicy;
}

/**
 * Makes the Fast CNP for a data frame. With option 2 it carries the frame's trace, if any, plus this switch's record.
 * Fast CNPs are rare, so this may allocate.
 *
 * @returns undefined if no Fast CNP is possible (`fastCnpFieldsFor`).
 */
function fastCnpFrame(dataFrame: Uint8Array, place: CongestedPlace): Uint8Array | undefined {
  const { switchAddress, icrcPolicy } = place;
  const link: EthernetLink = { destination: dataFrame.slice(6, 12), source: place.mac };
  try {
    const { trace, ...fields } = fastCnpFieldsFor(dataFrame, { switchAddress, link, icrcPolicy });
    return FastCnp.write(place.option === 1 ? fields : { ...fields, trace: withRecord(trace, place) });
  } catch (error) {
    if (error instanceof RoceError) return undefined;
    throw error;
  }
}

function withRecord(carried: IoamTrace | undefined, place: CongestedPlace): IoamTrace {
  const trace = carried ?? { ioamType: IoamOption.TYPE_PREALLOCATED_TRACE, data: freeHops(1) };
  if (trace.ioamType === IoamOption.TYPE_PREALLOCATED_TRACE) recordHop(trace.data, 0, trace.data.length, place);
  return trace;
}

/**
 * Sets Congestion Experienced in an IP header in place (RFC 3168, section 5); the ICRC does not cover it. IPv4's checksum
 * is updated incrementally (RFC 1624, equation 3).
 *
 * @param at offset of the IP header.
 */
export function markCe(bytes: Uint8Array, at: number): void {
  if (bytes[at] >> 4 === 6) {
    bytes[at + 1] |= 0x30;
    return;
  }
  const before = (bytes[at] << 8) | bytes[at + 1];
  bytes[at + 1] |= 3;
  const after = (bytes[at] << 8) | bytes[at + 1];
  const checksum = (bytes[at + 10] << 8) | bytes[at + 11];
  let sum = (~checksum & 0xffff) + (~before & 0xffff) + after;
  sum = (sum & 0xffff) + (sum >> 16);
  sum = (sum & 0xffff) + (sum >> 16);
  bytes[at + 10] = (~sum >> 8) & 0xff;
  bytes[at + 11] = ~sum & 0xff;
}
