import { describe, expect, it } from 'vitest';
import { LINK_RAW_IP } from '../../src/abi/codes.js';
import { readOptions } from '../../src/wire/ip/ipv6-options.js';
import { Ipv6, walkExtensionHeaders } from '../../src/wire/ip/ipv6.js';
import { Ethernet } from '../../src/wire/link/ethernet.js';
import { IoamNodeCursor } from '../../src/wire/telemetry/ioam-trace-data.js';
import type { IoamNode } from '../../src/wire/telemetry/ioam-node.js';
import { IoamTraceType } from '../../src/wire/telemetry/ioam-trace.js';
import { IoamOption } from '../../src/wire/telemetry/ioam-option.js';
import { IoamTraceData } from '../../src/wire/telemetry/ioam-trace-data.js';
import type { CapturedFrame } from '../parser/support/captures.js';
import { readCapture } from '../parser/support/captures.js';
import { CAPTURES, readTruth } from '../support/captures.js';
import type { Truth } from './support/frames.js';
import { readKnownFrames } from './support/frames.js';
import { toHex } from './support/hex.js';

/** Captures with IOAM traces, and their number of traces; the others have none. */
const WITH_TRACES: readonly [capture: string, csv: string, traces: number][] = [
  ['mixed.pcap', 'mixed.csv', 194],
  ['mixed.pcapng', 'mixed_pcapng.csv', 194],
  ['mixed_be_us.pcap', 'mixed_be_us.csv', 31],
  ['mixed_raw101.pcap', 'mixed_raw101.csv', 25],
  ['mixed_odd.pcapng', 'mixed_odd_pcapng.csv', 12],
  ['alt_types.pcap', 'alt_types.csv', 30],
  ['malformed.pcap', 'malformed.csv', 10],
  ['incast.pcap', 'incast.csv', 5745],
];

/** Properties by their names in the CSV, in its order. */
const KEYS: Record<string, keyof IoamNode> = {
  hop_limit: 'hopLimit',
  node_id: 'nodeId',
  ingress_if: 'ingressInterface',
  egress_if: 'egressInterface',
  ts_sec: 'timestampSeconds',
  ts_frac: 'timestampFraction',
  transit_delay: 'transitDelay',
  ns_data: 'namespaceData',
  queue_depth: 'queueDepth',
  checksum_complement: 'checksumComplement',
  hop_limit_wide: 'hopLimitWide',
  node_id_wide: 'nodeIdWide',
  ingress_if_wide: 'ingressInterfaceWide',
  egress_if_wide: 'egressInterfaceWide',
  ns_data_wide: 'namespaceDataWide',
  buffer_occupancy: 'bufferOccupancy',
};

/** Nodes as in the CSV: text, so that 64-bit numbers keep all digits. */
function toTruth(nodes: readonly IoamNode[]): string {
  const texts = nodes.map((node) => {
    const known = Object.entries(KEYS).filter(([, name]) => node[name] !== undefined);
    const fields = known.map(([key, name]) => `"${key}":${String(node[name])}`);
    if (node.opaque) {
      fields.push(`"opaque_schema":${node.opaque.schemaId}`, `"opaque_hex":"${toHex(node.opaque.data)}"`);
    }
    return `{${fields.join(',')}}`;
  });
  return `[${texts.join(',')}]`;
}

interface FoundTrace {
  readonly trace: IoamTraceData;
  /** The bytes of the trace in the frame. */
  readonly data: Uint8Array;
}

/** The trace of a frame: in a Hop-by-Hop option, or before the address in option 2 of a Fast CNP. */
function findTrace({ bytes: data, link }: Pick<CapturedFrame, 'bytes' | 'link'>): FoundTrace {
  const ipv6 = new Ipv6.View(data, link === LINK_RAW_IP ? 0 : new Ethernet.View(data).payloadOffset);
  const { headers } = walkExtensionHeaders(data, ipv6.nextHeader, ipv6.payloadOffset, data.length);
  for (const option of headers.flatMap((header) => readOptions(data, header))) {
    if (IoamOption.isType(option.type)) {
      const { ioamOptionType, payloadOffset, dataBytes } = new IoamOption.View(data, option.offset);
      const end = payloadOffset + dataBytes;
      expect(IoamOption.write(IoamOption.read(data, option.offset))).toEqual(data.slice(option.offset, end));
      return readTrace(data, payloadOffset, dataBytes, ioamOptionType);
    }
    const ofFastCnp = option.dataBytes >= 26 && (option.type & 0xe0) === 0x80;
    if (ofFastCnp) {
      return readTrace(data, option.dataOffset + 2, option.dataBytes - 18, data[option.dataOffset + 1]!);
    }
  }
  throw new Error('no trace found');
}

function readTrace(data: Uint8Array, offset: number, lenBytes: number, ioamOptionType: number): FoundTrace {
  const trace = IoamTraceData.read(data, offset, lenBytes, IoamTraceData.kindOf(ioamOptionType)!);
  expectSameByCursor(new IoamNodeCursor().moveTo(data, offset, lenBytes, trace.kind), trace.nodes);
  return { trace, data: data.subarray(offset, offset + lenBytes) };
}

function expectSameByCursor(cursor: IoamNodeCursor, nodes: readonly IoamNode[]): void {
  const seen: number[] = [];
  while (cursor.next()) seen.unshift(cursor.word(IoamTraceType.BIT_QUEUE_DEPTH));
  expect(seen).toEqual(nodes.map(({ queueDepth = -1 }) => queueDepth));
}

function expectTruth(truth: Truth, { trace, data }: FoundTrace): void {
  const { namespaceId, traceType, nodeLenWords, flags, remainingLenWords } = trace.header;
  expect([
    String(namespaceId),
    traceType.toString(16).padStart(6, '0'),
    String(nodeLenWords),
    String(flags),
    String(remainingLenWords),
    toTruth(trace.nodes),
  ], truth.frame).toEqual([
    truth.ioam_namespace,
    truth.ioam_trace_type_hex,
    truth.ioam_nodelen,
    truth.ioam_flags,
    truth.ioam_remlen,
    truth.ioam_nodes_json,
  ]);
  expect(toHex(IoamTraceData.write(trace)), truth.frame).toBe(toHex(data));
}

describe('every IOAM trace of the corpus is read as in its CSV, and rebuilt byte for byte', () => {
  it.each(WITH_TRACES)('%s', (capture, csv, traces) => {
    const frames = readCapture(CAPTURES + capture);
    const truths = readTruth(csv);
    expect(truths).toHaveLength(frames.length);
    let count = 0;
    truths.forEach((truth, index) => {
      if (!truth.ioam_trace_type_hex) return;
      count++;
      expectTruth(truth, findTrace(frames[index]!));
    });
    expect(count).toBe(traces);
  });
});

describe('the IOAM traces in the frames stored with the tests', () => {
  const frames = readKnownFrames().filter(({ truth }) => truth.ioam_trace_type_hex);

  it('have the known trace type and free space, and are rebuilt byte for byte', () => {
    expect(frames.length).toBeGreaterThan(10);
    for (const { truth, bytes } of frames) {
      const { trace, data } = findTrace({ bytes, link: 0 });
      expect(trace.header.traceType.toString(16).padStart(6, '0')).toBe(truth.ioam_trace_type_hex);
      expect(String(trace.header.remainingLenWords)).toBe(truth.ioam_remlen);
      expect(toHex(IoamTraceData.write(trace))).toBe(toHex(data));
    }
  });
});
