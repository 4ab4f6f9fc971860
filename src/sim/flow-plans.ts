/**
 * The flows of a plan, in columns: 72 bytes per flow, where objects would take four times as much and burden the garbage
 * collector.
 */
import { WINDOW_MODE_FIXED, WINDOW_MODE_NONE, WINDOW_MODE_VARIABLE } from '../abi/records/network.js';
import { checkField, reject, wholeIn } from '../config/field-rules.js';

/** One flow in the form that the kernel reads, with the parameters of its QP. */
export interface FlowPlan {
  /** Index of the sending host. */
  readonly source: number;
  /** Index of the receiving host. */
  readonly destination: number;
  /** Index of the sending host's port that data leaves by. */
  readonly sourcePort: number;
  /** Index of the receiver's port that ACKs leave by. */
  readonly responsePort: number;
  /** Payload, bytes: above 0, up to 2^53 - 1. */
  readonly sizeBytes: number;
  /** Earliest time of its first packet, picoseconds; with `after`, relative to the arrival of that flow. */
  readonly startPs: number;
  /** Index of a flow whose last byte must have arrived at this flow's source first, or -1. */
  readonly after: number;
  /** Traffic class of data. */
  readonly dataClass: number;
  /** Traffic class of ACKs. */
  readonly ackClass: number;
  /** UDP source port, which ECMP hashes. */
  readonly udpSourcePort: number;
  /** UDP destination port, which ECMP hashes. */
  readonly udpDestinationPort: number;
  /** Index of the parameter set. */
  readonly parameterSet: number;
  /** Base window; 0 = none. */
  readonly windowBytes: number;
  /** Whether a window limits the bytes in flight, and whether it follows the rate. */
  readonly windowMode: 'none' | 'fixed' | 'variable';
  /** Bytes before and after the payload of a data packet. */
  readonly headerBytes: number;
  /** Length of an ACK, bytes. */
  readonly ackBytes: number;
  /** Minimum time from start to the last ACK in an idle network, picoseconds. */
  readonly idealPs: number;
  /** Retransmission timeout, if longer than the sender's, picoseconds. Omitted: the sender's applies. */
  readonly pathTimeoutPs?: number | undefined;
}

const WINDOW_MODES = { none: WINDOW_MODE_NONE, fixed: WINDOW_MODE_FIXED, variable: WINDOW_MODE_VARIABLE };
/** Maximum number of flows. */
const FLOWS_MAX = 2 ** 30;
const MODE_NAMES = Object.keys(WINDOW_MODES) as FlowPlan['windowMode'][];

/** Flows by index. All columns have one entry per flow; units and ranges are those of FlowPlan. */
export class FlowPlans implements Iterable<FlowPlan> {
  /** Number of flows. */
  readonly length: number;
  /** Index of the sending host. */
  readonly source: Uint32Array;
  /** Index of the receiving host. */
  readonly destination: Uint32Array;
  /** Index of the port that data leaves by. */
  readonly sourcePort: Uint32Array;
  /** Index of the receiver's port that ACKs leave by. */
  readonly responsePort: Uint32Array;
  /** Payload, bytes. */
  readonly sizeBytes: Float64Array;
  /** Earliest time of its first packet, picoseconds. */
  readonly startPs: Float64Array;
  /** Index of the flow that it waits for, or -1. */
  readonly after: Int32Array;
  /** Traffic class of data. */
  readonly dataClass: Uint8Array;
  /** Traffic class of ACKs. */
  readonly ackClass: Uint8Array;
  /** UDP source port. */
  readonly udpSourcePort: Uint16Array;
  /** UDP destination port. */
  readonly udpDestinationPort: Uint16Array;
  /** Index of the parameter set. */
  readonly parameterSet: Uint8Array;
  /** Base window, bytes; 0 = none. */
  readonly windowBytes: Float64Array;
  /** WINDOW_MODE_* of the kernel: 0 none, 1 fixed, 2 variable. */
  readonly windowMode: Uint8Array;
  /** Bytes of a data packet in addition to its payload. */
  readonly headerBytes: Uint16Array;
  /** Length of an ACK, bytes. */
  readonly ackBytes: Uint16Array;
  /** Completion time in an idle network, picoseconds. */
  readonly idealPs: Float64Array;
  /** Retransmission timeout, if longer than the sender's, picoseconds; NaN: omitted. */
  readonly pathTimeoutPs: Float64Array;

  /** Allocates columns for this many flows, which `set` fills. */
  constructor(length: number) {
    checkField(length, wholeIn(0, FLOWS_MAX), 'length');
    this.length = length;
    [this.source, this.destination, this.sourcePort, this.responsePort] = columns(Uint32Array, length, 4);
    [this.sizeBytes, this.startPs, this.windowBytes, this.idealPs, this.pathTimeoutPs] = columns(Float64Array, length,
      5);
    [this.udpSourcePort, this.udpDestinationPort, this.headerBytes, this.ackBytes] = columns(Uint16Array, length, 4);
    [this.dataClass, this.ackClass, this.parameterSet, this.windowMode] = columns(Uint8Array, length, 4);
    this.after = new Int32Array(length);
  }

