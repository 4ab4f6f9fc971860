/**
 * Arguments of a custom algorithm's handlers: views on linear memory, the same objects at each call; and that memory, which may
 * grow.
 */
import { ACK_ACKED_BYTES, ACK_ACKED_PACKETS, ACK_ECN_ECHO, ACK_HOP_BYTES, ACK_HOP_COUNT, ACK_HOPS, ACK_HOST_DELAY,
  ACK_PARTIAL, ACK_PATH_HOPS, ACK_PATH_ID, ACK_PINT_POWER, ACK_SENT_TIME, ACK_SEQ, ACK_SND_NXT, ACK_TELEMETRY, HOP_ID,
  HOP_LINE_RATE, HOP_PORT, HOP_QLEN_BYTES, HOP_TIME, HOP_TX_BYTES, NACK_LAST_HOP, NACK_TRIMMED_BYTES,
  TELEMETRY_TRACE } from '../abi/ack-layout.js';
import type { ParameterValues } from '../config/algorithms/custom/declaration.js';

/** An array of numbers in a QP's state. */
export interface StateList {
  /** Number of elements. */
  readonly length: number;
  /** @throws RangeError for an index beyond the list. */
  get(index: number): number;
  /** @throws RangeError for an index beyond the list. */
  set(index: number, value: number): void;
}

/** A QP as its algorithm sees it. Read it within the handler only; do not keep it. */
export interface CustomQp<State = Record<string, number & StateList>, Parameters = ParameterValues> {
  /** Sending rate, bits per second: above 0, at most `lineRateBps`. */
  rateBps: number;
  /** Payload bytes that may be in flight; 0 = no window. */
  windowBytes: number;
  /** Earliest time of the next packet, picoseconds. Set it only under `pacing: 'own'`. */
  nextSendPs: number;
  /** When timer 0 expires, picoseconds; Infinity if it is not running. */
  timerPs: number;
  /** Whether packets are paced at `rateBps`; if not, they leave immediately. */
  isPaced: boolean;
  /** Rate of the sender's port, bits per second. */
  readonly lineRateBps: number;
  /** Time of the QP's previous event, picoseconds. */
  readonly lastEventPs: number;
  /** Length of the last packet sent, bytes. */
  readonly lastLenBytes: number;
  /** Parameters of this QP's parameter set by name. */
  readonly parameters: Parameters;
  /** The declared state by name. */
  readonly state: State;
  /** When a timer (0 to 3) expires; Infinity if it is not running. */
  getTimer(index: number): number;
  /** Sets a timer (0 to 3); Infinity stops it. */
  setTimer(index: number, timePs: number): void;
  /** Whether sequence number `a` is newer than `b`. */
  isNewer(a: number, b: number): boolean;
  /** Gives the reason for a rate change, shown in traces and by `explain`. */
  reason(text: string): void;
}

/** A packet was sent. */
export interface SentEvent {
  /** Time of the event, picoseconds. */
  readonly timePs: number;
  /** Bytes on the wire that count for pacing. */
  readonly lenBytes: number;
}

/** Hops reported by an acknowledgement or a Fast CNP. */
export interface HopsOfEvent {
  /** 0: none; 1: exact records; 2: 64-bit records of the ns-3 reference simulator; 3, 4: an IOAM trace with and without seconds. */
  readonly telemetryKind: number;
  /** Number of hops on the path; there may be fewer 64-bit records. */
  readonly hopCount: number;
  /** Whether the report lacks some hops of the path. */
  readonly isPartial: boolean;
  /** When the packet left the hop, picoseconds. */
  hopTimePs(index: number): number;
  /** Bytes sent by the hop's port; -1: not reported. */
  hopTxBytes(index: number): number;
  /** Bytes in the port's queue. */
  hopQueueBytes(index: number): number;
  /** Rate of the hop's port, bits per second. */
  hopLineRateBps(index: number): number;
  /** Identity of the hop. */
  hopId(index: number): number;
  /** Egress port, if the report is an IOAM trace; else 0. */
  hopPort(index: number): number;
  /** A field of a 64-bit record: 0 line rate, 1 time, 2 bytes, 3 queue length. */
  rawHop(index: number, field: number): number;
  /** Modulus of the byte counters of an IOAM trace; 0: they do not wrap. */
  readonly txSpanBytes: number;
}

