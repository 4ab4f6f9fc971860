/**
 * How a stage of the reference parser hands back either what it read or why there is nothing to read.
 */
import { CLASS_CUT, CLASS_MALFORMED } from '../abi/codes.js';

/** The end of a parse: a CLASS_* and its WHY_*. */
export interface Verdict {
  readonly classCode: number;
  readonly why: number;
}

export function isVerdict(result: object): result is Verdict {
  return 'why' in result;
}

export function verdict(classCode: number, why: number): Verdict {
  return { classCode, why };
}

/**
 * The octets of one frame, with the two lengths that decide between "cut by the capture" and "too short".
 */
export class FrameOctets {
  readonly octets: Uint8Array;
  /** Octets in hand. */
  readonly captured: number;
  /** Octets on the wire, at least as many as captured. */
  readonly original: number;

  constructor(octets: Uint8Array, originalBytes: number) {
    this.octets = octets;
    this.captured = octets.length;
    this.original = Math.max(originalBytes, octets.length);
  }

  /** The octet at `at`, which the caller has made sure of. */
  u8(at: number): number {
    return this.octets[at] ?? 0;
  }

  /** Two octets, big-endian. */
  u16(at: number): number {
    return this.u8(at) * 0x100 + this.u8(at + 1);
  }

  /** Three octets, big-endian. */
  u24(at: number): number {
    return this.u8(at) * 0x10000 + this.u16(at + 1);
  }

  /** A verdict when the frame doesn't reach `end`, else undefined. */
  lacks(end: number, why: number): Verdict | undefined {
    if (end <= this.captured) return undefined;
    return verdict(end <= this.original ? CLASS_CUT : CLASS_MALFORMED, why);
  }
}
