/**
 * Adds the parts of a well-formed RoCEv2 packet that callers tend to leave out: the reserved bytes of a CNP, padding to
 * four bytes, the ICRC.
 */
import { requireStack } from './stack.js';
import { Bth } from '../wire/roce/bth.js';
import type { LayerKind } from './layer-kinds.js';
import type { LayerSpec } from './layers.js';

/** The ICRC goes before these layers. */
const NO_PART: readonly LayerKind[] = ['trailer', 'undecoded'];

/** @returns the stack with missing parts added; a stack without BTH, or with an ICRC, is returned unchanged. */
export function completeStack(stack: readonly LayerSpec[]): LayerSpec[] {
  requireStack(stack);
  const bthIndex = stack.findIndex(({ kind }) => kind === 'bth' || kind === 'mrc-bth');
  const bth = stack[bthIndex];
  if (
    (bth?.kind !== 'bth' && bth?.kind !== 'mrc-bth') ||
    stack.some(({ kind }) => kind === 'icrc' || kind === 'undecoded')
  ) return [...stack];
  const endIndex = stack.findIndex(({ kind }, index) => index > bthIndex && NO_PART.includes(kind));
  const end = endIndex < 0 ? stack.length : endIndex;
  const before = stack.slice(0, bthIndex);
  const body = stack.slice(bthIndex + 1, end);
  return [...before, ...withPadding(bth, withReserved(bth, body)), { kind: 'icrc' }, ...stack.slice(end)];
}

type BthLayer = Extract<LayerSpec, { kind: 'bth' | 'mrc-bth' }>;

function withReserved({ value }: BthLayer, body: readonly LayerSpec[]): readonly LayerSpec[] {
  const lacks = value?.opcode === Bth.OPCODE_CNP && !body.some(({ kind }) => kind === 'cnp-reserved');
  return lacks ? [{ kind: 'cnp-reserved' }, ...body] : body;
}

/** The payload is padded to whole words (IBTA volume 1, section 9.2.5), and the BTH states the number of pad bytes. */
function withPadding(given: BthLayer, body: readonly LayerSpec[]): readonly LayerSpec[] {
  const payload = body.find((layer) => layer.kind === 'payload');
  const bytes = payload?.kind === 'payload' ? payload.value?.bytes.length ?? 0 : 0;
  const padCount = (4 - (bytes % 4)) % 4;
  const bth = withTimestamp(given, body);
  const isResolved = bth.value?.padCount !== undefined || body.some(({ kind }) => kind === 'pad');
  if (isResolved || padCount === 0 || !bth.value) return [bth, ...body];
  return [{ ...bth, value: { ...bth.value, padCount } }, ...body, {
    kind: 'pad',
    value: { bytes: new Uint8Array(padCount) },
  }];
}

/** The BTH of MRC has a flag that a TSETH follows. */
function withTimestamp(bth: BthLayer, body: readonly LayerSpec[]): BthLayer {
  if (bth.kind !== 'mrc-bth' || bth.value === undefined || bth.value.hasTimestamp !== undefined) return bth;
  const hasTimestamp = body.some(({ kind }) => kind === 'tseth');
  return { kind: 'mrc-bth', value: { ...bth.value, hasTimestamp } };
}
