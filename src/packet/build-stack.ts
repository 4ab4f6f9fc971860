/**
 * Builds bytes from a stack of layers: lengths, next headers, checksums and the ICRC are computed unless given. Given values
 * are written unchanged, so invalid packets can be made on purpose.
 */
import { requireStack } from './stack.js';
import { RoceError } from '../errors.js';
import { UDP_CHECKSUM, Udp } from '../wire/ip/udp.js';
import { requireChoice, writeU16, requireRecord } from '../wire/bytes.js';
import { Icrc, type IcrcPolicy } from '../wire/roce/icrc.js';
import type { LayerKind } from './layer-kinds.js';
import { LAYERS, fillLayer, type LayerSpec } from './layers.js';
import { pseudoHeaderAt } from './pseudo-header.js';

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