/** An acknowledgement. */
export interface AckEvent extends HopsOfEvent {
  /** Arrival time, picoseconds. */
  readonly timePs: number;
  /** The acknowledged sequence number: a PSN modulo 2^24, or a byte number under fidelity `reference`. */
  readonly ackSeq: number;
  /** The next sequence number to be sent. */
  readonly sndNxt: number;
  /** When the acknowledged packet was sent, picoseconds; NaN: unknown. */
  readonly sentPs: number;
  /** `timePs` - `sentPs`; NaN: unknown. */
  readonly rttPs: number;
  /** Delay within the receiver, picoseconds. */
  readonly hostDelayPs: number;
  /** Number of newly acknowledged packets. */
  readonly ackedPackets: number;
  /** Newly acknowledged payload, bytes; NaN: unknown. */
  readonly ackedBytes: number;
  /** Whether the acknowledged packet was ECN-marked. */
  readonly ecnEcho: boolean;
  /** Identity of the path; 0: none. */
  readonly pathId: number;
  /** Number of switches and hosts on the path. */
  readonly pathHops: number;
  /** PINT's exponent p, which encodes the path utilisation as base^p / 512; 0xffffffff: none. */
  readonly pintPower: number;
}

/** A CNP or a Fast CNP. */
export interface CnpEvent extends HopsOfEvent {
  /** Arrival time, picoseconds. */
  readonly timePs: number;
  /** Whether it is a Fast CNP. */
  readonly isFast: boolean;
}

/** A packet was lost. */
export interface LossEvent {
  /** When the loss was detected, picoseconds. */
  readonly timePs: number;
  /** Whether a timeout detected the loss; if not, a NAK or a gap did. */
  readonly isTimeout: boolean;
}

/** A NACK: a switch trimmed the packet to its headers. */
export interface NackEvent {
  /** Arrival time, picoseconds. */
  readonly timePs: number;
  /** When the trimmed packet was sent, picoseconds; NaN: unknown. */
  readonly sentPs: number;
  /** `timePs` - `sentPs`; NaN: unknown. */
  readonly rttPs: number;
  /** Payload that was cut off, bytes. */
  readonly trimmedBytes: number;
  /** Whether the last switch on the path trimmed it. */
  readonly isLastHop: boolean;
}

/** A timer has expired. */
export interface TimerEvent {
  /** When it expired, picoseconds. */
  readonly timePs: number;
  /** Index of the timer, 0 to 3. */
  readonly index: number;
  /** Timers up to this time expire now: an algorithm may skip expiries before it that change nothing. */
  readonly untilPs: number;
}

/** Handlers of a custom algorithm. Returning false means that the handler did not use the event. */
export interface Handlers<State, Parameters> {
  /** A QP was opened: it is paced at the line rate, without a window or timers. */
  readonly open?: (qp: CustomQp<State, Parameters>) => unknown;
  /** A data packet was sent. The engine then sets the time of the next one, unless `pacing` is `own`. */
  readonly sent?: (qp: CustomQp<State, Parameters>, packet: SentEvent) => unknown;
  /** An acknowledgement has arrived. */
  readonly ack?: (qp: CustomQp<State, Parameters>, ack: AckEvent) => unknown;
  /** A CNP has arrived. */
  readonly cnp?: (qp: CustomQp<State, Parameters>, cnp: CnpEvent) => unknown;
  /** A Fast CNP has arrived. Default: `cnp`. */
  readonly fastCnp?: (qp: CustomQp<State, Parameters>, cnp: CnpEvent) => unknown;
  /** A packet was lost. */
  readonly loss?: (qp: CustomQp<State, Parameters>, loss: LossEvent) => unknown;
  /**
   * A NACK has arrived: a switch trimmed a packet. Default: `loss` without a timeout. Engines need an `ack` handler for
   * NACKs.
   */
  readonly nack?: (qp: CustomQp<State, Parameters>, nack: NackEvent) => unknown;
  /** A timer has expired and is now stopped. */
  readonly timer?: (qp: CustomQp<State, Parameters>, timer: TimerEvent) => unknown;
}

/** An acknowledgement. For a CNP or Fast CNP, only the hops are meaningful. */
export class AckView implements AckEvent, CnpEvent {
  timePs = 0;
  isFast = false;
  /** Byte address of the record; 0 = none. */
  at = 0;
  /** Hop count in the record. */
  hopCount = 0;
  readonly #memory: LinearMemory;
  #f64: Float64Array;
  #u32: Uint32Array;
  #u8: Uint8Array;
  readonly #txSpanBytes: number;

  constructor(memory: LinearMemory, txSpanBytes: number) {
    this.#memory = memory;
    this.#f64 = memory.f64;
    this.#u32 = memory.u32;
    this.#u8 = memory.u8;
    this.#txSpanBytes = txSpanBytes;
  }

  /** @param at byte address of the record; the views on memory must be up to date. */
  moveTo(at: number, timePs: number): void {
    const memory = this.#memory;
    if (this.#f64 !== memory.f64) {
      this.#f64 = memory.f64;
      this.#u32 = memory.u32;
      this.#u8 = memory.u8;
    }
    this.at = at;
    this.timePs = timePs;
    this.hopCount = at === 0 ? 0 : this.#u8[at + ACK_HOP_COUNT];
  }

