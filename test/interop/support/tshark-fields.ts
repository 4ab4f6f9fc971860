/**
 * tshark's names for the fields of a packet: from dissected layers to the row that tshark should output.
 *
 * Layers are in the order of the frame, and so are the values of a field that occurs in several of them.
 */
import type { Layer, LayerOf, LayerValues, Packet } from '../../../src/packet/index.js';
import type { LayerKind } from '../../../src/packet/layer-kinds.js';
import { Aeth, type AethKind } from '../../../src/wire/roce/extended-headers.js';
import { type FieldKind, type FieldRow, spell } from './tshark.js';
import { OPTION_KINDS, optionFields } from './tshark-option-fields.js';
import { SUM_KINDS, addSums } from './tshark-sums.js';

/** One value, or a list for a field that occurs several times in a header. */
type Values = number | bigint | boolean | Uint8Array | undefined | readonly (number | boolean | Uint8Array)[];
type Getters = { readonly [Kind in LayerKind]?: Readonly<Record<string, (value: LayerValues[Kind]) => Values>> };

/** Fields of the BTH in RoCEv2 and MRC. */
export const BTH_FIELDS: Readonly<
  Record<string, (value: LayerValues['bth'] | LayerValues['mrc-bth']) => number | boolean>
> = {
  'infiniband.bth.opcode': ({ opcode }) => opcode,
  'infiniband.bth.se': ({ solicitedEvent }) => solicitedEvent,
  'infiniband.bth.m': ({ migrationRequest }) => migrationRequest,
  'infiniband.bth.padcnt': ({ padCount }) => padCount,
  'infiniband.bth.tver': ({ transportVersion }) => transportVersion,
  'infiniband.bth.p_key': ({ pKey }) => pKey,
  'infiniband.bth.destqp': ({ destQpn }) => destQpn,
  'infiniband.bth.a': ({ ackRequest }) => ackRequest,
  'infiniband.bth.psn': ({ psn }) => psn,
};

/** Smaller numbers are lengths (IEEE 802.3, section 3.2.6). */
const LEAST_TYPE = 0x600;
const SERVICE_TAG = 0x88a8;
const CLASSES = [0, 1, 2, 3, 4, 5, 6, 7] as const;

