/**
 * The frames in an emulated switch, in flat memory that is allocated once: a slot per frame, with the data that the
 * switch needs while the frame waits. Free slots form a list, and so do queues (`packet-memory.ts`).
 */
import { RoceError } from '../../errors.js';

/** Value for no slot or no port. */
export const NONE = -1;

/** Capacity of a switch. */
export interface SwitchRoom {
  /** Maximum number of frames waiting or on links, 64 to 2^20. Default 16,384. */
  readonly slots?: number;
  /** Longest frame, without its FCS: 64 to 65,535 bytes. Default 2,048. */
  readonly slotBytes?: number;
}

const FCS_BYTES = 4;
const LEAST_FRAME_BYTES = 64;

const DEFAULT_SLOTS = 16_384;
const DEFAULT_SLOT_BYTES = 2048;
const SLOTS_MIN = 64;
const SLOTS_MAX = 2 ** 20;
const MEMORY_MAX_BYTES = 2 ** 31;

/** Counted length of a frame with this many bytes without FCS. */
export function countedBytesOf(lenBytes: number): number {
  return Math.max(LEAST_FRAME_BYTES, lenBytes + FCS_BYTES);
}

export class FramePool {
  readonly slots: number;
  readonly slotBytes: number;
  readonly bytes: Uint8Array;
  /** Length without FCS, as captured. */
  readonly lenBytes: Uint32Array;
  /** Length as counted in buffers and on the wire, as in scenarios: with FCS, at least 64. */
  readonly countedBytes: Uint32Array;
  /** Port of arrival; NONE if the switch made the frame, which then uses no packet memory. */
  readonly arrival: Int32Array;
  readonly trafficClass: Uint8Array;
  /** Kind of frame, KIND_*. */
  readonly kind: Uint8Array;
  readonly ecn: Uint8Array;
  readonly ipOffset: Uint16Array;
  /**
   * Offset and length of the IOAM trace that the switch writes to, from the frame's first byte; 0 bytes if there is
   * none.
   */
  readonly traceOffset: Uint16Array;
  readonly traceBytes: Uint8Array;
  readonly flow: Int32Array;
  /** Whether the frame's sender accepts Fast CNPs. */
  readonly takesFastCnps: Uint8Array;
  /** The next slot in the same list of slots. */
  readonly next: Int32Array;
  #free = 0;
  #freeCount: number;

  /**
   * @throws RoceError `invalid-argument` for sizes out of range, `capacity` for more than 2 GiB in total.
   */
  constructor({ slots = DEFAULT_SLOTS, slotBytes = DEFAULT_SLOT_BYTES }: SwitchRoom) {
    requireWhole('slots', slots, SLOTS_MIN, SLOTS_MAX);
    requireWhole('slotBytes', slotBytes, 64, 65_535);
    if (slots * slotBytes > MEMORY_MAX_BYTES) {
      const allowed = { max: MEMORY_MAX_BYTES, unit: 'bytes' };
      throw new RoceError('capacity', { what: 'memory for frames', got: slots * slotBytes, allowed, where: 'slots' });
    }
    this.slots = slots;
    this.slotBytes = slotBytes;
    this.bytes = new Uint8Array(slots * slotBytes);
    this.lenBytes = new Uint32Array(slots);
    this.countedBytes = new Uint32Array(slots);
    this.arrival = new Int32Array(slots);
    this.trafficClass = new Uint8Array(slots);
    this.kind = new Uint8Array(slots);
    this.ecn = new Uint8Array(slots);
    this.ipOffset = new Uint16Array(slots);
    this.traceOffset = new Uint16Array(slots);
    this.traceBytes = new Uint8Array(slots);
    this.flow = new Int32Array(slots);
    this.takesFastCnps = new Uint8Array(slots);
    this.next = Int32Array.from({ length: slots }, (_, slot) => (slot + 1 < slots ? slot + 1 : NONE));
    this.#freeCount = slots;
  }

  get freeCount(): number {
    return this.#freeCount;
  }

  /** Offset of the frame in a slot. */
  offsetOf(slot: number): number {
    return slot * this.slotBytes;
  }

  /** @returns a slot, or NONE. */
  take(): number {
    const slot = this.#free;
    if (slot === NONE) return NONE;
    this.#free = this.next[slot];
    this.#freeCount -= 1;
    this.next[slot] = NONE;
    return slot;
  }

  /** Frees a slot; call it once per `take`. */
  release(slot: number): void {
    this.next[slot] = this.#free;
    this.#free = slot;
    this.#freeCount += 1;
  }
}

function requireWhole(where: string, got: number, min: number, max: number): void {
  if (Number.isInteger(got) && got >= min && got <= max) return;
  throw new RoceError('invalid-argument', { got, allowed: { min, max, multipleOf: 1 }, where });
}
