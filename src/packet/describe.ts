/** Describes a packet in one line. */
import { Arn } from '../wire/arn/arn.js';
import { requireRecord } from '../wire/bytes.js';
import type { RoceFcIcmp } from '../wire/discovery/roce-fc.js';
import { formatIpAddress, formatIpv6Address } from '../wire/ip/ip-address.js';
import { Pfc } from '../wire/link/mac-control.js';
import { Aeth } from '../wire/roce/extended-headers.js';
import { Opcode } from '../wire/roce/bth.js';
import { findLayer, type Packet, type PacketTrouble, type PacketTunnel } from './dissect.js';
import { formatMac } from './layer-json.js';
import type { MrcReading, UetReading } from './multipath-readings.js';
import type { LayerKind } from './layer-kinds.js';
import type { Layer } from './layers.js';
import { mrcProblemWords, mrcSummary, uetSummary } from './multipath-words.js';
import { hex, ECN_WORDS, ETHER_TYPE_WORDS, PROTOCOL_WORDS, TUNNEL_WORDS, WHY_WORDS } from './words.js';

const REJECTED = ['malformed', 'cut', 'discard'];
/** Layers by which a packet cannot be identified. */
const CONTENTS: readonly LayerKind[] = ['payload', 'trailer', 'undecoded', 'pad'];
const DISCOVERY_CODES = ['supported', 'not supported', 'partially supported'];
const PRIORITIES = [0, 1, 2, 3, 4, 5, 6, 7];
const FIRST_ETHER_TYPE = 0x600;
const FRAGMENT_UNIT_BYTES = 8;

/**
 * A packet in one line: addresses, kind, QPN and PSN, DSCP and ECN, errors, length.
 *
 * @example
 * describe(dissect(bytes)); // '10.0.17.1 > 10.0.18.1  CNP QP 0x000118 PSN 0  DSCP 48 ECT(0)  74 bytes'
 */
export function describe(packet: Packet): string {
  requireRecord('packet', packet);
  const parts = [addresses(packet), packetSummary(packet), marking(packet), verdict(packet), length(packet)];
  return parts.filter((part) => part !== '').join('  ');
}

/** The packet's addresses, or those of the header around it, or those of the first layer that identifies hosts. */
function addresses(packet: Packet): string {
  const ip = packet.ip ?? packet.tunnel?.outer;
  if (ip) return `${formatIpAddress(ip.source)} > ${formatIpAddress(ip.destination)}`;
  const grh = findLayer(packet, 'grh')?.value;
  if (grh) return `${formatIpv6Address(grh.sourceGid)} > ${formatIpv6Address(grh.destinationGid)}`;
  const ethernet = findLayer(packet, 'ethernet')?.value;
  return ethernet ? `${formatMac(ethernet.source)} > ${formatMac(ethernet.destination)}` : '';
}

function marking({ ip, destQpn, tunnel, mrc, uet }: Packet): string {
  const multipath = mrc ?? uet;
  if (ip === undefined || (destQpn === undefined && multipath === undefined)) return '';
  const outer = tunnel?.outer === undefined ? '' : ` (outer ${ECN_WORDS[tunnel.outer.ecn]})`;
  const dscp = multipath === undefined || tunnel?.outer === undefined ? ip.dscp : tunnel.outer.dscp;
  return `DSCP ${dscp}${multipath === undefined ? '' : dscpWords(multipath)} ${ECN_WORDS[ip.ecn]}${outer}`;
}

/** The name of the DSCP, or an empty string. */
function dscpWords({ dscpName }: MrcReading | UetReading): string {
  return dscpName === undefined ? '' : ` ${dscpName}`;
}

/** The error, unless the class already states it. */
function verdict({ class: name, trouble, icrc, mrc }: Packet): string {
  if (mrc !== undefined && mrc.problems.length > 0) {
    const problems = mrcProblemWords(mrc);
    return `malformed: ${problems}${icrc === 'wrong' ? ', ICRC wrong' : ''}`;
  }
  const isSaid = mrc === undefined && (name === 'malformed' || name === 'cut');
  if (trouble && !isSaid) return troubleWords(trouble);
  return icrc === 'wrong' ? 'ICRC wrong' : '';
}

function troubleWords({ layer, required, actual, reason, isCut }: PacketTrouble): string {
  if (isCut) return `cut inside ${layer}`;
  const isLength = required > 0 && reason !== 'ip-version';
  return isLength ? `${layer} too short, ${actual} of ${required} bytes` : `trouble in ${layer}`;
}

function length({ capturedBytes, originalBytes }: Packet): string {
  return capturedBytes < originalBytes ?
    `${originalBytes} bytes, ${capturedBytes} captured` :
    `${originalBytes} bytes`;
}

/**
 * A packet in a few words, without its addresses.
 *
 * @returns for example `CNP QP 0x000118 PSN 0`, `PFC pause 3 (65535 quanta)`,
 * `malformed: the IP length does not fit the frame`.
 */
function packetSummary(packet: Packet): string {
  if (packet.mrc !== undefined) return mrcSummary(packet, packet.mrc);
  if (packet.uet !== undefined) return `${carrier(packet)}${uetSummary(packet, packet.uet)}`;
  return rejection(packet) ?? `${carrier(packet)}${kindOfPacket(packet)}`;
}

/** Class and reason of a packet that is malformed, cut or to be discarded; undefined for others. */
export function rejection({ class: name, why, trouble }: Packet): string | undefined {
  if (!REJECTED.includes(name)) return undefined;
  if (name === 'cut' && trouble?.isCut === true) return `cut: the capture ends inside ${trouble.layer}`;
  return `${name}: ${WHY_WORDS[why]}`;
}