  /** Converts flows to columns. */
  static of(flows: readonly FlowPlan[]): FlowPlans {
    const plans = new FlowPlans(flows.length);
    flows.forEach((flow, index) => {
      plans.set(index, flow);
    });
    return plans;
  }

  /** Writes one flow. @param index 0 to length - 1. */
  set(index: number, flow: FlowPlan): void {
    this.source[index] = flow.source;
    this.destination[index] = flow.destination;
    this.sourcePort[index] = flow.sourcePort;
    this.responsePort[index] = flow.responsePort;
    this.sizeBytes[index] = flow.sizeBytes;
    this.startPs[index] = flow.startPs;
    this.after[index] = flow.after;
    this.dataClass[index] = flow.dataClass;
    this.ackClass[index] = flow.ackClass;
    this.udpSourcePort[index] = flow.udpSourcePort;
    this.udpDestinationPort[index] = flow.udpDestinationPort;
    this.parameterSet[index] = flow.parameterSet;
    this.windowBytes[index] = flow.windowBytes;
    this.windowMode[index] = WINDOW_MODES[flow.windowMode];
    this.headerBytes[index] = flow.headerBytes;
    this.ackBytes[index] = flow.ackBytes;
    this.idealPs[index] = flow.idealPs;
    this.pathTimeoutPs[index] = flow.pathTimeoutPs ?? NaN;
  }

  /** A copy of one flow. @param index 0 to length - 1. */
  get(index: number): FlowPlan {
    // The plain model calls this for each packet, so the slow check runs only on failure.
    if (!(Number.isInteger(index) && index >= 0 && index < this.length))
      checkField(index, wholeIn(0, this.length - 1), 'index');
    const pathTimeoutPs = this.pathTimeoutPs[index];
    return {
      source: this.source[index],
      destination: this.destination[index],
      sourcePort: this.sourcePort[index],
      responsePort: this.responsePort[index],
      sizeBytes: this.sizeBytes[index],
      startPs: this.startPs[index],
      after: this.after[index],
      dataClass: this.dataClass[index],
      ackClass: this.ackClass[index],
      udpSourcePort: this.udpSourcePort[index],
      udpDestinationPort: this.udpDestinationPort[index],
      parameterSet: this.parameterSet[index],
      windowBytes: this.windowBytes[index],
      windowMode: MODE_NAMES[this.windowMode[index]],
      headerBytes: this.headerBytes[index],
      ackBytes: this.ackBytes[index],
      idealPs: this.idealPs[index],
      pathTimeoutPs: Number.isNaN(pathTimeoutPs) ? undefined : pathTimeoutPs,
    };
  }

  /** Index of the first flow that satisfies a condition on its index; -1: none does. */
  findIndex(holds: (index: number) => boolean): number {
    requireFunction('holds', holds);
    let index = 0;
    while (index < this.length && !holds(index)) index++;
    return index < this.length ? index : -1;
  }

  /** Maps a function over copies of all flows. */
  map<Made>(make: (flow: FlowPlan, index: number) => Made): Made[] {
    requireFunction('make', make);
    return Array.from({ length: this.length }, (_, index) => make(this.get(index), index));
  }

  /** Copies of all flows, in order. */
  *[Symbol.iterator](): Generator<FlowPlan> {
    for (let index = 0; index < this.length; index++) yield this.get(index);
  }
}

function columns<Column>(Type: new(length: number) => Column, length: number, count: number): Column[] {
  return Array.from({ length: count }, () => new Type(length));
}

function requireFunction(where: string, got: unknown): void {
  if (typeof got !== 'function') reject({ got, allowed: 'a function', where });
}

/** Counts the flows of each pair of hosts in a hash table of numbers: for millions of pairs, a Map needs ten times the memory. */

const FACTOR = 0x9e3779b1;
/** IANA's dynamic ports begin later; the reference's numbers begin here (docs/specs/reference.md, section 9). */
const FIRST_SOURCE_PORT = 10_000;
const SOURCE_PORTS = 65_536 - FIRST_SOURCE_PORT;

export class PairCounter {
  readonly #nodes: number;
  readonly #mask: number;
  /** Pair + 1 by slot; 0: free. */
  readonly #pairs: Uint32Array;
  readonly #counts: Uint32Array;

  /** @param nodes number of nodes in the network, at most 65,535. @param flows number of flows to count. */
  constructor(nodes: number, flows: number) {
    const slots = 2 ** Math.ceil(Math.log2(2 * flows + 1));
    this.#nodes = nodes;
    this.#mask = slots - 1;
    this.#pairs = new Uint32Array(slots);
    this.#counts = new Uint32Array(slots);
  }

  /** Counts one more flow; returns its UDP source port, for flows that don't state one. */
  nextSourcePort(source: number, destination: number): number {
    return FIRST_SOURCE_PORT + (this.add(source, destination) % SOURCE_PORTS);
  }

  /** Counts one more flow; returns the number of earlier flows of the pair. */
  add(source: number, destination: number): number {
    const pair = (source * this.#nodes + destination + 1) >>> 0;
    let slot = (Math.imul(pair, FACTOR) >>> 7) & this.#mask;
    while (this.#pairs[slot] !== pair && this.#pairs[slot] !== 0) slot = (slot + 1) & this.#mask;
    this.#pairs[slot] = pair;
    return this.#counts[slot]++;
  }
}
