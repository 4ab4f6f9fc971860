/** The description that `roce-cc craft` reads: packets as JSON, in one document or one per line. */
import { LINK_TYPE_ETHERNET } from '../../capture/link-types.js';
import { RoceError, type Allowed } from '../../errors.js';
import { requirePlainJson, requireShallowText } from '../../config/json-limits.js';
import { layersFromJson } from '../../packet/layer-json.js';
import type { LayerSpec } from '../../packet/index.js';

/** Exact: seconds since the epoch and picoseconds within. */
interface PacketTime {
  readonly epochSeconds: number;
  readonly picoseconds: number;
}

/** One packet of a description. */
export interface DescribedPacket extends PacketTime {
  readonly layers: LayerSpec[];
  readonly linkType: number;
  /** Length on the wire, if longer than the layers. */
  readonly originalBytes?: number;
  /** Truncated, trimmed or malformed, as reported by `dissect`; missing parts are then not added. */
  readonly isInTrouble: boolean;
  /** The packet's place, for errors: `packets.json, packet 3`. */
  readonly where: string;
}

const TIME_PATTERN = /^(\d{1,15})(?:\.(\d{1,12}))?$/;
const KNOWN_KEYS = ['packets', 'linkType'];
/** Allowed keys of a packet: those that are read, and those that `dissect` writes for information only. */
const PACKET_KEYS = [
  'time',
  'linkType',
  'originalBytes',
  'layers',
  'trouble',
  'frame',
  'class',
  'why',
  'ip',
  'tunnel',
  'unread',
  'mrc',
  'uet',
  'destQpn',
  'originalDestination',
  'icrc',
  'capturedBytes',
  'error',
];
const DOCUMENT = 'a JSON document with packets, or one packet per line';
const LINK_TYPE_MAX = 0xffff;
/** Maximum layers of a packet: each layer is compared with all others. Dissection stops after 64 IP headers. */
const LAYERS_MAX = 1024;

/**
 * Reads a description.
 * @param file its name in errors.
 * @throws RoceError `invalid-argument` naming packet, layer and field.
 */
export function parseDescription(text: string, file: string): DescribedPacket[] {
  const { packets, linkType } = readDocument(text, file);
  const described: DescribedPacket[] = [];
  let last: PacketTime = { epochSeconds: 0, picoseconds: 0 };
  for (const packet of packets) {
    const where = `${file}, packet ${described.length + 1}`;
    requirePlainJson(packet, 'invalid-argument', where);
    const read = readPacket(packet, linkType, last, where);
    described.push(read);
    last = read;
  }
  return described;
}

/**
 * Reads one JSON document, or one packet per line. Lines are parsed on demand, so parsing stops at the first invalid
 * one.
 */
function readDocument(text: string, file: string): { packets: Iterable<unknown>; linkType: unknown } {
  requireShallowText(text, 'invalid-argument', file);
  const whole = parseJson(text);
  if (whole === undefined) return { packets: readLines(text, file), linkType: LINK_TYPE_ETHERNET };
  if (isPacket(whole)) return { packets: [whole], linkType: LINK_TYPE_ETHERNET };
  if (Array.isArray(whole)) throw rejected(file, 'a list', DOCUMENT);
  const { packets, linkType = LINK_TYPE_ETHERNET } = whole as { packets?: unknown; linkType?: unknown };
  const unknown = Object.keys(whole).find((key) => !KNOWN_KEYS.includes(key));
  if (unknown !== undefined) throw rejected(file, unknown, KNOWN_KEYS, 'a field of the description');
  if (!Array.isArray(packets)) throw rejected(`${file}, packets`, packets, 'a list of packets');
  return { packets, linkType };
}

/** Parses a JSON object or list; undefined if the text is anything else. */
function parseJson(text: string): object | undefined {
  try {
    const json: unknown = JSON.parse(text);
    return typeof json === 'object' && json !== null ? json : undefined;
  } catch {
    return undefined;
  }
}

function isPacket(json: object): boolean {
  return 'layers' in json;
}

function* readLines(text: string, file: string): Generator<object, undefined> {
  let number = 0;
  for (const line of linesOf(text)) {
    number++;
    if (line.trim() === '') continue;
    const json = parseJson(line);
    if (json === undefined) throw rejected(`${file}, line ${number}`, line.trim().slice(0, 60), DOCUMENT);
    yield json;
  }
}

/** Yields lines one at a time: an array of all lines would take more memory than the text. */
function* linesOf(text: string): Generator<string, undefined> {
  let from = 0;
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', from)) {
    yield text.slice(from, end);
    from = end + 1;
  }
  yield text.slice(from);
}

/** @param last the previous packet, whose time is the default. */
function readPacket(json: unknown, fileLinkType: unknown, last: PacketTime, where: string): DescribedPacket {
  if (typeof json !== 'object' || json === null) throw rejected(where, json, 'an object with layers');
  const unknown = Object.keys(json).find((key) => !PACKET_KEYS.includes(key));
  if (unknown !== undefined) throw rejected(where, unknown, PACKET_KEYS, 'a field of the packet');
  const { layers, time = null, linkType = fileLinkType, originalBytes, trouble, mrc, uet } = json as Record<
    string,
    unknown
  >;
  const isLength = originalBytes === undefined || Number.isInteger(originalBytes);
  if (!isLength) throw rejected(`${where}, originalBytes`, originalBytes, 'a whole number of bytes');
  if (Array.isArray(layers) && layers.length > LAYERS_MAX)
    throw rejected(`${where}, layers`, layers.length, { max: LAYERS_MAX }, 'the number of layers');
  return {
    layers: layersFromJson(layers, `${where}, layers`),
    linkType: requireLinkType(linkType, where),
    isInTrouble: trouble !== undefined || isTrimmed(mrc) || isTrimmed(uet),
    ...(time === null ? { epochSeconds: last.epochSeconds, picoseconds: last.picoseconds } : readTime(time, where)),
    ...(typeof originalBytes === 'number' ? { originalBytes } : {}),
    where,
  };
}

/** Whether the reading of an MRC or Ultra Ethernet packet says that it is trimmed; then it may end anywhere. */
function isTrimmed(reading: unknown): boolean {
  return typeof reading === 'object' && reading !== null && (reading as { isTrimmed?: unknown }).isTrimmed === true;
}

function requireLinkType(linkType: unknown, where: string): number {
  if (typeof linkType === 'number' && Number.isInteger(linkType) && linkType >= 0 && linkType <= LINK_TYPE_MAX) {
    return linkType;
  }
  throw rejected(`${where}, linkType`, linkType, { min: 0, max: LINK_TYPE_MAX, multipleOf: 1 });
}

function readTime(time: unknown, where: string): PacketTime {
  const match = TIME_PATTERN.exec(typeof time === 'string' || typeof time === 'number' ? `${time}` : '');
  if (match === null) throw rejected(`${where}, time`, time, 'seconds since the epoch as text, up to 12 decimals');
  return { epochSeconds: Number(match[1]), picoseconds: Number((match[2] ?? '').padEnd(12, '0')) };
}

function rejected(where: string, got: unknown, allowed: Allowed, what = 'the description'): RoceError {
  return new RoceError('invalid-argument', { what, got, allowed, where });
}
