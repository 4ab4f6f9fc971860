/**
 * A whole INT-MD: header, metadata stack, and the push at a transit hop (P4.org, "In-band Network Telemetry
 * Dataplane Specification" 2.1, section "INT-MD Metadata Header Format").
 *
 *   header (12) | newest hop, 4 x Hop ML | ... | the source's hop
 *
 * Values have the hops in path order, the source first; on the wire it is the reverse. A source may add domain specific
 * metadata that no other hop adds and Hop ML doesn't count ("source-only"): how many bytes only the domain knows, so
 * that is a parameter, 0 by default.
 */
import { allocating, invalidArgument, invalidPacket, requireBytes, requireList, requireRecord,
  requireTarget } from '../bytes.js';
import { requireWholeWords } from './bitmap-fields.js';
import { type IntMdHop, buildIntMdHopInto, intMdBaselineWords, intMdHopBytes, parseIntMdHop } from './int-md-hop.js';
import { INT_MD, INT_MD_BYTES, INT_MD_HOP_COUNT_EXCEEDED_MASK, INT_MD_HOP_ML_MAX_WORDS, INT_MD_MTU_EXCEEDED_MASK,
  type IntMdHeader, type IntMdHeaderFields, IntMdHeaderView, buildIntMdHeaderInto,
  parseIntMdHeader } from './int-md.js';

const LAYER = 'int-md';
const FLAGS = INT_MD.offsetOf('discard');
const REMAINING_HOP_COUNT = INT_MD.offsetOf('remainingHopCount');
const WORD_BYTES = 4;

/** A header with its stack. */
export interface IntMd {
  /** As received, but for the version, which is 2. */
  readonly header: IntMdHeader;
  /** In path order, the source first. */
  readonly hops: readonly IntMdHop[];
}

/** Input of `buildIntMd`: the header's defaults are those of `buildIntMdHeader`. */
export interface IntMdFields {
  /** Instructions, Hop ML and remaining hop count at least. */
  readonly header: IntMdHeaderFields;
  /** In path order, the source first; each has the length of Hop ML, the source's may be longer. */
  readonly hops: readonly IntMdHop[];
}

/** Properties of the stack that the packet does not state. */
export interface IntMdStackOptions {
  /** Bytes of source-only metadata in the source's hop; default 0. */
  readonly sourceOnlyBytes?: number;
}

/** Outcome for a hop's metadata: added, or left out with the flag E or M set. */
export type IntMdPushOutcome = 'written' | 'hop-count-exceeded' | 'mtu-exceeded';

/** INT-MD after a hop. */
export interface IntMdPushed {
  /** Written, or why not. */
  readonly outcome: IntMdPushOutcome;
  /** New bytes: longer than before if written. */
  readonly bytes: Uint8Array;
}

/**
 * Reads INT-MD; the inverse of `buildIntMd`.
 *
 * @param lenBytes from the header's first byte to the end of the stack: what the shim or option around it says.
 * @throws RoceError `invalid-packet`: too short, another version, a stack that is not a whole number of hops, or a Hop
 * ML that is too small for the instructions.
 */
export function parseIntMd(bytes: Uint8Array, offset: number, lenBytes: number,
  options: IntMdStackOptions = {}): IntMd {
  if (typeof lenBytes !== 'number') throw invalidArgument('lenBytes', lenBytes, { min: 0, multipleOf: 1 });
  const header = parseIntMdHeader(bytes, offset);
  requireBytes(LAYER, bytes, offset, INT_MD_BYTES, offset + lenBytes);
  requireBytes(LAYER, bytes, offset, lenBytes);
  requireHopMlReceived(header, offset);
  const sourceOnlyBytes = sourceOnlyOf(options);
  const hopBytes = header.hopMlWords * WORD_BYTES;
  const count = hopCountOf(offset, lenBytes - INT_MD_BYTES, hopBytes, sourceOnlyBytes);
  const hops: IntMdHop[] = [];
  for (let hop = count - 1; hop >= 0; hop--) {
    const at = offset + INT_MD_BYTES + hop * hopBytes;
    const lenBytes = hop === count - 1 ? hopBytes + sourceOnlyBytes : hopBytes;
    hops.push(parseIntMdHop(bytes, at, header.instructions, lenBytes));
  }
  return { header, hops };
}

/**
 * Length that INT-MD will have, after a check of its values.
 * @throws RoceError `invalid-argument` naming a field that is out of range, or a hop of another length than Hop ML
 * says.
 */
export function intMdBytes(intMd: IntMdFields, options: IntMdStackOptions = {}): number {
  requireRecord('intMd', intMd);
  const { header, hops } = intMd;
  INT_MD.require(header);
  const sourceOnlyBytes = sourceOnlyOf(options);
  const hopBytes = header.hopMlWords * WORD_BYTES;
  requireList(`${LAYER}.hops`, hops);
  // Hops of no length can't be distinguished from no hops.
  if (hopBytes === 0 && hops.length > 0) throw invalidArgument(`${LAYER}.hops`, hops.length, '0 while Hop ML is 0');
  let lenBytes = INT_MD_BYTES;
  for (let hop = 0; hop < hops.length; hop++) {
    const expected = hop === 0 ? hopBytes + sourceOnlyBytes : hopBytes;
    requireHopLength(intMdHopBytes(header.instructions, hops[hop]), expected);
    lenBytes += expected;
  }
  return lenBytes;
}

