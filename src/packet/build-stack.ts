/**
 * Builds bytes from a stack of layers: lengths, next headers, checksums and the ICRC are computed unless given. Given values
 * are written unchanged, so invalid packets can be made on purpose.
 */
import { RoceError } from '../errors.js';
import { requireChoice, writeU16, requireRecord, requireList, invalidArgument } from '../wire/bytes.js';
import { UDP_CHECKSUM, Udp } from '../wire/ip/udp.js';
import { Bth } from '../wire/roce/bth.js';
import { Icrc, type IcrcPolicy } from '../wire/roce/icrc.js';
import type { LayerKind } from './layer-kinds.js';
import { LAYERS, fillLayer, type LayerSpec } from './layers.js';
import type { PseudoHeader } from './neighbours.js';

/** The ICRC goes before these layers. */
const AFTER_ICRC: readonly LayerKind[] = ['trailer', 'undecoded'];

/** Options of `build`. */
export interface BuildOptions {
  /** What the ICRC covers in packets with extension headers; default `literal`. */
  readonly icrcPolicy?: IcrcPolicy;
}

/** A stack with the sizes of its layers. */
interface PlacedStack {
  readonly layers: readonly LayerSpec[];
  /** Offset of each layer, and of the end. */
  readonly offsets: readonly number[];
}

/**
 * Builds a frame. `build(dissect(bytes).layers)` returns the same bytes, since dissected layers have every field.
 *
 * @param stack layers in the order of the frame.
 * @throws RoceError `invalid-argument` naming the layer and the field, for a field out of range, or one that has no
 * default and can't be computed.
 *
 * @example
 * const frame = build([
 *   { kind: 'ipv6', value: { source, destination } },
 *   { kind: 'udp' },
 *   { kind: 'bth', value: { opcode: Bth.OPCODE_CNP, destQpn: 0x118 } },
 *   { kind: 'cnp-reserved' },
 *   { kind: 'icrc' },
 * ]);
 */
export function build(stack: readonly LayerSpec[], options: BuildOptions = {}): Uint8Array {
  requireRecord('options', options);
  const { icrcPolicy = 'literal' } = options;
  requireStack(stack);
  requireChoice('icrcPolicy', icrcPolicy, ['literal', 'omit', 'normalise']);
  const offsets = [0];
  stack.forEach((_, index) => offsets.push((offsets.at(-1) ?? 0) + writeLayer(stack, index, 0).length));
  const placed = { layers: stack, offsets };
  const bytes = new Uint8Array(offsets.at(-1) ?? 0);
  stack.forEach((_, index) => {
    bytes.set(writeLayer(stack, index, lengthBehind(placed, index)), offsets[index]);
  });
  stack.forEach((layer, index) => {
    if (layer.kind === 'icrc' && layer.value?.icrc === undefined) writeComputedIcrc(bytes, placed, index, icrcPolicy);
  });
  stack.forEach((layer, index) => {
    if (layer.kind === 'udp' && layer.value?.checksum === 'computed') writeComputedChecksum(bytes, placed, index);
  });
  return bytes;
}

/** Guards against untyped callers. @throws RoceError `invalid-argument` for anything but a list of layers. */
function requireStack(stack: readonly LayerSpec[]): void {
  requireList('stack', stack);
  for (const layer of stack) {
    requireRecord('stack', layer);
    const kind: unknown = layer.kind;
    if (typeof kind !== 'string') throw invalidArgument('stack.kind', kind, 'the name of a layer');
  }
}

/**
 * Adds the parts of a well-formed RoCEv2 packet that callers tend to leave out: the reserved bytes of a CNP, padding to
 * four bytes, the ICRC.
 *
 * @returns the stack with missing parts added; a stack without BTH, or with an ICRC, is returned unchanged.
 */
export function completeStack(stack: readonly LayerSpec[]): LayerSpec[] {
  requireStack(stack);
  const bthIndex = stack.findIndex(({ kind }) => kind === 'bth' || kind === 'mrc-bth');
  const bth = stack[bthIndex];
  if (
    (bth?.kind !== 'bth' && bth?.kind !== 'mrc-bth') ||
    stack.some(({ kind }) => kind === 'icrc' || kind === 'undecoded')
  ) return [...stack];
  const endIndex = stack.findIndex(({ kind }, index) => index > bthIndex && AFTER_ICRC.includes(kind));
  const end = endIndex < 0 ? stack.length : endIndex;
  const before = stack.slice(0, bthIndex);
  const body = stack.slice(bthIndex + 1, end);
  return [...before, ...withPadding(bth, withReserved(bth, body)), { kind: 'icrc' }, ...stack.slice(end)];
}

