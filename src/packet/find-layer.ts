/** Helpers to describe a packet: look-up of layers, and formatting of numbers. */
import type { Packet } from './dissect.js';
import type { LayerKind } from './layer-kinds.js';
import type { LayerOf } from './layers.js';

/** @returns the first layer of a kind. */
export function findLayer<Kind extends LayerKind>({ layers }: Packet, kind: Kind): LayerOf<Kind> | undefined {
  return layers.find((layer) => layer.kind === kind) as LayerOf<Kind> | undefined;
}

/** A number in hexadecimal with at least this many digits. */
export function hex(value: number | bigint, digits: number): string {
  return `0x${value.toString(16).padStart(digits, '0')}`;
}
