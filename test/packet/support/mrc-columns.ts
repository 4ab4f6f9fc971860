/** A dissected MRC packet in the columns of test/captures/mrc/mrc.csv, all as text. */
import { createHash } from 'node:crypto';
import type { Layer, LayerKind, LayerOf, MrcReading, Packet } from '../../../src/packet/index.js';
import { formatIpAddress } from '../../../src/wire/ip/ip-address.js';
import { mrcEntropy } from '../../../src/wire/mrc/ip-fields.js';

type Cell = string | number | bigint | undefined;

/** Columns that state the generator's intent instead of the contents of the frame. */
export const INTENTS = ['frame', 'ts_ns', 'kind', 'reason', 'ambiguous'];

const CLASSES: Readonly<Record<MrcReading['kind'], string>> = {
  data: 'data',
  ack: 'ack',
  sack: 'sack',
  nack: 'nack',
  probe: 'probe',
  'endpoint-request': 'ep-req',
  'endpoint-response': 'ep-rsp',
  reserved: 'other',
};
const OPCODES: Readonly<Record<number, string>> = {
  0xc6: 'WRITE_FIRST',
  0xc7: 'WRITE_MIDDLE',
  0xc8: 'WRITE_LAST',
  0xc9: 'WRITE_LAST_IMM',
  0xca: 'WRITE_ONLY',
  0xcb: 'WRITE_ONLY_IMM',
  0xd1: 'ACK',
  0xd8: 'EP_REQ',
  0xd9: 'EP_RSP',
  0xdc: 'SACK',
  0xdd: 'NACK',
  0xde: 'PROBE',
};

const hex = (digits: number) => (value: number | bigint) => `0x${value.toString(16).padStart(digits, '0')}`;
const [hex2, hex4, hex5, hex6, hex8, hex16] = [2, 4, 5, 6, 8, 16].map(hex) as [
  ReturnType<typeof hex>,
  ReturnType<typeof hex>,
  ReturnType<typeof hex>,
  ReturnType<typeof hex>,
  ReturnType<typeof hex>,
  ReturnType<typeof hex>,
];

/** The columns that a frame determines, for an MRC packet. */
export function mrcColumns(packet: Packet, bytes: Uint8Array): Record<string, string> {
  const { mrc, icrc } = packet;
  if (mrc === undefined) return { class: packet.class };
  const isCut = packet.trouble?.isCut === true;
  const isValid = mrc.problems.length === 0 && icrc !== 'wrong' && (packet.trouble === undefined || isCut);
  const cells: Record<string, Cell> = {
    caplen: packet.capturedBytes,
    len: packet.originalBytes,
    class: CLASSES[mrc.kind],
    valid: Number(isValid),
    dscp_name: mrc.dscpName,
    trimmed: Number(mrc.isTrimmed),
    icrc_ok: icrc === undefined ? 'na' : Number(icrc === 'right'),
    ...outerColumns(packet, mrc),
    ...ipColumns(packet, mrc),
    ...bthColumns(packet, bytes),
    ...requestColumns(packet, mrc),
    ...sackColumns(packet, mrc),
    ...controlColumns(packet),
  };
  return Object.fromEntries(
    Object.entries(cells).map(([name, value]) => [name, value === undefined ? '' : String(value)]),
  );
}

function find<Kind extends LayerKind>(layers: readonly Layer[], kind: Kind): LayerOf<Kind>['value'] | undefined {
  return (layers.find((layer) => layer.kind === kind) as LayerOf<Kind> | undefined)?.value;
}

function ipLayers({ layers }: Packet): readonly (LayerOf<'ipv4'> | LayerOf<'ipv6'>)[] {
  return layers.filter((layer) =>
    layer.kind === 'ipv4' || layer.kind === 'ipv6'
  ) as (LayerOf<'ipv4'> | LayerOf<'ipv6'>)[];
}