/** The bytes of one layer, whose length fields cover the next `restBytes` bytes. */
function writeLayer(stack: readonly LayerSpec[], index: number, restBytes: number): Uint8Array {
  const layer = stack[index];
  if (!Object.hasOwn(LAYERS, layer.kind)) throw inLayer(index, layer, 'is of an unknown kind');
  const { write } = LAYERS[layer.kind].codec as { readonly write: (value: unknown) => Uint8Array };
  try {
    const pseudoHeader = pseudoHeaderAt(stack, index);
    const padBytes = layer.kind === 'bth' || layer.kind === 'mrc-bth' ? padBehind(stack, index) : 0;
    return write(fillLayer(layer, { next: stack[index + 1]?.kind, restBytes, padBytes, pseudoHeader }));
  } catch (error) {
    throw inLayer(index, layer, error);
  }
}

function padBehind(stack: readonly LayerSpec[], index: number): number {
  const pad = stack.find((layer, at) => at > index && layer.kind === 'pad');
  return pad?.kind === 'pad' ? pad.value?.bytes.length ?? 0 : 0;
}

/** Bytes between a layer and the first trailer. */
function lengthBehind({ layers, offsets }: PlacedStack, index: number): number {
  const trailer = layers.findIndex((layer, at) => at > index && layer.kind === 'trailer');
  const end = trailer < 0 ? layers.length : trailer;
  return offsets[end] - offsets[index + 1];
}

function writeComputedIcrc(bytes: Uint8Array, placed: PlacedStack, index: number, policy: IcrcPolicy): void {
  const { layers, offsets } = placed;
  const udp = lastBefore(layers, index, ['udp']);
  const ip = lastBefore(layers, udp, ['ipv4', 'ipv6']);
  if (udp < 0 || ip < 0) {
    throw inLayer(index, layers[index], 'needs IP, UDP and BTH before it to be computed');
  }
  try {
    const icrc = Icrc.computeAt(bytes, offsets[ip], offsets[udp], offsets[index], policy);
    Icrc.write(bytes, offsets[index], icrc);
  } catch (error) {
    throw inLayer(index, layers[index], error);
  }
}

function writeComputedChecksum(bytes: Uint8Array, placed: PlacedStack, index: number): void {
  const { layers, offsets } = placed;
  const addresses = pseudoHeaderAt(layers, index);
  if (!addresses) {
    throw inLayer(index, layers[index], 'needs an IP header before it, since its checksum covers the addresses');
  }
  const start = offsets[index];
  const end = offsets[index + 1] + lengthBehind(placed, index);
  const checksum = Udp.computeChecksum(addresses.source, addresses.destination, bytes.subarray(start, end));
  writeU16(bytes, start + UDP_CHECKSUM, checksum);
}

/** @returns the index of the last layer of one of these kinds before `index`, or -1. */
function lastBefore(layers: readonly LayerSpec[], index: number, kinds: readonly LayerKind[]): number {
  return layers.findLastIndex(({ kind }, at) => at < index && kinds.includes(kind));
}

/** Adds the layer's position in the stack to the problem of a layer or of its codec. */
function inLayer(index: number, { kind }: LayerSpec, reason: unknown): RoceError {
  const where = `layers[${index}] ${kind}`;
  if (reason instanceof RoceError) return reason.at(`${where}, ${reason.where}`, 'invalid-argument');
  const what = `${kind} layer`;
  return typeof reason === 'string' ?
    new RoceError('invalid-argument', { what, where, problem: reason }) :
    new RoceError('invalid-argument', { what, where, problem: 'cannot be written', cause: reason });
}

/**
 * The addresses covered by UDP and ICMPv6 checksums (RFC 8200, section 8.1): those of the innermost IP header before
 * layer `index`, if it has them.
 */
function pseudoHeaderAt(stack: readonly LayerSpec[], index: number): PseudoHeader | undefined {
  let lastSegment: Uint8Array | undefined;
  for (let at = index - 1; at >= 0; at--) {
    const layer = stack[at];
    if (layer.kind === 'segment-routing') lastSegment ??= lastSegmentOf(layer);
    if (layer.kind !== 'ipv4' && layer.kind !== 'ipv6') continue;
    if (!layer.value) return undefined;
    const { source, destination } = layer.value;
    return { version: layer.kind === 'ipv4' ? 4 : 6, source, destination: lastSegment ?? destination };
  }
  return undefined;
}

/** With no segments left, the IP header already has the final destination. */
function lastSegmentOf({ value }: Extract<LayerSpec, { kind: 'segment-routing' }>): Uint8Array | undefined {
  if (!value) return undefined;
  const { segments, segmentsLeft = segments.length - 1 } = value;
  return segmentsLeft > 0 ? segments[0] : undefined;
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
