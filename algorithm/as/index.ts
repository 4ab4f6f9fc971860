/**
 * A custom algorithm of roce-cc in AssemblyScript: the records that its handlers get, and helpers.
 *
 *   npx asc mine.ts --importMemory --memoryBase 16384 --runtime stub -O3 --use abort= -o mine.wasm
 *
 * A module exports `roce_abi_version` and handlers, each with the signature of its kind:
 *
 *   export { roce_abi_version } from 'roce-cc/algorithm/as';
 *   export function roce_ack(qp: Qp, parameters: usize, timePs: f64, ack: Ack): i32 { … }
 *
 * Its declaration is JSON in `mine.json` next to `mine.wasm`.
 *
 * Records     at addresses that hold for one call. Whatever a handler sets is checked when it returns: 0 < rateBps <= lineRateBps,
 *             windowBytes from 0 to 2^53, nextSendPs >= 0, timers not before the event.
 * Parameters  f64 in the order of the declaration; a word is its index in `values`: an @unmanaged class of f64 fields names them.
 * State       f64 in the order of the declaration, lists flat: an @unmanaged class over `qp.state` names them.
 * Memory      handlers allocate nothing: no `new`, arrays, strings or closures.
 *
 * Documentation: docs/guides/your-own-algorithm.md.
 */

/** What a handler returns. */
export const USED: i32 = 0;
export const NOT_USED: i32 = 1;
export const NO_SIGNAL: i32 = 2;

/** A timer that does not run. */
export const NEVER: f64 = Infinity;

export const TIMER_COUNT: u32 = 4;
export const STATE_BYTES_MAX: u32 = 1024;
export const PARAMETER_COUNT_MAX: u32 = 34;

/** Flags of a QP: packets leave at its rate; this call has set the rate, even to the same one (a changed rate counts as set). */
export const PACED: u32 = 1;
export const RATE_SET: u32 = 2;

/** What the hops of an ACK are. */
export const TELEMETRY_NONE: u32 = 0;
export const TELEMETRY_EXACT: u32 = 1;
export const TELEMETRY_INT64: u32 = 2;
/** From an IOAM trace: exact hops, times modulo 4,096 s. */
export const TELEMETRY_TRACE: u32 = 3;
/** The same, times modulo 1 s. */
export const TELEMETRY_TRACE_SECOND: u32 = 4;
export const EXACT_HOPS_MAX: u32 = 16;
export const INT64_HOPS_MAX: u32 = 5;

/** txBytes of a hop that does not report them. */
export const NO_TX_BYTES: f64 = -1;
/** pintPower of an ACK without one. */
export const NO_PINT_POWER: u32 = 0xffffffff;

const TIMERS: usize = 24;
const STATE: usize = 136;
const HOPS: usize = 56;
const HOP_BYTES: usize = 40;
const PSN_MASK: u32 = 0xffffff;
const PSN_HALF: u32 = 0x800000;

/** One QP. A new one has the line rate, no window, no timer running, and is paced. */
@unmanaged
export class Qp {
  rateBps: f64;
  /** 0 = no window. */
  windowBytes: f64;
  nextSendPs: f64;
  timer0Ps: f64;
  timer1Ps: f64;
  timer2Ps: f64;
  timer3Ps: f64;
  /** To be read only, as the next two. */
  lineRateBps: f64;
  lastEventPs: f64;
  lastLenBytes: u32;
  /** PACED, without which packets leave at once; RATE_SET. */
  flags: u32;
  /** Why the rate changes: 1 + index into the declaration's `reasons`, 0 = no reason given. */
  reason: u32;
  /** 1: PSNs of 24 bits; 0: numbers of 32 bits. To be read only. */
  sequence: u32;
  engine0: f64;
  engine1: f64;
  engine2: f64;
  engine3: f64;
  engine4: f64;
  /** In `roce_timer`: up to when timers expire now, for expiries that change nothing and can be taken at once. To be read only. */
  untilPs: f64;

