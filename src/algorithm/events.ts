/** What handlers of a custom algorithm are given: views on linear memory, the same objects at each call. */
import type { ParameterValues } from '../config/algorithms/custom/declaration.js';

/** A list of numbers in a QP's state. */
export interface StateList {
  /** Numbers of the list. */
  readonly length: number;
  /** @throws RangeError for an index beyond the list. */
  get(index: number): number;
  /** @throws RangeError for an index beyond the list. */
  set(index: number, value: number): void;
}

/** A QP as its algorithm sees it. Read it in a handler, and do not keep it. */
export interface CustomQp<State = Record<string, number & StateList>, Parameters = ParameterValues> {
  /** Sending rate, bits per second: above 0, at most `lineRateBps`. */
  rateBps: number;
  /** Payload bytes that may be in flight; 0 = no window. */
  windowBytes: number;
  /** Earliest time of the next packet, picoseconds. Set it only under `pacing: 'own'`. */
  nextSendPs: number;
  /** When timer 0 is due, picoseconds; Infinity: it is not running. */
  timerPs: number;
  /** Whether packets leave at `rateBps`; false: at once. */
  isPaced: boolean;
  /** Rate of the sender's port, bits per second. */
  readonly lineRateBps: number;
  /** Time of the last event of the QP before this one, picoseconds. */
  readonly lastEventPs: number;
  /** Length of the last packet sent, bytes. */
  readonly lastLenBytes: number;
  /** Parameters of this QP's parameter set by name. */
  readonly parameters: Parameters;
  /** The declared state by name. */
  readonly state: State;
  /** When a timer, 0 to 3, is due; Infinity: it is not running. */
  getTimer(index: number): number;
  /** Sets a timer, 0 to 3; Infinity stops it. */
  setTimer(index: number, timePs: number): void;
  /** Whether sequence number `a` is newer than `b`. */
  isNewer(a: number, b: number): boolean;
  /** Why the rate changes, for traces and `explain`. */
  reason(text: string): void;
}

/** A packet that has left. */
export interface SentEvent {
  /** Picoseconds. */
  readonly timePs: number;
  /** Bytes on the wire that count for pacing. */
  readonly lenBytes: number;
}

/** Hops that an acknowledgement or a Fast CNP reports. */
export interface HopsOfEvent {
  /** 0: none; 1: exact records; 2: 64-bit records of the ns-3 reference simulator; 3, 4: an IOAM trace with and without seconds. */
  readonly telemetryKind: number;
  /** Hops passed; records of 64 bits may be fewer. */
  readonly hopCount: number;
  /** Whether hops of the path are missing. */
  readonly isPartial: boolean;
  /** When the packet left the hop, picoseconds. */
  hopTimePs(index: number): number;
  /** Bytes that the hop's port has sent; -1: not reported. */
  hopTxBytes(index: number): number;
  /** Bytes in the queue. */
  hopQueueBytes(index: number): number;
  /** Rate of the hop's port, bits per second. */
  hopLineRateBps(index: number): number;
  /** Identity of the hop. */
  hopId(index: number): number;
  /** Egress port of a hop of an IOAM trace; else 0. */
  hopPort(index: number): number;
  /** A field of a record of 64 bits: 0 line rate, 1 time, 2 bytes, 3 queue length. */
  rawHop(index: number, field: number): number;
  /** Byte counters of an IOAM trace wrap at this; 0: they do not. */
  readonly txSpanBytes: number;
}

/** An acknowledgement. */
export interface AckEvent extends HopsOfEvent {
  /** Picoseconds. */
  readonly timePs: number;
  /** What it acknowledges: PSN modulo 2^24, or a byte under fidelity `reference`. */
  readonly ackSeq: number;
  /** The next number to be sent. */
  readonly sndNxt: number;
  /** When the acknowledged packet left, picoseconds; NaN: not known. */
  readonly sentPs: number;
  /** `timePs` - `sentPs`; NaN: not known. */
  readonly rttPs: number;
  /** Delay within the receiver, picoseconds. */
  readonly hostDelayPs: number;
  /** Packets that it newly acknowledges. */
  readonly ackedPackets: number;
  /** Payload that it newly acknowledges, bytes; NaN: not known. */
  readonly ackedBytes: number;
  /** Whether the acknowledged packet was marked. */
  readonly ecnEcho: boolean;
  /** Identity of the path; 0: none given. */
  readonly pathId: number;
  /** Switches and hosts on the path. */
  readonly pathHops: number;
  /** Power of PINT; 0xffffffff: none. */
  readonly pintPower: number;
}

/** A CNP or a Fast CNP. */
export interface CnpEvent extends HopsOfEvent {
  /** Picoseconds. */
  readonly timePs: number;
  /** Whether it is a Fast CNP. */
  readonly isFast: boolean;
}

/** A packet was lost. */
export interface LossEvent {
  /** Picoseconds. */
  readonly timePs: number;
  /** Found by a timeout; else by a NAK or a gap. */
  readonly isTimeout: boolean;
}

/** A NACK: the receiver got a packet of which a switch left the headers only. */
export interface NackEvent {
  /** Picoseconds. */
  readonly timePs: number;
  /** When the trimmed packet left, picoseconds; NaN: not known. */
  readonly sentPs: number;
  /** `timePs` - `sentPs`; NaN: not known. */
  readonly rttPs: number;
  /** Payload that was cut off, bytes. */
  readonly trimmedBytes: number;
  /** Whether the last switch on the path has trimmed it. */
  readonly isLastHop: boolean;
}

/** A timer has expired. */
export interface TimerEvent {
  /** When it was due, picoseconds. */
  readonly timePs: number;
  /** 0 to 3. */
  readonly index: number;
  /** Up to when timers expire now, picoseconds: an algorithm whose next expiries change nothing may skip them. */
  readonly untilPs: number;
}

/** Handlers of a custom algorithm. One that returns false has not used its event. */
export interface Handlers<State, Parameters> {
  /** A QP was opened: its rate is the line rate, it is paced, and has no window and no timer. */
  readonly open?: (qp: CustomQp<State, Parameters>) => unknown;
  /** A data packet has left; the product sets the time of the next one afterwards, unless `pacing` is `own`. */
  readonly sent?: (qp: CustomQp<State, Parameters>, packet: SentEvent) => unknown;
  /** An acknowledgement has arrived. */
  readonly ack?: (qp: CustomQp<State, Parameters>, ack: AckEvent) => unknown;
  /** A CNP has arrived. */
  readonly cnp?: (qp: CustomQp<State, Parameters>, cnp: CnpEvent) => unknown;
  /** A Fast CNP has arrived. Default: `cnp`. */
  readonly fastCnp?: (qp: CustomQp<State, Parameters>, cnp: CnpEvent) => unknown;
  /** A packet was lost. */
  readonly loss?: (qp: CustomQp<State, Parameters>, loss: LossEvent) => unknown;
  /** A NACK has arrived: a switch trimmed a packet. Default: `loss`, not by a timeout. NACKs given to an engine need `ack` too. */
  readonly nack?: (qp: CustomQp<State, Parameters>, nack: NackEvent) => unknown;
  /** A timer has expired, and is stopped. */
  readonly timer?: (qp: CustomQp<State, Parameters>, timer: TimerEvent) => unknown;
}
