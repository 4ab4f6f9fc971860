/**
 * A packet in words: one line, or a tree of its layers and fields in the manner of packet analysers.
 */
import { formatIpAddress } from '../wire/ip/ip-address.js';
import { opcodeName } from '../wire/roce/opcodes.js';
import type { Packet } from './dissect.js';
import { toJson, type Json } from './layer-json.js';
import type { Layer } from './layers.js';
import { readOptionContents } from './option-contents.js';
import { ECN_WORDS, LAYER_TITLES, NUMBER_FORMS, WHY_WORDS } from './words.js';

const INDENT = '    ';

/**
 * A packet in one line: addresses, what it is, QPN and PSN, ECN, ICRC, length.
 *
 * @example
 * describe(dissect(bytes)); // '10.0.17.1 > 10.0.18.1  CNP QP 0x000118 PSN 0  DSCP 48 ECT(0)  74 octets'
 */
export function describe(packet: Packet): string {
  const parts = [addresses(packet), whatItIs(packet), marking(packet), verdict(packet), `${packet.originalBytes} octets`];
  return parts.filter((part) => part !== '').join('  ');
}

function addresses({ ip }: Packet): string {
  return ip ? `${formatIpAddress(ip.source)} > ${formatIpAddress(ip.destination)}` : '';
}

function whatItIs(packet: Packet): string {
  const bth = packet.layers.find((layer) => layer.kind === 'bth');
  if (!bth || packet.destQpn === undefined) return otherName(packet);
  const { opcode, destQpn, psn } = bth.value;
  const name = fastCnpName(packet) ?? opcodeName(opcode) ?? `opcode ${hex(opcode, 2)}`;
  return `${name} QP ${hex(destQpn, 6)} PSN ${psn}`;
}

function otherName({ class: name, layers }: Packet): string {
  const innermost = layers.findLast(({ kind }) => kind !== 'payload' && kind !== 'trailer' && kind !== 'undecoded');
  if (name === 'pfc') return 'PFC';
  if (name === 'roceV1') return 'RoCEv1';
  return name === 'other' ? (innermost ? LAYER_TITLES[innermost.kind] : 'nothing known') : name;
}

function fastCnpName(packet: Packet): string | undefined {
  if (packet.class !== 'fastCnp1' && packet.class !== 'fastCnp2') return undefined;
  return packet.class === 'fastCnp1' ? 'Fast CNP (option 1)' : 'Fast CNP (option 2)';
}

function marking({ ip, destQpn }: Packet): string {
  return ip && destQpn !== undefined ? `DSCP ${ip.dscp} ${ECN_WORDS[ip.ecn]}` : '';
}

function verdict({ why, icrc, trouble }: Packet): string {
  if (why !== 'none') return WHY_WORDS[why];
  if (trouble) return trouble.isCut ? 'cut by the capture' : `trouble in ${trouble.layer}`;
  return icrc === 'wrong' ? 'ICRC wrong' : '';
}

/**
 * A packet as a tree: a line for each layer with where it is, below it a line for each field.
 * @returns lines joined by newlines, the last one without.
 */
export function describeTree(packet: Packet): string {
  const { capturedBytes, originalBytes, trouble } = packet;
  const lines = [`Frame: ${originalBytes} octets on the wire, ${capturedBytes} captured; ${packet.class}`];
  for (const layer of packet.layers) lines.push(...layerLines(layer, packet));
  if (trouble) lines.push(`Trouble: ${trouble.message}`);
  return lines.join('\n');
}

function layerLines(layer: Layer, { icrc }: Packet): string[] {
  const { kind, offset, lenBytes } = layer;
  const range = `[${offset}..${offset + lenBytes - 1}]`;
  const note = kind === 'icrc' && icrc ? `, ${icrc}` : '';
  const title = `${LAYER_TITLES[kind]}, ${lenBytes} octets ${range}${note}`;
  if (kind === 'hop-by-hop' || kind === 'destination-options') {
    const options = layer.value.options.flatMap((option) => [
      ...fieldLines('option', toJson(option), 1),
      ...fieldLines('contents', toJson(readOptionContents(option, kind) ?? null), 2),
    ]);
    return [title, ...fieldLines('nextHeader', layer.value.nextHeader, 1), ...options];
  }
  return [title, ...Object.entries(toJson(layer.value) as object).flatMap(([name, json]) => fieldLines(name, json as Json, 1))];
}

/** A field, and below it its own fields if it has some. */
function fieldLines(name: string, json: Json, depth: number): string[] {
  if (json === null) return [];
  const start = `${INDENT.repeat(depth)}${name}:`;
  if (typeof json !== 'object') return [`${start} ${scalarText(name, json)}`];
  if (json instanceof Array) {
    if (json.every((item) => typeof item !== 'object')) return json.length === 0 ? [] : [`${start} ${json.map((item) => scalarText(name, item)).join(', ')}`];
    return json.flatMap((item, index) => fieldLines(`${name}[${index}]`, item, depth));
  }
  return [start, ...Object.entries(json).flatMap(([key, item]) => fieldLines(key, item, depth + 1))];
}

function scalarText(name: string, value: Json): string {
  if (typeof value !== 'number') return typeof value === 'string' ? value : JSON.stringify(value);
  const { hexDigits, meaning } = NUMBER_FORMS[name] ?? {};
  const digits = hexDigits === undefined ? `${value}` : hex(value, hexDigits);
  const word = meaning?.(value);
  return word === undefined ? digits : `${digits} (${word})`;
}

function hex(value: number, digits: number): string {
  return `0x${value.toString(16).padStart(digits, '0')}`;
}