  /** Address of the algorithm's own state. */
  @inline get state(): usize {
    return changetype<usize>(this) + STATE;
  }

  @inline getTimer(index: u32): f64 {
    return load<f64>(changetype<usize>(this) + (<usize>index << 3), TIMERS);
  }

  @inline setTimer(index: u32, timePs: f64): void {
    store<f64>(changetype<usize>(this) + (<usize>index << 3), timePs, TIMERS);
  }

  @inline get isPaced(): bool {
    return (this.flags & PACED) != 0;
  }

  @inline set isPaced(value: bool) {
    this.flags = value ? this.flags | PACED : this.flags & ~PACED;
  }

  /** Whether sequence number `a` is newer than `b`, as the QP counts. */
  @inline isNewer(a: u32, b: u32): bool {
    if (this.sequence == 0) return a > b;
    // 0 wraps to the largest number: neither older nor newer.
    return ((a - b) & PSN_MASK) - 1 < PSN_HALF - 1;
  }
}

/** One hop of an acknowledged packet's path. */
@unmanaged
export class Hop {
  /** When the packet left the hop, picoseconds. */
  timePs: f64;
  /** Bytes that the port had sent by then. */
  txBytes: f64;
  queueBytes: f64;
  lineRateBps: f64;
  hopId: u32;
  port: u32;
}

/** The same under TELEMETRY_INT64: raw fields of the 64-bit record, m its multiplier. */
@unmanaged
export class RawHop {
  /** 25 Gb/s 2^code, up to 4. */
  lineRateCode: u32;
  /** Nanoseconds modulo 2^24. */
  time: u32;
  /** Units of 128 m bytes modulo 2^20. */
  bytes: u32;
  /** Units of 80 m bytes modulo 2^17. */
  queue: u32;
}

/** An acknowledgement, or the hops of a Fast CNP. */
@unmanaged
export class Ack {
  /** The first sequence number that is not acknowledged. */
  ackSeq: u32;
  /** The next one to be sent. */
  sndNxt: u32;
  /** When the acknowledged packet left, picoseconds; NaN = not known. */
  sentPs: f64;
  /** Part of the round trip that the hosts' own queues took, picoseconds. */
  hostDelayPs: f64;
  /** Packets that this ACK newly acknowledges. */
  ackedPackets: f64;
  /** 0 = none given. */
  pathId: u32;
  pathHops: u32;
  pintPower: u32;
  /** 1: the acknowledged packet was marked. */
  ecnEcho: u8;
  /** TELEMETRY_* */
  telemetry: u8;
  /** More than there are records where slots were overwritten. */
  hopCount: u8;
  /** 1: hops of the path are missing here. */
  isPartial: u8;
  /** Payload that this ACK newly acknowledges, bytes; NaN = not known. */
  ackedBytes: f64;

  @inline hop(index: u32): Hop {
    return changetype<Hop>(changetype<usize>(this) + HOPS + <usize>index * HOP_BYTES);
  }

  @inline rawHop(index: u32): RawHop {
    return changetype<RawHop>(changetype<usize>(this) + HOPS + <usize>index * HOP_BYTES);
  }
}

/** A NACK: the receiver got a packet of which a switch left the headers only. */
@unmanaged
export class Nack {
  engine: u64;
  /** When the trimmed packet left, picoseconds; NaN = not known. */
  sentPs: f64;
  unused: u64;
  unused24: u64;
  unused32: u64;
  unused40: u32;
  unused44: u16;
  unused46: u8;
  /** 1: the last switch on the path has trimmed it. */
  isLastHop: u8;
  /** Payload that was cut off, bytes. */
  trimmedBytes: f64;
}

/** NaN where it is not known when the packet left. */
@inline export function rttPs(timePs: f64, ack: Ack): f64 {
  return timePs - ack.sentPs;
}

/** Of this interface. */
export function roce_abi_version(): i32 {
  return 1;
}
