/**
 * Packets as plain JSON and back: addresses as text, other bytes as hex digits, 64-bit numbers as decimal text.
 * `layersFromJson` reads the output of `packetToJson`; fields that can be computed from other layers may be omitted.
 */
import { requireRecord } from '../wire/bytes.js';
import { RoceError, type Allowed } from '../errors.js';
import { formatIpAddress, formatIpv6Address, parseIpAddress } from '../wire/ip/ip-address.js';
import { type OptionField, OptionsHeader } from '../wire/ip/ipv6-options.js';
import { Ethernet } from '../wire/link/ethernet.js';
import type { FastCnpOptionTypes } from '../wire/roce/fast-cnp-option.js';
import type { Packet } from './dissect.js';
import { LAYER_NAMES, type LayerKind } from './layer-kinds.js';
import type { LayerFieldForm } from './layer-codec.js';
import { LAYERS, type Layer, type LayerSpec } from './layers.js';
import { alignOption, readOptionContents } from './option-contents.js';

/** Any JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** Deeper than any packet's value. */
const JSON_DEPTH_MAX = 64;
/** Fields written as addresses; all other bytes are hex digits. */
const ADDRESS_FIELDS = [
  'source',
  'destination',
  'originalDestination',
  'originator',
  'sourceGid',
  'destinationGid',
  'segments',
];
/** Fields that a dissection adds to each layer. */
const ADDED_FIELDS = ['kind', 'offset', 'lenBytes'];

/**
 * A packet as JSON: class, trouble and layers, each with its `kind` and its fields.
 *
 * @param optionTypes the option types used to dissect the packet: options of these types are decoded next to their
 * data.
 */
export function packetToJson(packet: Packet, optionTypes: FastCnpOptionTypes = {}): Readonly<Record<string, Json>> {
  requireRecord('packet', packet);
  requireRecord('optionTypes', optionTypes);
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

/**
 * Converts any value object to JSON.
 *
 * @param field name of the value, by which addresses are recognised.
 * @throws RoceError `invalid-argument` for a value nested deeper than any packet, or a cyclic one.
 */
export function toJson(value: unknown, field = ''): Json {
  return jsonOf(value, field, 0);
}

function jsonOf(value: unknown, field: string, depth: number): Json {
  if (depth > JSON_DEPTH_MAX) throw rejected('value', undefined, `nested at most ${JSON_DEPTH_MAX} deep`);
  if (value instanceof Uint8Array) return bytesToText(value, field);
  if (typeof value === 'bigint') return value.toString();
  if (Array.isArray(value)) return value.map((item) => jsonOf(item, field, depth + 1));
  if (typeof value !== 'object' || value === null) return value as Json;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, jsonOf(item, key, depth + 1)]));
}

/** Bytes as text: addresses in their usual notation, others as hex digits. */
export function bytesToText(bytes: Uint8Array, field: string): string {
  if (ADDRESS_FIELDS.includes(field)) {
    if (bytes.length === Ethernet.MAC_BYTES) return formatMac(bytes);
    return field.endsWith('Gid') ? formatIpv6Address(bytes) : formatIpAddress(bytes);
  }
  return hexOf(bytes, '');
}

/** A MAC address as text: `02:00:00:00:00:01`. */
export function formatMac(bytes: Uint8Array): string {
  return hexOf(bytes, ':');
}

function hexOf(bytes: Uint8Array, separator: string): string {
  if (bytes.length === 0) return '';
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join(separator);
}

/**
 * Reads a stack from a list of JSON layers.
 *
 * Each is an object with its `kind` and the fields of its value. Options without `kind` (only `type` and `data`) are placed
 * at their alignment, with padding.
 *
 * @throws RoceError `invalid-argument` naming the layer and the field.
 */
export function layersFromJson(json: unknown, where = 'layers'): LayerSpec[] {
  if (typeof where !== 'string') throw rejected('where', where, 'a text');
  if (!Array.isArray(json)) throw rejected(where, json, 'a list of layers', 'the value of layers');
  return json.map((layer, index) => layerFromJson(layer, `${where}[${index}]`));
}

function layerFromJson(json: unknown, where: string): LayerSpec {
  const { kind, ...fields } = requireObject(json, where);
  if (typeof kind !== 'string' || kind === 'none' || !(LAYER_NAMES as readonly string[]).includes(kind)) {
    throw rejected(`${where}.kind`, kind, LAYER_NAMES.slice(1));
  }
  const { forms } = LAYERS[kind as LayerKind].codec as { forms: Readonly<Record<string, LayerFieldForm>> };
  const given = forms['options'] === 'options' ? { options: undefined, ...fields } : fields;
  const value: Record<string, unknown> = {};
  for (const [field, item] of Object.entries(given)) {
    if (ADDED_FIELDS.includes(field)) continue;
    if (!Object.hasOwn(forms, field)) throw rejected(where, field, Object.keys(forms), `field of a layer ${kind}`);
    value[field] = fieldFromJson(forms[field], item, `${where}.${field}`, field);
  }
  return { kind, value } as unknown as LayerSpec;
}