function outerColumns(packet: Packet, { carrier }: MrcReading): Record<string, Cell> {
  const tags = find(packet.layers, 'ethernet')?.tags;
  const vlan = { vlan: tags?.[0]?.vlanId };
  const outer = ipLayers(packet).length > 1 ? find(packet.layers, 'ipv6') : undefined;
  if (outer === undefined || carrier === undefined) return vlan;
  const srh = find(packet.layers, 'segment-routing');
  return {
    ...vlan,
    outer_src: formatIpAddress(outer.source),
    outer_dst: formatIpAddress(outer.destination),
    outer_nh: outer.nextHeader,
    outer_dscp: outer.dscp,
    outer_ecn: outer.ecn,
    outer_flow_label: hex5(outer.flowLabel),
    outer_hop_limit: outer.hopLimit,
    outer_len: outer.payloadLength,
    usid_block: hex8(carrier.block),
    usids: carrier.usids.map((usid) => hex4(usid).slice(2)).join(' '),
    srh_segments_left: carrier.segmentsLeft,
    srh_segments: srh?.segments.map((segment) => formatIpAddress(segment)).join(' '),
  };
}

function ipColumns(packet: Packet, { entropy }: MrcReading): Record<string, Cell> {
  const ip = ipLayers(packet).at(-1)!;
  const udp = find(packet.layers, 'udp')!;
  const isIpv4 = ip.kind === 'ipv4';
  const flowLabel = isIpv4 ? 0 : ip.value.flowLabel;
  return {
    ip_version: isIpv4 ? 4 : 6,
    src: formatIpAddress(ip.value.source),
    dst: formatIpAddress(ip.value.destination),
    dscp: ip.value.dscp,
    ecn: ip.value.ecn,
    flow_label: isIpv4 ? undefined : hex5(flowLabel),
    hop_limit: isIpv4 ? ip.value.ttl : ip.value.hopLimit,
    ip_len: isIpv4 ? ip.value.totalLength : ip.value.payloadLength,
    udp_sport: udp.sourcePort,
    udp_dport: udp.destinationPort,
    udp_len: udp.length,
    ev: entropy === undefined ? undefined : hex8(entropy),
    ev_alt: hex8(mrcEntropy(flowLabel, udp.sourcePort, 'source-port-high')),
  };
}

function bthColumns({ layers }: Packet, bytes: Uint8Array): Record<string, Cell> {
  const layer = layers.find((one) => one.kind === 'mrc-bth');
  if (layer?.kind !== 'mrc-bth') return {};
  const icrcLayer = layers.find(({ kind }) => kind === 'icrc');
  const { value: bth, offset } = layer;
  return {
    opcode: hex2(bth.opcode),
    opcode_name: OPCODES[bth.opcode] ?? 'reserved',
    byte1: hex2(bytes[offset + 1]!),
    se: Number(bth.solicitedEvent),
    m: Number(bth.migrationRequest),
    pad: bth.padCount,
    tver: bth.transportVersion,
    pkey: hex4(bth.pKey),
    var_res: bth.variant8,
    dqp: hex6(bth.destQpn),
    a: Number(bth.ackRequest),
    r: bth.reserved1,
    rtx: Number(bth.retransmission),
    ts: Number(bth.hasTimestamp),
    inv_res: bth.reserved4,
    psn: bth.psn,
    icrc_wire_hex: icrcLayer &&
      Buffer.from(bytes.subarray(icrcLayer.offset, icrcLayer.offset + 4)).toString('hex'),
  };
}

function requestColumns(packet: Packet, mrc: MrcReading): Record<string, Cell> {
  const { layers } = packet;
  const meth = find(layers, 'meth');
  const tseth = find(layers, 'tseth');
  const reth = find(layers, 'reth');
  const immediate = find(layers, 'immdt');
  return {
    rqmsn: meth?.rqmsn,
    msn: meth?.msn,
    ts_tx: tseth?.timestamp,
    ts_tsr: tseth?.resolution,
    ts_reserved: tseth?.reserved11,
    ts_ftype: tseth?.formType,
    va: reth && hex16(reth.virtualAddress),
    rkey: reth && hex8(reth.rKey),
    dmalen: reth?.dmaLength,
    imm: immediate && hex8(immediate.immediateData),
    ...payloadColumns(packet, mrc),
  };
}