/**
 * Writes INT-MD.
 * @throws RoceError `invalid-argument` as `intMdBytes`.
 */
export const buildIntMd: (intMd: IntMdFields, options?: IntMdStackOptions) => Uint8Array = /* @__PURE__ */ allocating(
  intMdBytes,
  buildIntMdInto,
);

/** As `buildIntMd`, into `target`. @returns the offset behind the stack. */
export function buildIntMdInto(target: Uint8Array, offset: number, intMd: IntMdFields,
  options: IntMdStackOptions = {}): number {
  requireTarget(LAYER, target, offset, intMdBytes(intMd, options));
  const { header, hops } = intMd;
  let at = buildIntMdHeaderInto(target, offset, header);
  for (let hop = hops.length - 1; hop >= 0; hop--) at = buildIntMdHopInto(target, at, header.instructions, hops[hop]);
  return at;
}

/**
 * Processing at a transit hop: it puts its metadata right behind the header and counts down, unless no hop may add any more
 * (then it sets E) or the packet would not fit its egress MTU (then it sets M); then nothing else changes.
 *
 * @param intMd from the header's first byte to the end of the stack; it stays as it is.
 * @param hop exactly Hop ML words, domain specific metadata included.
 * @param roomBytes how many bytes the packet may still grow; default: any number.
 * @throws RoceError `invalid-packet`: too short, another version, or a Hop ML too small for the instructions;
 * `invalid-argument` for a hop that has another length, or a field out of range.
 */
export function pushIntMdHop(intMd: Uint8Array, hop: IntMdHop, roomBytes = Infinity): IntMdPushed {
  if (typeof roomBytes !== 'number') throw invalidArgument('roomBytes', roomBytes, { min: 0, unit: 'bytes' });
  const view = new IntMdHeaderView(intMd);
  const { hopMlWords, instructions, remainingHopCount } = view;
  requireHopMlReceived(view, 0);
  const hopBytes = hopMlWords * WORD_BYTES;
  requireHopLength(intMdHopBytes(instructions, hop), hopBytes);
  if (remainingHopCount === 0) return flagged(intMd, 'hop-count-exceeded', INT_MD_HOP_COUNT_EXCEEDED_MASK);
  if (!(hopBytes <= roomBytes)) return flagged(intMd, 'mtu-exceeded', INT_MD_MTU_EXCEEDED_MASK);
  const bytes = new Uint8Array(intMd.length + hopBytes);
  bytes.set(intMd.subarray(0, INT_MD_BYTES));
  bytes[REMAINING_HOP_COUNT] = remainingHopCount - 1;
  bytes.set(intMd.subarray(INT_MD_BYTES), buildIntMdHopInto(bytes, INT_MD_BYTES, instructions, hop));
  return { outcome: 'written', bytes };
}

function flagged(intMd: Uint8Array, outcome: IntMdPushOutcome, flag: number): IntMdPushed {
  const bytes = intMd.slice();
  bytes[FLAGS] |= flag;
  return { outcome, bytes };
}

/** Number of hops of a stack. */
function hopCountOf(offset: number, stackBytes: number, hopBytes: number, sourceOnlyBytes: number): number {
  if (stackBytes === 0) return 0;
  const counted = stackBytes - sourceOnlyBytes;
  if (counted > 0 && counted % hopBytes === 0) return counted / hopBytes;
  const allowed = `a multiple of ${hopBytes} bytes, and ${sourceOnlyBytes}`;
  throw invalidPacket(LAYER, offset, 'has a stack that is no whole number of hops', stackBytes, allowed);
}

function requireHopMlReceived({ hopMlWords, instructions }: IntMdHeader, offset: number): void {
  const least = intMdBaselineWords(instructions);
  if (hopMlWords >= least) return;
  const allowed = { min: least, max: INT_MD_HOP_ML_MAX_WORDS, unit: 'words' };
  throw invalidPacket(LAYER, offset, 'has a Hop ML too small for its instructions', hopMlWords, allowed);
}

function requireHopLength(got: number, expected: number): void {
  if (got === expected) return;
  const what = 'length of a hop, domain specific metadata included,';
  throw invalidArgument(`${LAYER} hop.domainMetadata`, got, expected, what);
}

function sourceOnlyOf(options: IntMdStackOptions): number {
  requireRecord('options', options);
  const { sourceOnlyBytes = 0 } = options;
  requireWholeWords('sourceOnlyBytes', sourceOnlyBytes);
  return sourceOnlyBytes;
}