/** Rejects a misspelt field, or `1` instead of `true`; the codecs check the range of numbers. */
function fieldFromJson(form: LayerFieldForm, json: unknown, where: string, field: string): unknown {
  switch (form) {
    case 'number':
      return required(typeof json === 'number', json, where, 'a number');
    case 'checksum':
      return required(typeof json === 'number' || json === 'computed', json, where, 'a number, or "computed"');
    case 'flag':
      return required(typeof json === 'boolean', json, where, 'true or false');
    case 'wide':
      return wideFromJson(json, where);
    case 'bytes':
    case 'ipv4-address':
      required(typeof json === 'string', json, where, 'bytes or an address, as text');
      return bytesFromText(json as string, where, field);
    case 'options':
      return optionsFromJson(json, where);
    case 'list':
      return nestedFromJson(required(Array.isArray(json), json, where, 'a list'), where, field);
    case 'object':
      return nestedFromJson(requireObject(json, where), where, field);
  }
}

/** Converts lists and objects within a field, which may also contain addresses. */
function nestedFromJson(json: unknown, where: string, field: string): unknown {
  if (typeof json === 'string' && ADDRESS_FIELDS.includes(field)) return bytesFromText(json, where, field);
  if (Array.isArray(json)) return json.map((item, index) => nestedFromJson(item, `${where}[${index}]`, field));
  if (typeof json !== 'object' || json === null) return json;
  return Object.fromEntries(
    Object.entries(json).map(([key, item]) => [key, nestedFromJson(item, `${where}.${key}`, key)]),
  );
}

function optionsFromJson(json: unknown, where: string): OptionField[] {
  if (!Array.isArray(json)) throw rejected(where, json, 'a list of options');
  const fields = json.map((option, index) => optionFromJson(option, `${where}[${index}]`));
  // Options from a dissection include their padding; options that users write need it added.
  if (json.length > 0 && json.every((option) => (option as { kind?: unknown }).kind !== undefined)) return fields;
  try {
    return OptionsHeader.layOut(fields.map((field) => alignOption(...typeAndData(field))));
  } catch (error) {
    if (!(error instanceof RoceError)) throw error;
    throw error.at(`${where.slice(0, where.lastIndexOf('.'))}, ${error.where}`);
  }
}

function optionFromJson(json: unknown, where: string): OptionField {
  const { kind = 'option', type, data: digits } = requireObject(json, where);
  if (kind === 'pad1') return { kind };
  if (typeof digits !== 'string') throw rejected(`${where}.data`, digits, 'hex digits');
  const data = bytesFromHex(digits, `${where}.data`);
  if (kind === 'padn') return { kind, data };
  if (kind !== 'option') throw rejected(`${where}.kind`, kind, ['pad1', 'padn', 'option']);
  return { kind, type: type as number, data };
}

function typeAndData(field: OptionField): [number, Uint8Array] {
  return field.kind === 'option' ? [field.type, field.data] : [0, new Uint8Array(0)];
}

function wideFromJson(json: unknown, where: string): bigint {
  if (typeof json === 'number' && Number.isSafeInteger(json) && json >= 0) return BigInt(json);
  if (typeof json === 'string' && /^(0x[0-9a-f]{1,40}|\d{1,40})$/i.test(json)) return BigInt(json);
  throw rejected(where, json, 'a whole number, as text from 2^53 on');
}

function bytesFromText(text: string, where: string, field: string): Uint8Array {
  if (!ADDRESS_FIELDS.includes(field)) return bytesFromHex(text, where);
  const isMac = /^([0-9a-f]{2}[:-]){5}[0-9a-f]{2}$/i.test(text);
  return isMac ? bytesFromHex(text.replaceAll(/[:-]/g, ''), where) : parseIpAddress(text, where);
}

function bytesFromHex(text: string, where: string): Uint8Array {
  // A single regular expression over pairs of digits would overflow the stack on millions of them.
  const isHex = text.length % 2 === 0 && !/[^0-9a-f]/i.test(text);
  if (!isHex) throw rejected(where, text, 'hex digits, two for each byte');
  const bytes = new Uint8Array(text.length / 2);
  for (let at = 0; at < bytes.length; at++) bytes[at] = Number.parseInt(text.slice(2 * at, 2 * at + 2), 16);
  return bytes;
}

function requireObject(json: unknown, where: string): Record<string, unknown> {
  if (typeof json === 'object' && json !== null && !Array.isArray(json)) return json as Record<string, unknown>;
  throw rejected(where, json, 'an object');
}

function required(holds: boolean, json: unknown, where: string, allowed: string): unknown {
  if (holds) return json;
  throw rejected(where, json, allowed);
}

function rejected(where: string, got: unknown, allowed: Allowed, what?: string): RoceError {
  return new RoceError('invalid-argument', { where, got, allowed, ...(what === undefined ? {} : { what }) });
}
