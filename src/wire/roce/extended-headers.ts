/**
 * The extended transport headers of a packet, as its opcode says (IBTA volume 1, section 9.3; table in opcodes.ts).
 *
 *   BTH | RDETH | DETH | XRCETH | RETH | AtomicETH | AETH | AtomicAckETH | ImmDt | IETH | payload | padding | ICRC
 *
 * No packet has all of them; those that it has stand in this order, without gaps.
 */
import { RoceError } from '../../errors.js';
import type { Aeth } from './aeth.js';
import { AETH_BYTES, buildAethInto, parseAeth } from './aeth.js';
import type { AtomicAckEth } from './atomic-ack-eth.js';
import { ATOMIC_ACK_ETH_BYTES, buildAtomicAckEthInto, parseAtomicAckEth } from './atomic-ack-eth.js';
import type { AtomicEth } from './atomic-eth.js';
import { ATOMIC_ETH_BYTES, buildAtomicEthInto, parseAtomicEth } from './atomic-eth.js';
import type { Deth, DethFields } from './deth.js';
import { DETH_BYTES, buildDethInto, parseDeth } from './deth.js';
import type { Ieth } from './ieth.js';
import { IETH_BYTES, buildIethInto, parseIeth } from './ieth.js';
import type { ImmediateData } from './immediate-data.js';
import { IMMEDIATE_DATA_BYTES, buildImmediateDataInto, parseImmediateData } from './immediate-data.js';
import type { ExtendedHeaderKind } from './opcodes.js';
import { EXTENDED_HEADER_KINDS, extendedHeaderSet, isDefinedOpcode, opcodeName } from './opcodes.js';
import type { Rdeth, RdethFields } from './rdeth.js';
import { RDETH_BYTES, buildRdethInto, parseRdeth } from './rdeth.js';
import type { Reth } from './reth.js';
import { RETH_BYTES, buildRethInto, parseReth } from './reth.js';
import type { Xrceth, XrcethFields } from './xrceth.js';
import { XRCETH_BYTES, buildXrcethInto, parseXrceth } from './xrceth.js';
import { invalidPacket, requireBytes, requireTarget } from '../bytes.js';

/** What a packet has; everything else is absent. */
export interface ExtendedHeaders {
  readonly rdeth?: Rdeth;
  readonly deth?: Deth;
  readonly xrceth?: Xrceth;
  readonly reth?: Reth;
  readonly atomicEth?: AtomicEth;
  readonly aeth?: Aeth;
  readonly atomicAckEth?: AtomicAckEth;
  readonly immediateData?: ImmediateData;
  readonly ieth?: Ieth;
}

/** As `ExtendedHeaders`, with reserved bits that may be left out. */
export interface ExtendedHeadersFields extends Omit<ExtendedHeaders, 'rdeth' | 'deth' | 'xrceth'> {
  readonly rdeth?: RdethFields;
  readonly deth?: DethFields;
  readonly xrceth?: XrcethFields;
}

type Key = keyof ExtendedHeaders;

/** Header sizes, by kind. */
const BYTES: Readonly<Record<ExtendedHeaderKind, number>> = {
  rdeth: RDETH_BYTES,
  deth: DETH_BYTES,
  xrceth: XRCETH_BYTES,
  reth: RETH_BYTES,
  'atomic-eth': ATOMIC_ETH_BYTES,
  aeth: AETH_BYTES,
  'atomic-ack-eth': ATOMIC_ACK_ETH_BYTES,
  immdt: IMMEDIATE_DATA_BYTES,
  ieth: IETH_BYTES,
};

/** Property names, by kind. */
const KEYS: Readonly<Record<ExtendedHeaderKind, Key>> = {
  rdeth: 'rdeth',
  deth: 'deth',
  xrceth: 'xrceth',
  reth: 'reth',
  'atomic-eth': 'atomicEth',
  aeth: 'aeth',
  'atomic-ack-eth': 'atomicAckEth',
  immdt: 'immediateData',
  ieth: 'ieth',
};

/**
 * Bytes between the BTH and the payload.
 * @returns 0 too for an opcode that `isDefinedOpcode` denies.
 */
export function extendedHeadersBytes(opcode: number): number {
  const headers = extendedHeaderSet(opcode);
  let total = 0;
  for (let bit = 0; bit < EXTENDED_HEADER_KINDS.length; bit++) {
    if ((headers & (1 << bit)) !== 0) total += BYTES[EXTENDED_HEADER_KINDS[bit]];
  }
  return total;
}

/**
 * Reads the extended transport headers behind a BTH; the inverse of `buildExtendedHeaders`. The payload begins
 * `extendedHeadersBytes(opcode)` behind `offset`.
 *
 * @param offset behind the BTH.
 * @param opcode the BTH's.
 * @param endOffset where payload and padding end, which is where the ICRC begins; the end of `bytes` unless told
 * otherwise.
 * @throws RoceError `invalid-packet` naming the header that is cut short; also for an opcode that nobody defines, whose
 * headers can't be known.
 */
