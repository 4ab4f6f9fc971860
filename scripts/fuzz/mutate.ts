/** Good inputs made bad: bytes, texts, JSON. */
import type { Random } from './random.js';

const EDGE_BYTES = [0, 1, 0x7f, 0x80, 0xff];
const EDGE_WORDS = [0, 1, 0x7fffffff, 0x80000000, 0xffffffff, 0x10000, 0xffff];
const WORD_BYTES = 4;
const ODD_TEXTS = [
  '',
  ' ',
  '\0',
  '\u001b[2J',
  '\u009b2J',
  '\u202e',
  '\ufeff',
  '-',
  '--',
  '=',
  '{',
  '}',
  '"',
  '"',
  '1e999',
  '-1',
  '0x',
  'NaN',
  'Infinity',
  '__proto__',
  'constructor',
  'toString',
  'valueOf',
  'length',
  'map',
  '99999999999999999999',
  '\ud800',
  '🂡',
  '\r\n',
  '\t',
  '::',
  '256.1.1.1',
  '/0',
  'é'.repeat(300),
  '['.repeat(2000),
  'a=a='.repeat(500),
];
/** No sizes that would be allowed and take long: limits of work have separate tests. */
const ODD_NUMBERS = [0, -0, -1, 0.5, 1, 2, 3, 7, 100, 255, 256, -1e300, 1e300, 2 ** 53, 2 ** 53 + 2, 1e-300, 2 ** 32];

const ODD_VALUES: readonly unknown[] = [null, true, false, [], {}, { toString: 1 }, { constructor: 1, length: 1e9 }];

/** A copy of `bytes` with a few changes; now and then cut, or a part doubled. */
export function mutateBytes(random: Random, bytes: Uint8Array): Uint8Array {
  let changed: Uint8Array = Uint8Array.from(bytes);
  for (let changes = 1 + random.below(6); changes > 0 && changed.length > 0; changes--) {
    const at = random.oneIn(2) ? random.below(changed.length) : random.below(Math.min(changed.length, 120));
    const kind = random.below(8);
    if (kind < 3) changed[at] ^= 1 << random.below(8);
    else if (kind === 3) changed[at] = random.of(EDGE_BYTES);
    else if (kind === 4) putWord(changed, at, random.of(EDGE_WORDS), random.oneIn(2));
    else if (kind === 5) changed[at] = random.below(256);
    else if (kind === 6 && random.oneIn(3)) changed = changed.slice(0, at);
    else changed = doubled(changed, at, at + random.below(64));
  }
  return changed;
}

function putWord(bytes: Uint8Array, at: number, word: number, littleEndian: boolean): void {
  if (at + WORD_BYTES <= bytes.length) new DataView(bytes.buffer, bytes.byteOffset).setUint32(at, word, littleEndian);
}

function doubled(bytes: Uint8Array, from: number, to: number): Uint8Array {
  const part = bytes.subarray(from, to);
  const result = new Uint8Array(bytes.length + part.length);
  result.set(bytes.subarray(0, from));
  result.set(part, from);
  result.set(bytes.subarray(from), from + part.length);
  return result;
}

/** A text with parts left out, doubled, swapped and strange ones put in. */
export function mutateText(random: Random, text: string): string {
  let changed = text;
  for (let changes = 1 + random.below(4); changes > 0; changes--) {
    const at = random.below(changed.length + 1);
    const to = Math.min(changed.length, at + random.below(random.oneIn(4) ? 200 : 6));
    const part = changed.slice(at, to);
    const kind = random.below(5);
    const put = kind === 0 ? '' : kind === 1 ? part + part : kind === 2 ? random.of(ODD_TEXTS) : swapped(random, part);
    changed = changed.slice(0, at) + put + changed.slice(to);
  }
  return changed;
}

function swapped(random: Random, part: string): string {
  return part.replace(/\d/g, () => String(random.below(10))).split('').reverse().join('');
}

/** A copy of a value of JSON with a few of its members changed, left out, renamed or replaced by others'. */
export function mutateJson(random: Random, value: unknown): unknown {
  const copy: unknown = structuredClone(value);
  for (let changes = 1 + random.below(4); changes > 0; changes--) {
    const places = placesOf(copy);
    if (places.length === 0) return oddValue(random, copy);
    const { parent, key } = random.of(places);
    const kind = random.below(6);
    if (kind === 0) Reflect.deleteProperty(parent, key);
    else if (kind === 1) {
      const other = random.of(places);
      parent[key] = structuredClone(other.parent[other.key]);
    } else if (kind === 2 && !Array.isArray(parent)) parent[random.of(ODD_TEXTS)] = parent[key];
    else parent[key] = oddValue(random, parent[key]);
  }
  return copy;
}

type Members = Record<string, unknown>;

interface Place {
  readonly parent: Members;
  readonly key: string;
}

function placesOf(value: unknown, places: Place[] = []): Place[] {
  if (typeof value !== 'object' || value === null) return places;
  for (const key of Object.keys(value)) {
    places.push({ parent: value as Members, key });
    placesOf((value as Members)[key], places);
  }
  return places;
}

function oddValue(random: Random, value: unknown): unknown {
  const kind = random.below(8);
  if (kind < 3 && typeof value === 'number') return random.oneIn(2) ? value + random.below(3) - 1 : -value;
  if (kind < 3 && typeof value === 'string') return mutateText(random, value);
  if (kind < 5) return random.of(ODD_NUMBERS);
  if (kind === 5) return random.of(ODD_TEXTS);
  if (kind === 6) return structuredClone(random.of(ODD_VALUES));
  return random.oneIn(2) ? [value] : { value };
}