  get ackSeq(): number {
    return this.#u32[(this.at + ACK_SEQ) >>> 2];
  }
  get sndNxt(): number {
    return this.#u32[(this.at + ACK_SND_NXT) >>> 2];
  }
  get sentPs(): number {
    return this.#f64[(this.at + ACK_SENT_TIME) >>> 3];
  }
  get rttPs(): number {
    return this.timePs - this.#f64[(this.at + ACK_SENT_TIME) >>> 3];
  }
  get hostDelayPs(): number {
    return this.#f64[(this.at + ACK_HOST_DELAY) >>> 3];
  }
  get ackedPackets(): number {
    return this.#f64[(this.at + ACK_ACKED_PACKETS) >>> 3];
  }
  get ackedBytes(): number {
    return this.#f64[(this.at + ACK_ACKED_BYTES) >>> 3];
  }
  get ecnEcho(): boolean {
    return this.#u8[this.at + ACK_ECN_ECHO] !== 0;
  }
  get pathId(): number {
    return this.#u32[(this.at + ACK_PATH_ID) >>> 2];
  }
  get pathHops(): number {
    return this.#u32[(this.at + ACK_PATH_HOPS) >>> 2];
  }
  get pintPower(): number {
    return this.#u32[(this.at + ACK_PINT_POWER) >>> 2];
  }
  get isPartial(): boolean {
    return this.at !== 0 && this.#u8[this.at + ACK_PARTIAL] !== 0;
  }
  get telemetryKind(): number {
    return this.at === 0 ? 0 : this.#u8[this.at + ACK_TELEMETRY];
  }
  get txSpanBytes(): number {
    return this.telemetryKind >= TELEMETRY_TRACE ? this.#txSpanBytes : 0;
  }

  hopTimePs(index: number): number {
    return this.#f64[(this.#hop(index) + HOP_TIME) >>> 3];
  }
  hopTxBytes(index: number): number {
    return this.#f64[(this.#hop(index) + HOP_TX_BYTES) >>> 3];
  }
  hopQueueBytes(index: number): number {
    return this.#f64[(this.#hop(index) + HOP_QLEN_BYTES) >>> 3];
  }
  hopLineRateBps(index: number): number {
    return this.#f64[(this.#hop(index) + HOP_LINE_RATE) >>> 3];
  }
  hopId(index: number): number {
    return this.#u32[(this.#hop(index) + HOP_ID) >>> 2];
  }
  hopPort(index: number): number {
    return this.#u32[(this.#hop(index) + HOP_PORT) >>> 2];
  }
  rawHop(index: number, field: number): number {
    return this.#u32[(this.#hop(index) >>> 2) + (field & 3)];
  }

  /** There may be fewer 64-bit records than hops; beyond them the memory is undefined. */
  #hop(index: number): number {
    if (index >>> 0 !== index || index >= this.hopCount) throw new RangeError(`hop ${index} of ${this.hopCount}`);
    return this.at + ACK_HOPS + index * ACK_HOP_BYTES;
  }
}

/** A NACK, which has a record of the same layout. */
export class NackView implements NackEvent {
  timePs = 0;
  /** Byte address of the record. */
  at = 0;
  readonly #memory: LinearMemory;

  constructor(memory: LinearMemory) {
    this.#memory = memory;
  }

  get sentPs(): number {
    return this.#memory.f64[(this.at + ACK_SENT_TIME) >>> 3];
  }
  get rttPs(): number {
    return this.timePs - this.sentPs;
  }
  get trimmedBytes(): number {
    return this.#memory.f64[(this.at + NACK_TRIMMED_BYTES) >>> 3];
  }
  get isLastHop(): boolean {
    return this.#memory.u8[this.at + NACK_LAST_HOP] !== 0;
  }
}

/** The numbers of a call as packet, loss or timer event. */
export class CallView implements SentEvent, LossEvent, TimerEvent {
  timePs = 0;
  argument = 0;
  untilPs = 0;

  get lenBytes(): number {
    return this.argument;
  }
  get isTimeout(): boolean {
    return this.argument !== 0;
  }
  get index(): number {
    return this.argument;
  }
}

/** Typed views on linear memory that may grow: a simulator's memory grows with the packets in flight. */
export class LinearMemory {
  f64: Float64Array = new Float64Array(0);
  u32: Uint32Array = new Uint32Array(0);
  u8: Uint8Array = new Uint8Array(0);
  readonly #memory: { readonly buffer: ArrayBuffer };

  constructor(memory: { readonly buffer: ArrayBuffer }) {
    this.#memory = memory;
    this.refresh();
  }

  /** Call it before the views are used: they are detached when the memory grows. */
  refresh(): void {
    if (this.f64.length !== 0) return;
    const { buffer } = this.#memory;
    this.f64 = new Float64Array(buffer);
    this.u32 = new Uint32Array(buffer);
    this.u8 = new Uint8Array(buffer);
  }
}