export function parseExtendedHeaders(bytes: Uint8Array, offset: number, opcode: number,
  endOffset = bytes.length): ExtendedHeaders {
  if (!isDefinedOpcode(opcode)) {
    throw invalidPacket('extended headers', offset, 'follow an undefined opcode', opcode, 'a defined opcode');
  }
  const headers = extendedHeaderSet(opcode);
  const found: ExtendedHeaders = {};
  let at = offset;
  for (let bit = 0; bit < EXTENDED_HEADER_KINDS.length; bit++) {
    if ((headers & (1 << bit)) === 0) continue;
    const kind = EXTENDED_HEADER_KINDS[bit];
    requireBytes(kind, bytes, at, BYTES[kind], endOffset);
    Object.assign(found, parseOne(kind, bytes, at));
    at += BYTES[kind];
  }
  return found;
}

/**
 * Writes the extended transport headers of an opcode.
 *
 * @param headers exactly those that `extendedHeadersOf(opcode)` lists.
 * @throws RoceError `invalid-argument` for one that is missing, one that the opcode doesn't carry, a field out of
 * range, or an opcode that nobody defines.
 */
export function buildExtendedHeaders(opcode: number, headers: ExtendedHeadersFields): Uint8Array {
  const bytes = new Uint8Array(extendedHeadersBytes(opcode));
  buildExtendedHeadersInto(bytes, 0, opcode, headers);
  return bytes;
}

/**
 * As `buildExtendedHeaders`, into `target`. A field out of range leaves the headers before it written.
 * @returns the offset behind the headers.
 */
export function buildExtendedHeadersInto(target: Uint8Array, offset: number, opcode: number,
  headers: ExtendedHeadersFields): number {
  requireExactly(opcode, headers);
  requireTarget('extended headers', target, offset, extendedHeadersBytes(opcode));
  let at = offset;
  // In wire order. Those of another opcode are absent: that was checked above.
  if (headers.rdeth) at = buildRdethInto(target, at, headers.rdeth);
  if (headers.deth) at = buildDethInto(target, at, headers.deth);
  if (headers.xrceth) at = buildXrcethInto(target, at, headers.xrceth);
  if (headers.reth) at = buildRethInto(target, at, headers.reth);
  if (headers.atomicEth) at = buildAtomicEthInto(target, at, headers.atomicEth);
  if (headers.aeth) at = buildAethInto(target, at, headers.aeth);
  if (headers.atomicAckEth) at = buildAtomicAckEthInto(target, at, headers.atomicAckEth);
  if (headers.immediateData) at = buildImmediateDataInto(target, at, headers.immediateData);
  if (headers.ieth) at = buildIethInto(target, at, headers.ieth);
  return at;
}

function parseOne(kind: ExtendedHeaderKind, bytes: Uint8Array, offset: number): ExtendedHeaders {
  switch (kind) {
    case 'rdeth':
      return { rdeth: parseRdeth(bytes, offset) };
    case 'deth':
      return { deth: parseDeth(bytes, offset) };
    case 'xrceth':
      return { xrceth: parseXrceth(bytes, offset) };
    case 'reth':
      return { reth: parseReth(bytes, offset) };
    case 'atomic-eth':
      return { atomicEth: parseAtomicEth(bytes, offset) };
    case 'aeth':
      return { aeth: parseAeth(bytes, offset) };
    case 'atomic-ack-eth':
      return { atomicAckEth: parseAtomicAckEth(bytes, offset) };
    case 'immdt':
      return { immediateData: parseImmediateData(bytes, offset) };
    case 'ieth':
      return { ieth: parseIeth(bytes, offset) };
  }
}

/** @throws RoceError `invalid-argument` unless the headers given are those that the opcode carries. */
function requireExactly(opcode: number, headers: ExtendedHeadersFields): void {
  if (!isDefinedOpcode(opcode)) {
    const details = { got: opcode, allowed: 'a defined opcode', where: 'opcode' };
    throw new RoceError('invalid-argument', 'undefined opcode', details);
  }
  const carried = extendedHeaderSet(opcode);
  for (let bit = 0; bit < EXTENDED_HEADER_KINDS.length; bit++) {
    const key = KEYS[EXTENDED_HEADER_KINDS[bit]];
    const isCarried = (carried & (1 << bit)) !== 0;
    if (Boolean(headers[key]) !== isCarried) throw mismatch(key, isCarried, opcode);
  }
}

function mismatch(key: Key, isCarried: boolean, opcode: number): RoceError {
  const name = String(opcodeName(opcode));
  if (isCarried) {
    const details = { got: 'none', allowed: `what opcode ${name} carries`, where: key };
    return new RoceError('invalid-argument', 'extended header is missing', details);
  }
  const details = { got: key, allowed: `only what opcode ${name} carries`, where: key };
  return new RoceError('invalid-argument', 'extended header does not belong here', details);
}
