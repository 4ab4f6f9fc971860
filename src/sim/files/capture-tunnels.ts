/**
 * From packets in tunnels of a WAN, and ARNs, to the frames of a capture.
 *
 *   outer header    source: the END.CON SID of the entry, or of a Fast CNP on its way to one the router's own address; destination: the
 *                   segment or exit that it is led to; flow label: the hash of the inner addresses and ports (RFC 6438); DSCP uniform
 *   END.CON SID     2001:db8:0:c::, and the provider edge's index + 1; exit of a service 2001:db8:e:S:: with its number S; segment of a
 *                   router 2001:db8:0:5::
 *   ARN             over UDP to port 49152 of the neighbour: no document names a carrier (docs/sources.md)
 *
 * Hop limits are not counted down, as in captures of any simulated port.
 */
import { arnFor } from '../../flow-control/arn-for.js';
import type { PacketKeys } from '../../flow-control/packet-keys.js';
import { NEXT_HEADER_IPV6, encapsulate } from '../../tunnel/encapsulate.js';
import { build } from '../../packet/build-stack.js';
import { RoceError } from '../../errors.js';
import { ETHERNET_BYTES } from '../../wire/link/ethernet.js';
import { IPV6_BYTES } from '../../wire/ip/ipv6.js';
import { PROTOCOL_UDP } from '../../wire/ip/udp.js';
import { IP_ADDRESS_BYTES } from '../../wire/ip/ip-address.js';
import { ARN_UDP_PORT, wanHopCounts } from '../compile/wan.js';
import { ecmpHash, tupleOf } from '../compile/ecmp-hash.js';
import type { NetworkPlan } from '../plan.js';
import type { PacketRecord, TunnelRecord } from '../result.js';
import type { WanPlan, WanServicePlan } from '../wan-plan.js';
import { addressOfNode, macOfPort } from '../../switching/network-addresses.js';

const ROCE_PORT = 4791;
const FLOW_LABEL_MASK = 0xfffff;
const ECN_MASK = 3;
const CE = 3;
const TRAFFIC_CLASS_LOW = 1;
const TRAFFIC_CLASS_ECN_SHIFT = 4;
const DESTINATION_OFFSET = 24;
const SEGMENTS_LEFT_OFFSET = 3;
/** Bytes 4 to 7 of the SIDs. */
const END_CON_WORD = 0x0000_000c;
const SEGMENT_WORD = 0x0000_0005;
const EXIT_WORD = 0x000e_0000;
const PS_PER_US = 1e6;

/** What captures of a WAN need to know of the network. */
export type TunnelContext = Pick<NetworkPlan, 'nodes' | 'ports' | 'flows' | 'wan'>;

/** The record of what is inside. */
export function innerRecord(context: TunnelContext, record: PacketRecord, tunnel: TunnelRecord): PacketRecord {
  const wan = wanOf(context);
  const overheadBytes = tunnel.endCon ? wan.wrapperBytes : serviceOf(wan, record.flow).overheadBytes;
  const inner: PacketRecord = { ...record, lenBytes: record.lenBytes - overheadBytes, marked: tunnel.innerEcn === CE };
  return inner;
}

/** The frame around an inner one, both from their Ethernet header on. */
export function tunnelFrame(context: TunnelContext, record: PacketRecord, tunnel: TunnelRecord,
  inner: Uint8Array): Uint8Array {
  const wan = wanOf(context);
  const ends = endsOf(context, wan, record, tunnel);
  const [destination] = ends.ids.slice(-1);
  const packet = encapsulate(inner.subarray(ETHERNET_BYTES), {
    source: ends.source,
    destination,
    segments: ends.ids.slice(0, -1),
    flowLabel: tunnel.endCon ? 0 : flowLabelOf(context, record.flow),
  });
  packet[TRAFFIC_CLASS_LOW] = (packet[TRAFFIC_CLASS_LOW] & ~(ECN_MASK << TRAFFIC_CLASS_ECN_SHIFT)) |
    (tunnel.outerEcn << TRAFFIC_CLASS_ECN_SHIFT);
  if (tunnel.segmentsVisited > 0) {
    packet.set(ends.ids[tunnel.segmentsVisited], DESTINATION_OFFSET);
    packet[IPV6_BYTES + SEGMENTS_LEFT_OFFSET] -= tunnel.segmentsVisited;
  }
  const frame = new Uint8Array(ETHERNET_BYTES + packet.length);
  frame.set(inner.subarray(0, ETHERNET_BYTES));
  frame.set(packet, ETHERNET_BYTES);
  return frame;
}

