/** Fingerprint of an algorithm's code and declaration: equal code has equal hashes in every JavaScript engine. */
import { reject } from '../config/field-rules.js';

/** Seed and multipliers of each lane. */
const LANES = [[0x9747b28c, 0xcc9e2d51, 0x1b873593], [0x3c6ef372, 0x239b961b, 0xab0e9789]] as const;

/**
 * @param parts strings and bytes of the code. @returns 16 hexadecimal digits: two lanes of MurmurHash3 (A. Appleby,
 * public domain).
 */
export function hashSource(declaration: object, parts: readonly (string | Uint8Array)[]): string {
  const text = textOf(declaration);
  const encoder = new TextEncoder();
  const all = [text, ...parts].map((part) => (typeof part === 'string' ? encoder.encode(part) : part));
  return LANES.map((lane) => hashLane(all, lane).toString(16).padStart(8, '0')).join('');
}

/** @throws RoceError `invalid-config` for values that are not plain data, such as an object that contains itself. */
function textOf(declaration: object): string {
  const members = Object.entries(declaration).filter(([, member]) => member !== undefined)
    .map(([key, member]) => `${JSON.stringify(key)}:${textOfMember(key, member)}`);
  return `{${members.join(',')}}`;
}

function textOfMember(key: string, member: unknown): string {
  try {
    return JSON.stringify(member, (_, value: unknown) => (typeof value === 'function' ? String(value) : value));
  } catch (cause) {
    return reject({ got: member, problem: 'must be plain data', where: `algorithm.${key}`, cause });
  }
}

function hashLane(parts: readonly Uint8Array[], [seed, first, second]: readonly [number, number, number]): number {
  let hash = seed;
  let count = 0;
  for (const part of parts) {
    for (const byte of part) {
      hash = Math.imul(rotate(hash ^ Math.imul(rotate(Math.imul(byte + 1, first), 15), second), 13), 5) + 0xe6546b64;
      count++;
    }
    // Mark the end of each part, so that moving text between parts changes the hash.
    hash = Math.imul(hash ^ 0x1ff, first);
  }
  return mix(hash ^ count);
}

function rotate(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits));
}

function mix(word: number): number {
  let mixed = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
