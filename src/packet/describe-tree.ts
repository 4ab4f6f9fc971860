/** A packet as a tree of layers and fields, as in packet analysers. */
import { requireRecord } from '../wire/bytes.js';
import type { OptionField } from '../wire/ip/ipv6-options.js';
import type { FastCnpOptionTypes } from '../wire/roce/fast-cnp-option.js';
import { type IoamFieldName, IoamNode } from '../wire/telemetry/ioam-node.js';
import type { Packet } from './dissect.js';
import { bytesToText } from './layer-json.js';
import { LAYERS, type Layer } from './layers.js';
import { readOptionContents, type OptionContents } from './option-contents.js';
import { mrcLines } from './multipath-words.js';
import { rejection } from './describe.js';
import type { UetReading } from './multipath-readings.js';
import { hex, NUMBER_FORMS, OPTION_WORDS } from './words.js';

const INDENT = '    ';
/** Longer byte fields show only their beginning. */
const MOST_BYTES_SHOWN = 64;
const BYTES_OF_LONG = 32;

/**
 * A packet as a tree: a line for each layer with its position, and below it a line for each field.
 *
 * @param optionTypes the option types used to dissect the packet: options of these types are decoded.
 * @returns lines joined by newlines, without one at the end.
 */
export function describeTree(packet: Packet, optionTypes: FastCnpOptionTypes = {}): string {
  requireRecord('packet', packet);
  requireRecord('optionTypes', optionTypes);
  const { capturedBytes, originalBytes, trouble, mrc, uet } = packet;
  const kind = mrc === undefined ? plainKind(packet, uet) : `MRC, ${mrc.kind}`;
  const lines = [
    `Frame: ${originalBytes} bytes on the wire, ${capturedBytes} captured; ${kind}`,
  ];
  for (const layer of packet.layers) lines.push(titleOf(layer, packet), ...valueLines(layer, optionTypes));
  if (mrc !== undefined) lines.push('Multipath Reliable Connection', ...mrcLines(mrc).map((line) => INDENT + line));
  if (trouble) lines.push(`Trouble: ${trouble.message}`);
  return lines.join('\n');
}

function plainKind(packet: Packet, uet: UetReading | undefined): string {
  return uet === undefined ? rejection(packet) ?? packet.class : `UET, ${uet.typeName ?? `type ${uet.type}`}`;
}

function titleOf({ kind, offset, lenBytes }: Layer, { icrc }: Packet): string {
  const note = kind === 'icrc' && icrc ? `, ${icrc}` : '';
  return `${LAYERS[kind].title}, ${lenBytes} bytes [${offset}..${offset + lenBytes - 1}]${note}`;
}

function valueLines(layer: Layer, optionTypes: FastCnpOptionTypes): string[] {
  const { kind, value } = layer;
  if (kind !== 'hop-by-hop' && kind !== 'destination-options') return membersOf(value, 1);
  const options = value.options.flatMap((option) => optionLines(option, readOptionContents(option, kind, optionTypes)));
  return [...fieldLines('nextHeader', value.nextHeader, 1), ...options];
}

function optionLines(option: OptionField, contents: OptionContents | undefined): string[] {
  if (option.kind === 'pad1') return [`${INDENT}pad1`];
  const { data } = option;
  if (option.kind === 'padn') return [`${INDENT}padn, ${data.length + 2} bytes`];
  const name = contents ? `, ${OPTION_WORDS[contents.kind]}` : '';
  const title = `${INDENT}option ${hex(option.type, 2)}${name}, ${data.length + 2} bytes`;
  return [title, ...fieldLines('data', data, 2), ...contentsLines(contents)];
}

function contentsLines(contents: OptionContents | undefined): string[] {
  if (!contents) return [];
  const trace = 'trace' in contents ? contents.trace : undefined;
  const readable = trace ? { ...contents, trace: { ...trace, nodes: trace.nodes.map(readableNode) } } : contents;
  // The title already states the kind.
  return Object.entries(readable).flatMap(([name, item]) => (name === 'kind' ? [] : fieldLines(name, item, 2)));
}

/** All ones mean that the node does not know the value (RFC 9197, section 4.4.2). */
function readableNode(node: IoamNode): object {
  const entries = Object.entries(node) as [IoamFieldName, number | bigint][];
  return Object.fromEntries(
    entries.map(([name, value]) => [name, IoamNode.isUnavailable(name, value) ? 'not available' : value]),
  );
}

function membersOf(value: object, depth: number): string[] {
  return Object.entries(value).flatMap(([name, item]) => fieldLines(name, item, depth));
}

/** A field, with nested fields below it; an empty byte field has no line. */
function fieldLines(name: string, value: unknown, depth: number): string[] {
  const start = `${INDENT.repeat(depth)}${name}:`;
  if (Array.isArray(value)) return listLines(name, value, depth);
  if (value instanceof Uint8Array && value.length === 0) return [];
  return isRecord(value) ? [start, ...membersOf(value, depth + 1)] : [`${start} ${scalarText(name, value)}`];
}

function listLines(name: string, list: readonly unknown[], depth: number): string[] {
  if (list.some(isRecord)) return list.flatMap((item, index) => fieldLines(`${name}[${index}]`, item, depth));
  const items = list.map((item) => scalarText(name, item)).join(', ');
  return list.length === 0 ? [] : [`${INDENT.repeat(depth)}${name}: ${items}`];
}

function isRecord(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !(value instanceof Uint8Array);
}

function scalarText(name: string, value: unknown): string {
  if (value instanceof Uint8Array) return shownBytes(name, value);
  if (typeof value !== 'number' && typeof value !== 'bigint') return String(value);
  const { hexDigits, meaning } = NUMBER_FORMS[name] ?? {};
  const digits = hexDigits === undefined ? `${value}` : hex(value, hexDigits);
  const word = meaning?.(Number(value));
  return word === undefined ? digits : `${digits} (${word})`;
}

function shownBytes(name: string, bytes: Uint8Array): string {
  if (bytes.length <= MOST_BYTES_SHOWN) return bytesToText(bytes, name);
  return `${bytesToText(bytes.subarray(0, BYTES_OF_LONG), name)}... (${bytes.length} bytes)`;
}
