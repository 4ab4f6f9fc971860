/**
 * Hashes the state of all open QPs: equal states have equal hashes on every backend and machine.
 *
 * Covers the words of each record (rates, alpha, timers, stages, flags). Not resistant to an adversary.
 */
import { QP_OPEN } from '../abi/codes.js';
import type { EngineAbi } from '../abi/engine-abi.js';
import { QP_BYTES, REGION_QP_FLAGS } from '../abi/layout.js';
import { regionAddress, type MemoryViews } from './memory-views.js';

const FLAG_BITS = 15;

/** The hash as 16 hexadecimal digits. */
export function hashState(abi: EngineAbi, views: MemoryViews, qpCapacity: number): string {
  const flags = regionAddress(views, REGION_QP_FLAGS);
  const lanes = new HashLanes();
  for (let qp = 0; qp < qpCapacity; qp++) {
    const qpFlags = views.u8[flags + qp] ?? 0;
    if (!(qpFlags & QP_OPEN)) continue;
    lanes.mix(qp);
    lanes.mix(qpFlags & FLAG_BITS);
    const first = abi.stateAddress(qp) >>> 2;
    for (let word = 0; word < QP_BYTES / 4; word++) lanes.mix(views.u32[first + word] ?? 0);
  }
  return lanes.digits();
}

/** Hashes 32-bit words in two lanes, with the mixing steps of MurmurHash3 and different seeds. */
export class HashLanes {
  #a = 0x2545f491;
  #b = 0x51ed270b;

  mix(word: number): void {
    this.#a = Math.imul(rotate(this.#a ^ Math.imul(word, 0xcc9e2d51), 13), 5) + 0x1b873593;
    this.#b = Math.imul(rotate(this.#b ^ Math.imul(word, 0x85ebca6b), 17), 9) + 0x38b34ae5;
  }

  /** The hash as 16 hexadecimal digits. */
  digits(): string {
    return hex(finish(this.#a)) + hex(finish(this.#b));
  }
}

function rotate(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits));
}

function finish(word: number): number {
  word = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
  word = Math.imul(word ^ (word >>> 13), 0xc2b2ae35);
  return (word ^ (word >>> 16)) >>> 0;
}

function hex(word: number): string {
  return word.toString(16).padStart(8, '0');
}
