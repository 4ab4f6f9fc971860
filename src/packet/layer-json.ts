/**
 * Packets as plain JSON and back: addresses as text, other bytes as hex digits, 64-bit numbers as decimal text. What
 * `packetToJson` writes, `layersFromJson` reads; there, too, everything that follows from other layers may be left out.
 */
import { RoceError } from '../errors.js';
import { formatIpAddress, formatIpv6Address, parseIpAddress } from '../wire/ip/ip-address.js';
import { layOutOptions, type OptionField } from '../wire/ip/options-header.js';
import { MAC_BYTES } from '../wire/link/ethernet.js';
import type { FastCnpOptionTypes } from '../wire/roce/fast-cnp-option.js';
import type { Packet } from './dissect.js';
import { requireFields } from './layer-fields.js';
import { LAYER_NAMES, type LayerKind } from './layer-kinds.js';
import type { Layer } from './layers.js';
import { alignOption, readOptionContents } from './option-contents.js';
import type { LayerSpec } from './stack.js';

/** What JSON can say. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** How bytes of a field are written; all others as hex digits. */
const ADDRESS_FIELDS = [
  'source',
  'destination',
  'originalDestination',
  'originator',
  'sourceGid',
  'destinationGid',
  'segments',
];
const BYTE_FIELDS = ['bytes', 'data', 'tlvs', 'address', 'freeSpace'];
const WIDE_FIELDS = ['virtualAddress', 'swapOrAdd', 'compare', 'original'];
/** What a dissection adds to each layer, and to options. */
const ADDED_FIELDS = ['kind', 'offset', 'lenBytes', 'contents'];

/**
 * A packet as JSON: class, trouble and layers, each layer's fields beside its `kind`.
 * @param optionTypes those that the packet was dissected with: options of these types have their contents beside their data.
 */
export function packetToJson(packet: Packet, optionTypes: FastCnpOptionTypes = {}): Readonly<Record<string, Json>> {
  const { layers, ...summary } = packet;
  return {
    ...(toJson(summary) as Readonly<Record<string, Json>>),
    layers: layers.map((layer) => layerToJson(layer, optionTypes)),
  };
}

function layerToJson({ kind, offset, lenBytes, value }: Layer, optionTypes: FastCnpOptionTypes): Json {
  const fields = toJson(value) as Readonly<Record<string, Json>>;
  if (kind !== 'hop-by-hop' && kind !== 'destination-options') return { kind, offset, lenBytes, ...fields };
  const options = value.options.map((option) => {
    const contents = readOptionContents(option, kind, optionTypes);
    return { ...(toJson(option) as object), ...(contents ? { contents: toJson(contents) } : {}) };
  });
  return { kind, offset, lenBytes, ...fields, options };
}

/** Any value object as JSON. */
export function toJson(value: unknown, field = ''): Json {
  if (value instanceof Uint8Array) return bytesToText(value, field);
  if (typeof value === 'bigint') return value.toString();
  if (Array.isArray(value)) return value.map((item) => toJson(item, field));
  if (typeof value !== 'object' || value === null) return value as Json;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, toJson(item, key)]));
}

function bytesToText(bytes: Uint8Array, field: string): string {
  if (ADDRESS_FIELDS.includes(field)) {
    if (bytes.length === MAC_BYTES) return formatMac(bytes);
    return field.endsWith('Gid') ? formatIpv6Address(bytes) : formatIpAddress(bytes);
  }
  return hexOf(bytes, '');
}

/** `02:00:00:00:00:01` */
export function formatMac(bytes: Uint8Array): string {
  return hexOf(bytes, ':');
}

function hexOf(bytes: Uint8Array, separator: string): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join(separator);
}

/**
 * The stack that a list of JSON layers describes.
 *
 * Each is an object with its `kind` and the fields of its value. Options of which one has no `kind`, only `type` and
 * `data`, are put where they belong, with padding.
 *
 * @throws RoceError `invalid-argument` naming the layer and the field.
 */
export function layersFromJson(json: unknown, where = 'layers'): LayerSpec[] {
  if (!Array.isArray(json)) throw refused(where, json, 'a list of layers');
  return json.map((layer, index) => layerFromJson(layer, `${where}[${index}]`));
}