/** The frame of an ARN. @throws RoceError `invalid-argument` for a record without what it holds. */
export function arnFrame(context: TunnelContext, record: PacketRecord): Uint8Array {
  const wan = wanOf(context);
  const { arn, port } = record;
  if (arn === undefined) throw missing('arn');
  const { node, peerPort } = context.ports[port];
  const peer = context.ports[peerPort].node;
  const { level } = wan.flowControl;
  const message = arn.timePs === 0 ?
    arnFor(level, keysOf(context, wan, record, arn.key), { kind: 'resume' }, { resumeBy: 'zero-time' }) :
    arnFor(level, keysOf(context, wan, record, arn.key), {
      kind: 'pause',
      timePs: Math.ceil(arn.timePs / PS_PER_US) * PS_PER_US,
    });
  const udp = { sourcePort: ARN_UDP_PORT, destinationPort: ARN_UDP_PORT };
  return build([
    { kind: 'ethernet', value: { source: macOfPort(port), destination: macOfPort(peerPort) } },
    { kind: 'ipv6', value: { source: addressOfNode(node), destination: addressOfNode(peer), dscp: 48, ecn: 0 } },
    { kind: 'udp', value: udp },
    { kind: 'arn', value: message },
  ]);
}

function wanOf({ wan }: TunnelContext): WanPlan {
  if (wan === undefined) throw missing('tunnel');
  return wan;
}

function missing(what: string): RoceError {
  return new RoceError('invalid-argument', {
    what: `record.${what}`,
    problem: 'is that of a network with tunnels',
    where: `record.${what}`,
  });
}

function serviceOf({ services, serviceOfFlow }: WanPlan, flow: number): WanServicePlan {
  return services[serviceOfFlow[flow]];
}

interface OuterEnds {
  readonly source: Uint8Array;
  /** In travel order; the last is the exit. */
  readonly ids: readonly Uint8Array[];
}

function endsOf({ flows, ports }: TunnelContext, wan: WanPlan, record: PacketRecord, tunnel: TunnelRecord): OuterEnds {
  const { flow, kind, origin = ports[record.port].node } = record;
  const service = serviceOf(wan, flow);
  if (tunnel.endCon) {
    const entry = service.edges[wan.domains[flows.source[flow]]];
    return { source: addressOfNode(origin), ids: [endConSid(entry)] };
  }
  return endsTowards(wan, flow, wan.domains[kind === 'data' ? flows.destination[flow] : flows.source[flow]]);
}

function endsTowards(wan: WanPlan, flow: number, center: number): OuterEnds {
  return endsOfService(wan, wan.serviceOfFlow[flow], center);
}

/** Outer addresses of a service on its way to a data centre. */
function endsOfService({ services }: WanPlan, number: number, center: number): OuterEnds {
  const { edges, segments } = services[number];
  const inOrder = center === 1 ? segments : [...segments].reverse();
  return {
    source: endConSid(edges[1 - center]),
    ids: [...inOrder.map((router) => sid(router, SEGMENT_WORD)), sid(edges[center], EXIT_WORD + number)],
  };
}

function endConSid(edge: number): Uint8Array {
  return sid(edge, END_CON_WORD);
}

/** The address of a node with another word behind the prefix. */
function sid(node: number, word: number): Uint8Array {
  const bytes = addressOfNode(node);
  new DataView(bytes.buffer, bytes.byteOffset, IP_ADDRESS_BYTES).setUint32(4, word);
  return bytes;
}

function flowLabelOf({ flows, nodes }: TunnelContext, flow: number): number {
  const { source, destination, udpSourcePort, udpDestinationPort } = flows.get(flow);
  const tuple = tupleOf(nodes[source].address, nodes[destination].address, udpSourcePort, udpDestinationPort);
  return ecmpHash(tuple, 0) & FLOW_LABEL_MASK;
}

/** What an ARN names: of a service and its direction the outer addresses, of a flow the inner ones and ports. */
function keysOf(context: TunnelContext, wan: WanPlan, { port }: PacketRecord, key: number): PacketKeys {
  const { flows, ports } = context;
  const { level } = wan.flowControl;
  if (level === 'priority') return { priorityId: key };
  if (level === 'flow') {
    const { source, destination, udpSourcePort } = flows.get(key);
    return {
      inner: {
        source: addressOfNode(source),
        destination: addressOfNode(destination),
        protocol: PROTOCOL_UDP,
        sourcePort: udpSourcePort,
        destinationPort: ROCE_PORT,
      },
    };
  }
  // Held is what comes from the neighbour: it goes to the data centre that this node is nearer to.
  const [here, there] = [ports[port].node, ports[ports[port].peerPort].node];
  const hops = wanHopCounts(context, wan.services[key].edges[0]);
  const { source, ids } = endsOfService(wan, key, hops[here] > hops[there] ? 1 : 0);
  const [destination] = ids.slice(-1);
  return { outer: { source, destination, protocol: NEXT_HEADER_IPV6, sourcePort: 0, destinationPort: 0 } };
}