const NUMBERS: Getters = {
  ethernet: {
    'eth.type': (value) => outerType(value, (type) => type >= LEAST_TYPE),
    'eth.len': (value) => outerType(value, (type) => type < LEAST_TYPE),
    'vlan.priority': (value) => plainTags(value).map(({ priority }) => priority),
    'vlan.dei': (value) => plainTags(value).map(({ dropEligible }) => dropEligible),
    'vlan.id': (value) => plainTags(value).map(({ vlanId }) => vlanId),
    'vlan.etype': (value) => typesBehind(value, (tpid) => tpid !== SERVICE_TAG),
    'ieee8021ad.priority': (value) => serviceTags(value).map(({ priority }) => priority),
    'ieee8021ad.dei': (value) => serviceTags(value).map(({ dropEligible }) => dropEligible),
    'ieee8021ad.id': (value) => serviceTags(value).map(({ vlanId }) => vlanId),
  },
  'linux-sll': {
    'sll.pkttype': ({ packetType }) => packetType,
    'sll.hatype': ({ arphrdType }) => arphrdType,
    'sll.halen': ({ addressLength }) => addressLength,
    'sll.etype': ({ protocolType }) => protocolType,
  },
  'linux-sll2': {
    'sll.pkttype': ({ packetType }) => packetType,
    'sll.hatype': ({ arphrdType }) => arphrdType,
    'sll.halen': ({ addressLength }) => addressLength,
    'sll.etype': ({ protocolType }) => protocolType,
    'sll.ifindex': ({ interfaceIndex }) => interfaceIndex,
  },
  pause: { 'macc.opcode': () => 1, 'macc.pause_time': ({ pauseQuanta }) => pauseQuanta },
  pfc: {
    'macc.opcode': () => 0x101,
    'macc.cbfc.enbv': ({ classEnableVector }) => classEnableVector,
    ...Object.fromEntries<(value: LayerValues['pfc']) => Values>(CLASSES.flatMap((name) => [
      [`macc.cbfc.enbv.c${name}`, ({ classEnableVector }) => ((classEnableVector >> name) & 1) === 1],
      [`macc.cbfc.pause_time.c${name}`, ({ pauseQuanta }) => pauseQuanta[name]],
    ])),
  },
  grh: {
    'infiniband.grh.ipver': ({ ipVersion }) => ipVersion,
    'infiniband.grh.tclass': ({ trafficClass }) => trafficClass,
    'infiniband.grh.flowlabel': ({ flowLabel }) => flowLabel,
    'infiniband.grh.paylen': ({ payloadLength }) => payloadLength,
    'infiniband.grh.nxthdr': ({ nextHeader }) => nextHeader,
    'infiniband.grh.hoplmt': ({ hopLimit }) => hopLimit,
  },
  ipv4: {
    'ip.version': () => 4,
    'ip.hdr_len': ({ options }) => 20 + options.length,
    'ip.dsfield.dscp': ({ dscp }) => dscp,
    'ip.dsfield.ecn': ({ ecn }) => ecn,
    'ip.len': ({ totalLength }) => totalLength,
    'ip.id': ({ identification }) => identification,
    'ip.flags': ({ flags }) => flags,
    'ip.flags.df': ({ flags }) => (flags & 2) !== 0,
    'ip.flags.mf': ({ flags }) => (flags & 1) !== 0,
    'ip.frag_offset': ({ fragmentOffset }) => fragmentOffset,
    'ip.ttl': ({ ttl }) => ttl,
    'ip.proto': ({ protocol }) => protocol,
    'ip.checksum': ({ checksum }) => checksum,
  },
  ipv6: {
    // tshark has ipv6.version, and a hidden ip.version for filters.
    'ip.version': () => 6,
    'ipv6.version': () => 6,
    'ipv6.tclass.dscp': ({ dscp }) => dscp,
    'ipv6.tclass.ecn': ({ ecn }) => ecn,
    'ipv6.flow': ({ flowLabel }) => flowLabel,
    'ipv6.plen': ({ payloadLength }) => payloadLength,
    'ipv6.nxt': ({ nextHeader }) => nextHeader,
    'ipv6.hlim': ({ hopLimit }) => hopLimit,
  },
  'hop-by-hop': { 'ipv6.hopopts.nxt': ({ nextHeader }) => nextHeader },
  'destination-options': { 'ipv6.dstopts.nxt': ({ nextHeader }) => nextHeader },
  'segment-routing': {
    'ipv6.routing.nxt': ({ nextHeader }) => nextHeader,
    'ipv6.routing.len': ({ headerExtLen }) => headerExtLen,
    'ipv6.routing.type': () => 4,
    'ipv6.routing.segleft': ({ segmentsLeft }) => segmentsLeft,
    'ipv6.routing.srh.last_entry': ({ lastEntry }) => lastEntry,
    'ipv6.routing.srh.flags': ({ flags }) => flags,
  },
  routing: {
    'ipv6.routing.nxt': ({ nextHeader }) => nextHeader,
    'ipv6.routing.len': ({ headerExtLen }) => headerExtLen,
    'ipv6.routing.type': ({ routingType }) => routingType,
    'ipv6.routing.segleft': ({ segmentsLeft }) => segmentsLeft,
  },
  fragment: {
    'ipv6.fraghdr.nxt': ({ nextHeader }) => nextHeader,
    'ipv6.fraghdr.reserved_octet': ({ reserved8 }) => reserved8,
    'ipv6.fraghdr.offset': ({ fragmentOffset }) => fragmentOffset,
    'ipv6.fraghdr.reserved_bits': ({ reserved2 }) => reserved2,
    'ipv6.fraghdr.more': ({ moreFragments }) => moreFragments,
    'ipv6.fraghdr.ident': ({ identification }) => identification,
  },
  udp: {
    'udp.srcport': ({ sourcePort }) => sourcePort,
    'udp.dstport': ({ destinationPort }) => destinationPort,
    'udp.length': ({ length }) => length,
    'udp.checksum': ({ checksum }) => checksum,
  },
  bth: {
    ...BTH_FIELDS,
    'infiniband.bth.reserved7': ({ reserved7 }) => reserved7,
  },
  rdeth: { 'infiniband.rdeth.eecnxt': ({ eeContext }) => eeContext },
  deth: { 'infiniband.deth.q_key': ({ qKey }) => qKey, 'infiniband.deth.srcqp': ({ sourceQpn }) => sourceQpn },
  reth: {
    'infiniband.reth.va': ({ virtualAddress }) => virtualAddress,
    'infiniband.reth.r_key': ({ rKey }) => rKey,
    'infiniband.reth.dmalen': ({ dmaLength }) => dmaLength,
  },
  'atomic-eth': {
    'infiniband.reth.va': ({ virtualAddress }) => virtualAddress,
    'infiniband.reth.r_key': ({ rKey }) => rKey,
    'infiniband.atomiceth.swapdt': ({ swapOrAdd }) => swapOrAdd,
    'infiniband.atomiceth.cmpdt': ({ compare }) => compare,
  },
  aeth: {
    'infiniband.aeth.syndrome': ({ syndrome }) => syndrome,
    'infiniband.aeth.syndrome.opcode': ({ syndrome }) => (syndrome >> 5) & 3,
    'infiniband.aeth.syndrome.credit_count': ({ syndrome }) => codeOf(syndrome, 'ack'),
    'infiniband.aeth.syndrome.timer': ({ syndrome }) => codeOf(syndrome, 'rnr-nak'),
    'infiniband.aeth.syndrome.error_code': ({ syndrome }) => codeOf(syndrome, 'nak'),
    'infiniband.aeth.syndrome.reserved_value': ({ syndrome }) => codeOf(syndrome, 'reserved'),
    'infiniband.aeth.msn': ({ msn }) => msn,
  },
  'atomic-ack-eth': { 'infiniband.atomicacketh.origremdt': ({ original }) => original },
};

