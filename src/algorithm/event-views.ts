/**
 * Views of a custom algorithm's events: records of acknowledgements and hops, read in place, and the numbers of a call.
 */
import { ACK_ACKED_BYTES, ACK_ACKED_PACKETS, ACK_ECN_ECHO, ACK_HOP_BYTES, ACK_HOP_COUNT, ACK_HOPS, ACK_HOST_DELAY,
  ACK_PARTIAL, ACK_PATH_HOPS, ACK_PATH_ID, ACK_PINT_POWER, ACK_SENT_TIME, ACK_SEQ, ACK_SND_NXT, ACK_TELEMETRY, HOP_ID,
  HOP_LINE_RATE, HOP_PORT, HOP_QLEN_BYTES, HOP_TIME, HOP_TX_BYTES, NACK_LAST_HOP, NACK_TRIMMED_BYTES,
  TELEMETRY_TRACE } from '../abi/ack-layout.js';
import type { AckEvent, CnpEvent, LossEvent, NackEvent, SentEvent, TimerEvent } from './events.js';
import type { LinearMemory } from './linear-memory.js';

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
