/** The WAN of a result: tunnels, borders, ARNs. */
import { absent, list, number, record, text, texts, words } from '../../result-schema/parts.js';

export const WAN_NODE = record({
  node: text('Name of the node.'),
  encapsulated: number('Packets that entered a tunnel here.'),
  decapsulated: number('Packets that left a tunnel here, including those dropped because of their ECN fields.'),
  endConSent: number('Fast CNPs sent from here to the END.CON SID of a provider edge.'),
  endConReceived: number('Fast CNPs that arrived at an END.CON SID here.'),
  fastCnpsDeniedIn: number('Fast CNPs that the access list denied on their way into the domain.'),
  fastCnpsDeniedOut: number('The same on their way out of it.'),
  ecnUnused: number('Packets whose inner and outer ECN fields are an unused combination: (!) of RFC 6040.'),
  ecnDangerous: number('Packets with a potentially dangerous one, (!!!); those dropped among them.'),
  ecnDropped: number('Packets dropped: outer CE over inner Not-ECT.'),
}, 'Counters of a node for tunnels, and for Fast CNPs at a border.', 'WanNodeResult');

export const WAN_SERVICE = record({
  name: text('Name of the service.'),
  edges: texts('Names of its provider edges of `dc0` and `dc1`.'),
  via: texts('Names of the routers that its packets are routed through.'),
  overheadBytes: number('Bytes of its outer headers.'),
  flows: number('Flows across the WAN that belong to it.'),
}, 'A service, which is a tunnel both ways.', 'WanServiceResult');

export const ARN_PORT = record({
  port: text('Name of the port.'),
  arnsSent: number('ARNs that it sent to begin a pause.'),
  arnsRefreshed: number('ARNs that it repeated while the congestion lasted.'),
  arnResumes: number('ARNs that it sent to end a pause.'),
  arnsReceived: number('ARNs that it received.'),
  arnsExpired: number('Pauses of its egress queues that expired.'),
  heldPs: number('How long its egress queues were held, summed over services, flows or classes.'),
}, 'ARNs of a port.', 'ArnPortResult');

export const HELD = record({
  level: words(['service', 'flow', 'priority'], 'What ARNs of this run hold.'),
  key: number('Index of the service or flow, or the class.'),
  name: text('Name of the service; the index of others.'),
  heldPs: number('How long, picoseconds, summed over ports.'),
}, 'A service, flow or class that ARNs held.', 'HeldResult');

export const WAN = record({
  nodes: list(WAN_NODE, 'Gateways, provider edges and routers at which any of this happened.'),
  services: list(WAN_SERVICE, 'Services in the order in which flows are matched with them; the last is `default`.'),
  arnPorts: absent(list(ARN_PORT, 'Ports that sent or received ARNs. Absent: there are none.')),
  held: absent(list(HELD, 'What ARNs held, longest first. Absent: nothing.')),
}, 'Tunnels, borders and ARNs of a run.', 'WanResult');
