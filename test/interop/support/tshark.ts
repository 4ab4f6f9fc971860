/** Frames as tshark reads them: a row of field values per frame, in normalized spelling. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodeCapture } from '../../../src/capture/writer.js';
import { parseIpAddress } from '../../../src/wire/ip/ip-address.js';
import { runTool } from '../../support/foreign-tools.js';
import { toHex } from '../../wire/support/hex.js';

/** How a field's text is parsed. */
export type FieldKind = 'number' | 'bytes' | 'address';

/** Values of each field in the order of the frame; fields that the frame doesn't have are absent. */
export type FieldRow = Readonly<Record<string, readonly string[]>>;

const SEPARATOR = '\t';
const AGGREGATOR = '|';

/**
 * Heuristic dissectors of InfiniBand payloads, which are turned off: they report hundreds of good SEND frames as
 * malformed (captures/README.md).
 */
const GUESSERS = [
  'drbd_rdma',
  'eth_over_ib',
  'fc_infiniband',
  'iser_infiniband',
  'lnet_ib',
  'mellanox_eoib',
  'nvme_rdma',
  'rpcrdma_infiniband',
  'sdp_infiniband',
  'smb_direct_infiniband',
  'smcr_infiniband',
];
const PREFERENCES = [
  'ip.check_checksum:TRUE',
  'udp.check_checksum:TRUE',
  'ip.defragment:FALSE',
  'ipv6.defragment:FALSE',
];

/**
 * @param rocePorts further UDP ports, source or destination, whose datagrams tshark decodes as RoCEv2.
 * @returns a row for each frame of a capture file, at most `frameCount` of them.
 */
export function readFields(tshark: string, path: string, kinds: Readonly<Record<string, FieldKind>>,
  frameCount = 1_000_000, rocePorts: readonly number[] = []): FieldRow[] {
  const names = Object.keys(kinds);
  const format = [
    '-T',
    'fields',
    '-E',
    `separator=${SEPARATOR}`,
    '-E',
    'occurrence=a',
    '-E',
    `aggregator=${AGGREGATOR}`,
  ];
  const guessers = GUESSERS.flatMap((name) => ['--disable-heuristic', name]);
  const preferences = PREFERENCES.flatMap((preference) => ['-o', preference]);
  const fields = names.flatMap((name) => ['-e', name]);
  const decodings = rocePorts.flatMap((port) => ['-d', `udp.port==${port},infiniband`]);
  const text = runTool(tshark, [
    '-n',
    '-r',
    path,
    '-c',
    `${frameCount}`,
    ...guessers,
    ...preferences,
    ...decodings,
    ...format,
    ...fields,
  ]);
  const lines = text === '' ? [] : text.replace(/\n$/, '').split('\n');
  return lines.map((line) => readLine(line, names, kinds));
}

/** Like `readFields`, for frames in memory. */
export function readFieldsOf(tshark: string, frames: readonly Uint8Array[], kinds: Readonly<Record<string, FieldKind>>,
  linkType = 1): FieldRow[] {
  const folder = mkdtempSync(join(tmpdir(), 'roce-tshark-'));
  try {
    const path = join(folder, 'frames.pcap');
    const timed = frames.map((bytes, index) => ({ bytes, epochSeconds: index }));
    writeFileSync(path, encodeCapture(timed, { format: 'pcap', linkType }));
    return readFields(tshark, path, kinds);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A dissected value in the spelling of the rows. */
export function spell(value: number | bigint | boolean | Uint8Array): string {
  return value instanceof Uint8Array ? toHex(value) : String(BigInt(value));
}

function readLine(line: string, names: readonly string[], kinds: Readonly<Record<string, FieldKind>>): FieldRow {
  const row: Record<string, string[]> = {};
  line.split(SEPARATOR).forEach((text, index) => {
    const name = names[index]!;
    if (text !== '') row[name] = text.split(AGGREGATOR).map((value) => respell(value, kinds[name]!));
  });
  return row;
}

function respell(text: string, kind: FieldKind): string {
  if (kind === 'bytes') return text === '<none>' ? '' : text.replace(/^0x/, '').replaceAll(':', '').toLowerCase();
  if (kind === 'address') return toHex(parseIpAddress(text));
  return /^(true|false)$/i.test(text) ? spell(text.toLowerCase() === 'true') : spell(BigInt(text));
}
