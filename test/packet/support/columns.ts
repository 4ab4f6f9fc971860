/** A dissected packet in the columns of the corpus' CSV files, all as text. */
import type { Packet, Layer } from '../../../src/packet/index.js';
import { readOptionContents, type OptionContents } from '../../../src/packet/index.js';
import type { FastCnpOptionTypes } from '../../../src/wire/roce/fast-cnp-option.js';
import { formatIpAddress } from '../../../src/wire/ip/ip-address.js';
import type { IoamNode } from '../../../src/wire/telemetry/ioam-node.js';
import type { IoamTraceData } from '../../../src/wire/telemetry/ioam-trace-data.js';

export type Columns = Readonly<Record<string, string>>;

const CLASS_COLUMN: Readonly<Record<string, string>> = {
  'fast-cnp-1': 'fast_cnp_1',
  'fast-cnp-2': 'fast_cnp_2',
  'roce-v1': 'roce_v1',
};
const ROCE_V2 = ['data', 'ack', 'nak', 'cnp', 'fast-cnp-1', 'fast-cnp-2'];

const NODE_COLUMNS: Readonly<Record<string, keyof IoamNode>> = {
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

/** Every column about the bytes of a frame. */
export function columnsOf(packet: Packet, types: FastCnpOptionTypes): Columns {
  const { ip } = packet;
  const addresses = ip ?
    {
      ip_version: ip.version,
      src: formatIpAddress(ip.source),
      dst: formatIpAddress(ip.destination),
      dscp: ip.dscp,
      ecn: ip.ecn,
    } :
    { ip_version: '', src: '', dst: '', dscp: '', ecn: '' };
  const columns = {
    caplen: packet.capturedBytes,
    len: packet.originalBytes,
    class: CLASS_COLUMN[packet.class] ?? packet.class,
    ...addresses,
    ...roceColumns(packet),
    ...optionColumns(packet, types),
    pfc: pfcColumn(packet),
  };
  return Object.fromEntries(Object.entries(columns).map(([key, value]) => [key, String(value)]));
}

function find<Kind extends Layer['kind']>(packet: Packet, kind: Kind): Extract<Layer, { kind: Kind }> | undefined {
  return packet.layers.find((layer) => layer.kind === kind) as Extract<Layer, { kind: Kind }> | undefined;
}

function roceColumns(packet: Packet): object {
  const bth = find(packet, 'bth')?.value;
  if (!ROCE_V2.includes(packet.class) || !bth) {
    return {
      udp_sport: '',
      bth_opcode: '',
      dest_qp: '',
      psn: '',
      becn: '',
      pkey: '',
      icrc_wire_hex: '',
      icrc_ok: 'na',
    };
  }
  const icrc = find(packet, 'icrc')?.value.icrc;
  return {
    udp_sport: find(packet, 'udp')?.value.sourcePort,
    bth_opcode: bth.opcode,
    dest_qp: bth.destQpn,
    psn: bth.psn,
    becn: bth.becn ? 1 : 0,
    pkey: `0x${bth.pKey.toString(16).padStart(4, '0')}`,
    icrc_wire_hex: icrc === undefined ? '' : littleEndianHex(icrc),
    icrc_ok: packet.icrc === undefined ? 'na' : packet.icrc === 'right' ? '1' : '0',
  };
}

function littleEndianHex(icrc: number): string {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(icrc);
  return bytes.toString('hex');
}

function optionColumns(packet: Packet, types: FastCnpOptionTypes): object {
  const contents = ROCE_V2.includes(packet.class) ? contentsOf(packet, types) : [];
  const fastCnp = contents.find((one) => one.kind !== 'ioam');
  const carried = fastCnp?.originalDestination;
  const carrier = contents.find((one) => one.kind === 'fast-cnp-2') ?? contents.find((one) => one.kind === 'ioam');
  const trace = carrier && 'trace' in carrier ? carrier.trace : undefined;
  return {
    fastcnp_orig_dst: carried ? formatIpAddress(carried) : '',
    fastcnp_origin: carried && packet.ip ?
      (Buffer.compare(carried, packet.ip.source) === 0 ? 'receiver' : 'network') :
      '',
    ...traceColumns(trace),
  };
}

function contentsOf(packet: Packet, types: FastCnpOptionTypes): OptionContents[] {
  return packet.layers.flatMap((layer) => {
    if (layer.kind !== 'hop-by-hop' && layer.kind !== 'destination-options') return [];
    return layer.value.options.flatMap((option) => readOptionContents(option, layer.kind, types) ?? []);
  });
}

function traceColumns(trace: IoamTraceData | undefined): object {
  if (!trace) {
    const nothing = { ioam_namespace: '', ioam_trace_type_hex: '', ioam_nodes_json: '' };
    return { ...nothing, ioam_nodelen: '', ioam_flags: '', ioam_remlen: '' };
  }
  const { namespaceId, traceType, nodeLenWords, flags, remainingLenWords } = trace.header;
  return {
    ioam_namespace: namespaceId,
    ioam_trace_type_hex: traceType.toString(16).padStart(6, '0'),
    ioam_nodes_json: `[${trace.nodes.map(nodeJson).join(',')}]`,
    ioam_nodelen: nodeLenWords,
    ioam_flags: flags,
    ioam_remlen: remainingLenWords,
  };
}

/** Not JSON.stringify, since the numbers reach 2^64 - 1; keys are sorted. */
function nodeJson(node: IoamNode): string {
  const numbers = Object.entries(NODE_COLUMNS).flatMap((
    [column, field],
  ) => (node[field] === undefined ? [] : [[column, String(node[field])] as const]));
  const { opaque } = node;
  const more = opaque ?
    [
      ['opaque_schema', String(opaque.schemaId)] as const,
      ['opaque_hex', `"${Buffer.from(opaque.data).toString('hex')}"`] as const,
    ] :
    [];
  return sortedObject([...numbers, ...more]);
}

function sortedObject(entries: readonly (readonly [string, string])[]): string {
  const sorted = [...entries].sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${sorted.map(([key, text]) => `"${key}":${text}`).join(',')}}`;
}

/** The nodes of a CSV in the same form, with all digits. */
export function sortedNodes(json: string): string {
  if (json === '') return '';
  const objects = json.match(/\{[^{}]*\}/g) ?? [];
  return `[${
    objects.map((text) =>
      sortedObject([...text.matchAll(/"(\w+)":\s*("[^"]*"|\d+)/g)].map(([, key, value]) => [key!, value!] as const))
    ).join(',')
  }]`;
}

function pfcColumn(packet: Packet): string {
  const pfc = packet.class === 'pfc' ? find(packet, 'pfc')?.value : undefined;
  return pfc ? `0x${pfc.classEnableVector.toString(16).padStart(4, '0')}:${pfc.pauseQuanta.join(';')}` : '';
}