const BYTES: Getters = {
  ethernet: { 'eth.dst': ({ destination }) => destination, 'eth.src': ({ source }) => source },
  'linux-sll': { 'sll.src.eth': (value) => macOf(value) },
  'linux-sll2': { 'sll.src.eth': (value) => macOf(value) },
  'segment-routing': { 'ipv6.routing.srh.tag': ({ tag }) => Uint8Array.of(tag >> 8, tag & 0xff) },
  bth: {
    'infiniband.reserved': ({ fecn, becn, reserved6 }) =>
      Uint8Array.of((fecn ? 0x80 : 0) | (becn ? 0x40 : 0) | reserved6),
  },
  deth: { 'infiniband.reserved': ({ reserved8 }) => Uint8Array.of(reserved8) },
  // tshark shows it twice: as a header, and as the only field of the header.
  immdt: { 'infiniband.immdt': ({ immediateData }) => [bigEndian(immediateData), bigEndian(immediateData)] },
  ieth: { 'infiniband.ieth': ({ rKey }) => [bigEndian(rKey), bigEndian(rKey)] },
};

const ADDRESSES: Getters = {
  grh: {
    'infiniband.grh.sgid': ({ sourceGid }) => sourceGid,
    'infiniband.grh.dgid': ({ destinationGid }) => destinationGid,
  },
  ipv4: { 'ip.src': ({ source }) => source, 'ip.dst': ({ destination }) => destination },
  ipv6: { 'ipv6.src': ({ source }) => source, 'ipv6.dst': ({ destination }) => destination },
  'segment-routing': { 'ipv6.routing.srh.addr': ({ segments }) => segments },
};

const TABLES: readonly [FieldKind, Getters][] = [['number', NUMBERS], ['bytes', BYTES], ['address', ADDRESSES]];

/** Every field that is compared, and how its text is parsed. */
export const FIELD_KINDS: Readonly<Record<string, FieldKind>> = {
  ...Object.fromEntries(
    TABLES.flatMap(([kind, getters]) =>
      Object.values(getters).flatMap((fields) => Object.keys(fields).map((name) => [name, kind] as const))
    ),
  ),
  ...OPTION_KINDS,
  ...SUM_KINDS,
};

/** The row that tshark should output for a packet with these bytes. */
export function fieldsOf(packet: Pick<Packet, 'layers'>, bytes: Uint8Array): FieldRow {
  const row: Record<string, string[]> = {};
  const add = (name: string, values: Values) => {
    for (const value of listOf(values)) (row[name] ??= []).push(spell(value));
  };
  for (const layer of packet.layers) {
    for (const [, getters] of TABLES) addFields(getters, layer, add);
    if (layer.kind === 'hop-by-hop' || layer.kind === 'destination-options') optionFields(layer, add);
  }
  addSums(packet, bytes, add);
  return row;
}

function addFields<Kind extends LayerKind>(getters: Getters, { kind, value }: Layer & LayerOf<Kind>,
  add: (name: string, values: Values) => void): void {
  const fields = getters[kind] as Readonly<Record<string, (value: LayerValues[Kind]) => Values>> | undefined;
  for (const [name, get] of Object.entries(fields ?? {})) add(name, get(value));
}

function listOf(values: Values): readonly (number | bigint | boolean | Uint8Array)[] {
  if (values === undefined) return [];
  return values instanceof Uint8Array || typeof values !== 'object' ? [values] : values;
}

function outerType({ tags, etherType }: LayerValues['ethernet'], isWanted: (type: number) => boolean): number
  | undefined {
  const type = tags[0]?.tpid ?? etherType;
  return isWanted(type) ? type : undefined;
}

function plainTags({ tags }: LayerValues['ethernet']) {
  return tags.filter(({ tpid }) => tpid !== SERVICE_TAG);
}

function serviceTags({ tags }: LayerValues['ethernet']) {
  return tags.filter(({ tpid }) => tpid === SERVICE_TAG);
}

/** The EtherType after each tag of a kind: the TPID of the next tag, or the frame's EtherType. */
function typesBehind({ tags, etherType }: LayerValues['ethernet'], isKind: (tpid: number) => boolean): number[] {
  return tags.flatMap(({ tpid }, index) => (isKind(tpid) ? [tags[index + 1]?.tpid ?? etherType] : []));
}

function macOf({ addressLength, address }: LayerValues['linux-sll']): Uint8Array | undefined {
  return addressLength === 6 ? address.subarray(0, 6) : undefined;
}

/** tshark omits the top bit, which is 0 in every defined syndrome. */
function codeOf(syndrome: number, kind: AethKind): number | undefined {
  return Aeth.kind(syndrome & 0x7f) === kind ? Aeth.code(syndrome) : undefined;
}

function bigEndian(value: number): Uint8Array {
  return Uint8Array.of(value >>> 24, (value >>> 16) & 0xff, (value >>> 8) & 0xff, value & 0xff);
}