function layerFromJson(json: unknown, where: string): LayerSpec {
  const fields = requireObject(json, where);
  const { kind } = fields;
  if (typeof kind !== 'string' || kind === 'none' || !(LAYER_NAMES as readonly string[]).includes(kind)) {
    throw refused(`${where}.kind`, kind, LAYER_NAMES.slice(1).join(', '));
  }
  const value = fromJson(fields, where) as Record<string, unknown>;
  if (kind === 'hop-by-hop' || kind === 'destination-options') {
    value['options'] = optionsFromJson(fields['options'], where);
  }
  if (kind === 'ipv4' && typeof value['options'] === 'string') {
    value['options'] = bytesFromHex(value['options'], `${where}.options`);
  }
  requireFields(kind as LayerKind, value, where);
  return { kind, value } as unknown as LayerSpec;
}

function optionsFromJson(json: unknown, where: string): OptionField[] {
  if (!Array.isArray(json)) throw refused(`${where}.options`, json, 'a list of options');
  const fields = json.map((option, index) => optionFromJson(option, `${where}.options[${index}]`));
  // As a dissection tells them, they are all there is; as users write them, padding is to be added.
  if (json.length > 0 && json.every((option) => (option as { kind?: unknown }).kind !== undefined)) return fields;
  try {
    return layOutOptions(fields.map((field) => alignOption(...typeAndData(field))));
  } catch (error) {
    if (!(error instanceof RoceError)) throw error;
    throw error.at(`${where}, ${error.where}`);
  }
}

function optionFromJson(json: unknown, where: string): OptionField {
  const fields = requireObject(json, where);
  const { kind = 'option' } = fields;
  if (kind === 'pad1') return { kind };
  const { data } = fromJson(fields, where) as { data?: unknown };
  if (!(data instanceof Uint8Array)) throw refused(`${where}.data`, data, 'hex digits');
  if (kind === 'padn') return { kind, data };
  if (kind !== 'option') throw refused(`${where}.kind`, kind, 'pad1, padn or option');
  return { kind, type: fields['type'] as number, data };
}

function typeAndData(field: OptionField): [number, Uint8Array] {
  return field.kind === 'option' ? [field.type, field.data] : [0, new Uint8Array(0)];
}

/** The reverse of `toJson` without what a dissection adds. */
function fromJson(json: unknown, where: string, field = ''): unknown {
  if (typeof json === 'string') return textToValue(json, where, field);
  if (Array.isArray(json)) return json.map((item: unknown, index) => fromJson(item, `${where}[${index}]`, field));
  if (typeof json !== 'object' || json === null) {
    return WIDE_FIELDS.includes(field) ?
      wideFromNumber(json, where) :
      json;
  }
  const entries = Object.entries(json).filter(([key]) => !ADDED_FIELDS.includes(key));
  return Object.fromEntries(entries.map(([key, item]) => [key, fromJson(item, `${where}.${key}`, key)]));
}

function textToValue(text: string, where: string, field: string): unknown {
  if (ADDRESS_FIELDS.includes(field)) {
    return /^([0-9a-f]{2}[:-]){5}[0-9a-f]{2}$/i.test(text) ?
      bytesFromHex(text.replaceAll(/[:-]/g, ''), where) :
      parseIpAddress(text, where);
  }
  if (BYTE_FIELDS.includes(field)) return bytesFromHex(text, where);
  if (!WIDE_FIELDS.includes(field)) return text;
  if (!/^(0x[0-9a-f]+|\d+)$/i.test(text)) throw refused(where, text, 'a whole number as text, decimal or 0x...');
  return BigInt(text);
}

function wideFromNumber(value: unknown, where: string): bigint {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return BigInt(value);
  throw refused(where, value, 'a whole number up to 2^53 - 1, or larger ones as text');
}

function bytesFromHex(text: string, where: string): Uint8Array {
  if (!/^([0-9a-f]{2})*$/i.test(text)) throw refused(where, text, 'hex digits, two for each byte');
  return Uint8Array.from(text.match(/../g) ?? [], (digits) => Number.parseInt(digits, 16));
}

function requireObject(json: unknown, where: string): Record<string, unknown> {
  if (typeof json === 'object' && json !== null && !Array.isArray(json)) return json as Record<string, unknown>;
  throw refused(where, json, 'an object');
}

function refused(where: string, got: unknown, allowed: string): RoceError {
  return new RoceError('invalid-argument', 'bad description', { got, allowed, where });
}