/** The packet's encapsulation, if unusual. */
function carrier({ class: name, layers, tunnel }: Packet): string {
  const around = tunnel === undefined ? '' : `in ${carrierWords(tunnel)}: `;
  if (name === 'roce-v1') return `${around}RoCEv1 `;
  const isRouted = name === 'other' && tunnel === undefined;
  const routing = isRouted && layers.find((layer) => layer.kind === 'segment-routing' || layer.kind === 'routing');
  return routing ? `routed, segments left ${routing.value.segmentsLeft}: ` : around;
}

/** The header around the packet, and the outermost addresses. */
function carrierWords({ kind, outer }: PacketTunnel): string {
  const name = TUNNEL_WORDS[kind] ?? kind;
  return outer === undefined ?
    name :
    `${name} ${formatIpAddress(outer.source)} > ${formatIpAddress(outer.destination)}`;
}

function kindOfPacket(packet: Packet): string {
  const bth = findLayer(packet, 'bth');
  if (bth) {
    return `${transportName(packet, bth.value.opcode)} QP ${hex(bth.value.destQpn, 6)} PSN ${bth.value.psn}${
      transportDetail(packet)
    }`;
  }
  const innermost = packet.layers.findLast(({ kind }) => !CONTENTS.includes(kind));
  return innermost ? layerWords(innermost) : 'nothing known';
}

function transportName({ class: name }: Packet, opcode: number): string {
  if (name === 'fast-cnp-1') return 'Fast CNP (option 1)';
  if (name === 'fast-cnp-2') return 'Fast CNP (option 2)';
  return Opcode.nameOf(opcode) ?? `opcode ${hex(opcode, 2)}`;
}

function transportDetail(packet: Packet): string {
  const { originalDestination } = packet;
  if (originalDestination) return `, original destination ${formatIpAddress(originalDestination)}`;
  const aeth = findLayer(packet, 'aeth');
  return aeth ? aethDetail(aeth.value.syndrome) : '';
}

function aethDetail(syndrome: number): string {
  const kind = Aeth.kind(syndrome);
  if (kind === 'nak') return `, NAK ${Aeth.nakName(syndrome) ?? `code ${Aeth.code(syndrome)}`}`;
  return kind === 'rnr-nak' ? `, RNR NAK, wait ${Aeth.rnrTimerUs(syndrome) ?? 0} µs` : '';
}

function layerWords(layer: Layer): string {
  switch (layer.kind) {
    case 'pause':
      return layer.value.pauseQuanta === 0 ? 'PAUSE, resume' : `PAUSE ${layer.value.pauseQuanta} quanta`;
    case 'pfc':
      return pfcWords(layer.value);
    case 'arn':
      return arnWords(layer.value);
    case 'roce-fc-icmp':
      return discoveryWords(layer.value);
    case 'udp':
      return `UDP ${layer.value.sourcePort} > ${layer.value.destinationPort}`;
    case 'ipv4':
      return protocolWords(layer.value.protocol, layer.value.fragmentOffset);
    case 'fragment':
      return protocolWords(layer.value.nextHeader, layer.value.fragmentOffset);
    case 'ethernet':
      return etherTypeWords(layer.value.etherType);
    case 'linux-sll':
    case 'linux-sll2':
      return etherTypeWords(layer.value.protocolType);
    default:
      return 'nextHeader' in layer.value ? protocolWords(layer.value.nextHeader, 0) : layer.kind;
  }
}

/** A class with quanta other than 0 is paused, with 0 resumed; classes with the same time are grouped. */
function pfcWords(pfc: Pfc): string {
  const enabled = PRIORITIES.filter((priority) => Pfc.isClassEnabled(pfc, priority));
  const resumed = enabled.filter((priority) => pfc.pauseQuanta[priority] === 0);
  const times = [...new Set(enabled.map((priority) => pfc.pauseQuanta[priority]))].filter((quanta) => quanta > 0);
  const pauses = times.map((quanta) =>
    `pause ${enabled.filter((priority) => pfc.pauseQuanta[priority] === quanta).join(' ')} (${quanta} quanta)`
  );
  const parts = resumed.length > 0 ? [...pauses, `resume ${resumed.join(' ')}`] : pauses;
  return parts.length > 0 ? `PFC ${parts.join(', ')}` : 'PFC, no class enabled';
}

function arnWords({ type, metric, flow, pathId, priorityId, compressionTime }: Arn): string {
  const name = Arn.typeName(type);
  const parts = [`ARN ${name === 'unknown' ? `type ${type}` : name}, metric ${metric}`];
  if (flow) parts.push(`flow ${formatIpAddress(flow.source)} > ${formatIpAddress(flow.destination)}`);
  if (pathId !== undefined) parts.push(`path ${pathId}`);
  if (priorityId !== undefined) parts.push(`priority ${priorityId}`);
  if (compressionTime !== undefined) parts.push(`compression time ${compressionTime}`);
  return parts.join(', ');
}

function discoveryWords({ code, outboundHopCount }: RoceFcIcmp): string {
  return `lossless discovery, hop ${outboundHopCount}: ${DISCOVERY_CODES[code] ?? `code ${code}`}`;
}

function protocolWords(protocol: number, fragmentOffset: number): string {
  const name = PROTOCOL_WORDS.get(protocol) ?? `protocol ${protocol}`;
  return fragmentOffset > 0 ? `${name}, fragment from byte ${fragmentOffset * FRAGMENT_UNIT_BYTES}` : name;
}

function etherTypeWords(etherType: number): string {
  if (etherType < FIRST_ETHER_TYPE) return 'IEEE 802.3';
  return ETHER_TYPE_WORDS.get(etherType) ?? `EtherType ${hex(etherType, 4)}`;
}
