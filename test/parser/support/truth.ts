/** Compares the expected fields of a frame in a capture's CSV with the record of a parser. */
import { parse } from 'csv-parse/sync';
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import * as codes from '../../../src/abi/codes.js';
import type { ParsedFrame } from '../../../src/reference/parse-frame.js';

export type Row = Readonly<Record<string, string>>;

const CLASS_OF_NAME: Readonly<Record<string, number>> = {
  other: codes.CLASS_OTHER,
  data: codes.CLASS_DATA,
  ack: codes.CLASS_ACK,
  nak: codes.CLASS_NAK,
  cnp: codes.CLASS_CNP,
  fast_cnp_1: codes.CLASS_FAST_CNP_1,
  fast_cnp_2: codes.CLASS_FAST_CNP_2,
  roce_v1: codes.CLASS_ROCE_V1,
  pfc: codes.CLASS_PFC,
  malformed: codes.CLASS_MALFORMED,
};

/** Reasons of frames that end before a complete UDP header, which may be classified as other or malformed. */
const MAY_BE_OTHER = /^(trunc-wire-(eth|vlan|ip4|ip6|dstopt|udp|pfc)|vlan-no-type|empty|ipver|ihl|iplen-abs|ip6-plen0)/;

export function readRows(path: string): Row[] {
  const raw = readFileSync(path);
  return parse(path.endsWith('.gz') ? gunzipSync(raw) : raw, { columns: true }) as Row[];
}

export function isRoceV2(classCode: number): boolean {
  return classCode >= codes.CLASS_DATA && classCode <= codes.CLASS_FAST_CNP_2;
}

/** Describes every difference between the CSV and the record; empty when there is none. */
export function disagreements(row: Row, data: Uint8Array, record: ParsedFrame): string[] {
  if (row['class'] === 'ambiguous') return [];
  const pairs: [column: string, got: string][] = [];
  const isTolerated = record.classCode === codes.CLASS_OTHER && MAY_BE_OTHER.test(row['reason'] ?? '');
  const className = Object.keys(CLASS_OF_NAME).find((name) => CLASS_OF_NAME[name] === record.classCode);
  if (!isTolerated) pairs.push(['class', className ?? `class ${record.classCode}`]);
  if (row['class'] !== 'malformed') {
    pairs.push(...ipPairs(data, record));
    if (isRoceV2(record.classCode)) pairs.push(...rocePairs(data, record));
    pairs.push(...optionPairs(data, record));
    pairs.push(['icrc_ok', { [codes.ICRC_RIGHT]: '1', [codes.ICRC_WRONG]: '0' }[record.icrc] ?? 'na']);
  }
  return pairs.flatMap(([column, got]) => {
    const expected = normalise(column, row[column] ?? '');
    return expected === got ? [] : [`${column}: expected ${expected}, got ${got}`];
  });
}

function normalise(column: string, text: string): string {
  const isAddress = ['src', 'dst', 'fastcnp_orig_dst'].includes(column) && text !== '';
  return isAddress ? hex(addressBytes(text)) : text;
}

function ipPairs(data: Uint8Array, record: ParsedFrame): [string, string][] {
  const { ipVersion, ipOffset, trafficClass } = record;
  if (ipVersion === 0) return [['ip_version', ''], ['src', ''], ['dst', ''], ['dscp', ''], ['ecn', '']];
  const [source, bytes] = ipVersion === 4 ? [ipOffset + 12, 4] : [ipOffset + 8, 16];
  return [
    ['ip_version', String(ipVersion)],
    ['src', hex(data.subarray(source, source + bytes))],
    ['dst', hex(data.subarray(source + bytes, source + 2 * bytes))],
    ['dscp', String(trafficClass >> 2)],
    ['ecn', String(trafficClass & 3)],
  ];
}

function rocePairs(data: Uint8Array, record: ParsedFrame): [string, string][] {
  const bth = record.bthOffset;
  const pairs: [string, string][] = [
    ['udp_sport', String(number(data, bth - 8, 2))],
    ['bth_opcode', String(record.opcode)],
    ['dest_qp', String(record.destQpn)],
    ['psn', String(number(data, bth + 9, 3))],
    ['becn', String((number(data, bth + 4, 1) >> 6) & 1)],
    ['pkey', `0x${hex(data.subarray(bth + 2, bth + 4))}`],
  ];
  if (record.icrc !== codes.ICRC_ABSENT) {
    pairs.push(['icrc_wire_hex', hex(data.subarray(record.endOffset - 4, record.endOffset))]);
  }
  return pairs;
}

function optionPairs(data: Uint8Array, record: ParsedFrame): [string, string][] {
  const { originalDestinationOffset: address, ioamOffset: trace, fromReceiver } = record;
  const origin = fromReceiver === 1 ? 'receiver' : 'network';
  return [
    ['fastcnp_orig_dst', address ? hex(data.subarray(address, address + 16)) : ''],
    ['fastcnp_origin', address ? origin : ''],
    ['ioam_namespace', trace ? String(number(data, trace, 2)) : ''],
    ['ioam_trace_type_hex', trace ? hex(data.subarray(trace + 4, trace + 7)) : ''],
  ];
}

export function hex(data: Uint8Array): string {
  return Buffer.from(data).toString('hex');
}

function number(data: Uint8Array, at: number, bytes: number): number {
  return Number.parseInt(hex(data.subarray(at, at + bytes)), 16);
}

/** The 4 or 16 bytes of an address in text form. */
function addressBytes(text: string): Uint8Array {
  const dotted = text.slice(text.lastIndexOf(':') + 1);
  if (!text.includes(':')) return Uint8Array.from(text.split('.'), Number);
  const words = dotted.includes('.') ? text.replace(dotted, dottedWords(dotted)) : text;
  const [front = '', back] = words.split('::');
  const head = front.split(':').filter(Boolean);
  const tail = back === undefined ? [] : back.split(':').filter(Boolean);
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => '0');
  const groups = [...head, ...zeros, ...tail].map((group) => group.padStart(4, '0'));
  return Uint8Array.from(Buffer.from(groups.join(''), 'hex'));
}

function dottedWords(dotted: string): string {
  const digits = hex(Uint8Array.from(dotted.split('.'), Number));
  return `${digits.slice(0, 4)}:${digits.slice(4)}`;
}
