/**
 * Converts ARNs, and packets in WAN tunnels, to frames of a capture.
 *
 *   outer header    source: the END.CON SID of the tunnel's entry (for a Fast CNP to an END.CON SID, the router's address); destination:
 *                   the segment or tunnel end that it is routed to; flow label: hash of the inner addresses and ports (RFC 6438);
 *                   DSCP: uniform model
 *   ARN             over UDP to port 49152 of the neighbour: no document names a carrier (docs/reference/sources.md)
 *
 * Hop limits are not decremented, as in all captures of simulated ports.
 */
import { arnFor, type PacketKeys } from '../../../flow-control/arn-for.js';
import { NEXT_HEADER_IPV6, encapsulate } from '../../../tunnel/encapsulation.js';
import { build } from '../../../packet/build-stack.js';
import { RoceError } from '../../../errors.js';
import { PS_PER_US } from '../../../units.js';
import { IpProtocol } from '../../../wire/ip/ip-protocol.js';
import { Ethernet } from '../../../wire/link/ethernet.js';
import { Ipv6 } from '../../../wire/ip/ipv6.js';
import { ARN_UDP_PORT, wanHopCounts } from './compile.js';
import { ecmpHash, tupleOf } from '../../../switching/ecmp-hash.js';
import type { NetworkPlan } from '../../plan.js';
import type { PacketRecord, TunnelRecord } from '../../result.js';
import type { WanPlan, WanServicePlan } from './plan.js';
import { addressOfNode, macOfPort, endConSid, tunnelAddresses, tunnelFlowLabel,
  type TunnelAddresses } from '../../../switching/network-addresses.js';

const ROCE_PORT = 4791;
const ECN_MASK = 3;
const CE = 3;
const TRAFFIC_CLASS_LOW = 1;
const TRAFFIC_CLASS_ECN_SHIFT = 4;
const DESTINATION_OFFSET = 24;
const SEGMENTS_LEFT_OFFSET = 3;

/** The properties of the network that captures of a WAN need. */
export type TunnelContext = Pick<NetworkPlan, 'nodes' | 'ports' | 'flows' | 'wan'>;

/** The record of the inner packet. */
export function innerRecord(context: TunnelContext, record: PacketRecord, tunnel: TunnelRecord): PacketRecord {
  const wan = wanOf(context);
  const overheadBytes = tunnel.endCon ? wan.wrapperBytes : serviceOf(wan, record.flow).overheadBytes;
  const inner: PacketRecord = { ...record, lenBytes: record.lenBytes - overheadBytes, marked: tunnel.innerEcn === CE };
  return inner;
}

/** Puts an inner frame into its outer headers; both frames begin with their Ethernet header. */
export function tunnelFrame(context: TunnelContext, record: PacketRecord, tunnel: TunnelRecord,
  inner: Uint8Array): Uint8Array {
  const wan = wanOf(context);
  const ends = endsOf(context, wan, record, tunnel);
  const [destination] = ends.ids.slice(-1);
  const packet = encapsulate(inner.subarray(Ethernet.lenBytes), {
    source: ends.source,
    destination,
    segments: ends.ids.slice(0, -1),
    flowLabel: tunnel.endCon ? 0 : flowLabelOf(context, record.flow),
  });
  packet[TRAFFIC_CLASS_LOW] = (packet[TRAFFIC_CLASS_LOW] & ~(ECN_MASK << TRAFFIC_CLASS_ECN_SHIFT)) |
    (tunnel.outerEcn << TRAFFIC_CLASS_ECN_SHIFT);
  if (tunnel.segmentsVisited > 0) {
    packet.set(ends.ids[tunnel.segmentsVisited], DESTINATION_OFFSET);
    packet[Ipv6.lenBytes + SEGMENTS_LEFT_OFFSET] -= tunnel.segmentsVisited;
  }
  const frame = new Uint8Array(Ethernet.lenBytes + packet.length);
  frame.set(inner.subarray(0, Ethernet.lenBytes));
  frame.set(packet, Ethernet.lenBytes);
  return frame;
}

/** The frame of an ARN. @throws RoceError `invalid-argument` for a record without ARN fields. */
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
    problem: 'needs a network with tunnels',
    where: `record.${what}`,
  });
}

function serviceOf({ services, serviceOfFlow }: WanPlan, flow: number): WanServicePlan {
  return services[serviceOfFlow[flow]];
}

function endsOf({ flows, ports }: TunnelContext, wan: WanPlan, record: PacketRecord,
  tunnel: TunnelRecord): TunnelAddresses {
  const { flow, kind, origin = ports[record.port].node } = record;
  const service = serviceOf(wan, flow);
  if (tunnel.endCon) {
    const entry = service.edges[wan.domains[flows.source[flow]]];
    return { source: addressOfNode(origin), ids: [endConSid(entry)] };
  }
  return endsTowards(wan, flow, wan.domains[kind === 'data' ? flows.destination[flow] : flows.source[flow]]);
}

function endsTowards(wan: WanPlan, flow: number, center: number): TunnelAddresses {
  const service = wan.serviceOfFlow[flow];
  return tunnelAddresses(wan.services[service], service, center);
}

function flowLabelOf({ flows, nodes }: TunnelContext, flow: number): number {
  const { source, destination, udpSourcePort, udpDestinationPort } = flows.get(flow);
  const tuple = tupleOf(nodes[source].address, nodes[destination].address, udpSourcePort, udpDestinationPort);
  return tunnelFlowLabel(ecmpHash(tuple, 0));
}

/**
 * The packet fields that identify what an ARN pauses: the outer addresses for a service and its direction; the inner addresses
 * and ports for a flow.
 */
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
        protocol: IpProtocol.UDP,
        sourcePort: udpSourcePort,
        destinationPort: ROCE_PORT,
      },
    };
  }
  // The ARN pauses data from the neighbour, which goes to the data centre that this node is closer to.
  const [here, there] = [ports[port].node, ports[ports[port].peerPort].node];
  const hops = wanHopCounts(context, wan.services[key].edges[0]);
  const { source, ids } = tunnelAddresses(wan.services[key], key, hops[here] > hops[there] ? 1 : 0);
  const [destination] = ids.slice(-1);
  return { outer: { source, destination, protocol: NEXT_HEADER_IPV6, sourcePort: 0, destinationPort: 0 } };
}
