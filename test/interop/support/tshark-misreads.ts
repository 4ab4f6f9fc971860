/**
 * Fields that tshark 4.0 reads differently from the specifications, or from a deliberate choice of this library. They
 * are excluded from the comparison; all other fields of the frame are compared.
 */
import { type Packet, readOptionContents } from '../../../src/packet/index.js';
import { UdpPort } from '../../../src/wire/ip/udp.js';
import { Opcode } from '../../../src/wire/roce/bth.js';
import type { IoamTraceData } from '../../../src/wire/telemetry/ioam-trace-data.js';
import type { FieldRow } from './tshark.js';

interface Misread {
  readonly reason: string;
  readonly applies: (packet: Packet) => boolean;
  /** Field names or prefixes of them. */
  readonly fields: readonly string[];
}

/** All headers except the BTH and those that tshark shows as unknown. */
const EXTENDED_HEADERS = ['rdeth', 'deth', 'reth', 'atomiceth', 'aeth', 'atomicacketh', 'immdt', 'ieth'].map((name) =>
  `infiniband.${name}`
);

const MISREADS: readonly Misread[] = [
  {
    reason: 'It takes a SEND to QP 0 for a management datagram, and shows nothing behind its BTH.',
    applies: ({ layers }) =>
      layers.some(({ kind, value }) => kind === 'bth' && value.destQpn === 0 && value.opcode === 0),
    fields: ['infiniband.invariant.crc'],
  },
  {
    reason: 'It expects the RDETH 8 bytes after the BTH; IBTA volume 1, section 9.2.1: directly after it.',
    applies: ({ layers }) =>
      layers.some(({ kind, value }) => kind === 'bth' && Opcode.transport(value.opcode) === 'RD'),
    fields: [...EXTENDED_HEADERS, 'infiniband.reserved', 'infiniband.invariant.crc'],
  },
  {
    reason: 'It does not know XRC, and shows what is behind the BTH as bytes; these are compared.',
    applies: ({ layers }) =>
      layers.some(({ kind, value }) => kind === 'bth' && Opcode.transport(value.opcode) === 'XRC'),
    fields: EXTENDED_HEADERS,
  },
  {
    reason: 'It takes the source port 4791 for RoCEv2 too; Annex A17, section A17.3.2, names the destination port.',
    applies: ({ layers }) =>
      layers.some(({ kind, value }) =>
        kind === 'udp' && value.sourcePort === UdpPort.ROCE_V2 && value.destinationPort !== UdpPort.ROCE_V2
      ),
    fields: ['infiniband.'],
  },
  {
    reason:
      'It reads on behind the UDP header of a first fragment; here a fragment is no RoCE packet, its ICRC being elsewhere.',
    applies: ({ layers }) =>
      layers.some(({ kind, value }) => kind === 'fragment' && value.moreFragments && value.fragmentOffset === 0),
    fields: ['infiniband.'],
  },
  {
    reason:
      'It shows no nodes, nor free space, where NodeLen is 0; RFC 9197, section 4.4.1: NodeLen leaves the opaque snapshot out.',
    applies: (packet) => tracesOf(packet).some(({ header }) => header.nodeLenWords === 0),
    fields: ['ipv6.opt.ioam.trace.node.', 'ipv6.opt.ioam.trace.free_space'],
  },
];

/** The row without the fields that tshark misreads in such a packet. */
export function withoutMisreads(row: FieldRow, packet: Packet): FieldRow {
  const left = MISREADS.filter(({ applies }) => applies(packet)).flatMap(({ fields }) => fields);
  return Object.fromEntries(Object.entries(row).filter(([name]) => !left.some((start) => name.startsWith(start))));
}

function tracesOf({ layers }: Packet): IoamTraceData[] {
  return layers.flatMap((layer) => {
    if (layer.kind !== 'hop-by-hop') return [];
    return layer.value.options.flatMap((option) => {
      const contents = readOptionContents(option, layer.kind);
      return contents?.kind === 'ioam' && contents.trace ? [contents.trace] : [];
    });
  });
}