function payloadColumns({ layers, trouble }: Packet, { payloadBytes, problems }: MrcReading): Record<string, Cell> {
  if (payloadBytes === undefined || problems.includes('pad-beyond-end')) return {};
  const payload = find(layers, 'payload')?.bytes ?? new Uint8Array(0);
  const isWhole = trouble?.isCut !== true;
  return {
    payload_len: payloadBytes,
    payload_sha1: isWhole ? createHash('sha1').update(payload).digest('hex') : undefined,
  };
}

function sackColumns({ layers }: Packet, { sack }: MrcReading): Record<string, Cell> {
  const seth = find(layers, 'seth');
  if (seth === undefined || sack === undefined) return {};
  const state = find(layers, 'mrc-cc-state');
  const raw = find(layers, 'mrc-cc-unknown');
  return {
    seth_type: seth.type,
    seth_nh: seth.mrcNextHeader,
    seth_m: seth.mark,
    seth_pr: Number(seth.probeResponse),
    seth_ack_psn_offset: seth.ackPsnOffset,
    seth_probe_id: seth.probeId === undefined ? undefined : hex4(seth.probeId),
    seth_entropy: hex8(seth.entropy),
    seth_spdcid: hex4(seth.spdcid),
    seth_dpdcid: hex4(seth.dpdcid),
    seth_cack_psn: seth.cumulativePsn,
    seth_cc_type: seth.ccType,
    seth_cc_fl: seth.ccFlags,
    seth_mpr: seth.maxPsnRange,
    seth_sack_offset: seth.sackOffset,
    seth_bitmap: hex16(seth.bitmap),
    seth_ack_psn: sack.causePsn,
    seth_base_psn: sack.basePsn,
    seth_missing: sack.missing.join(' '),
    cc_tx: state?.timestamp,
    cc_ooo: state?.outOfOrder,
    cc_restore: state && Number(state.restoreWindow),
    cc_pen: state?.windowPenalty,
    cc_rcvd: state?.rcvdBytes256,
    cc_raw: raw && Buffer.from(raw.bytes).toString('hex'),
  };
}

function controlColumns(packet: Packet): Record<string, Cell> {
  const { layers } = packet;
  const aeth = find(layers, 'aeth');
  const peth = find(layers, 'peth');
  return {
    aeth_syndrome: aeth && hex2(aeth.syndrome),
    aeth_msn: aeth?.msn,
    ...nackColumns(packet),
    ...(peth && {
      peth_vendor: peth.vendorCode,
      peth_probe_id: hex4(peth.probeId),
      peth_spdcid: hex4(peth.spdcid),
      peth_dpdcid: hex4(peth.dpdcid),
      peth_tx: peth.timestamp,
      peth_tsr: peth.resolution,
      peth_ftype: peth.formType,
    }),
    ...endpointColumns(packet),
  };
}

function nackColumns({ layers, mrc }: Packet): Record<string, Cell> {
  const neth = find(layers, 'neth');
  return neth === undefined ? {} : {
    neth_reason: hex2(neth.reason),
    neth_reason_name: mrc?.nackReason ?? 'unknown',
    neth_vendor: neth.vendorCode,
    neth_entropy: hex8(neth.entropy),
    neth_spdcid: hex4(neth.spdcid),
    neth_dpdcid: hex4(neth.dpdcid),
    neth_psn: neth.nackPsn,
    neth_cc_type: neth.ccType,
    neth_cc_fl: neth.ccFlags,
    neth_tx: neth.timestamp,
  };
}

function endpointColumns({ layers }: Packet): Record<string, Cell> {
  const erth = find(layers, 'erth');
  const eeth = find(layers, 'eeth');
  const bth = find(layers, 'mrc-bth');
  if (bth === undefined) return {};
  const id = { ep_id: hex4(bth.psn & 0xffff) };
  if (eeth !== undefined) {
    return { ...id, eeth_op: eeth.operation, eeth_op_alt: eeth.operationAlternative, eeth_tx: eeth.timestamp };
  }
  return erth === undefined ? {} : {
    ...id,
    erth_op: erth.operation,
    erth_vendor: erth.vendorCode,
    erth_mask: hex8(erth.portStatus),
    erth_tx: erth.timestamp,
    erth_tsr: erth.resolution,
    erth_ftype: erth.formType,
  };
}
