/** A WAN with tunnels: nodes and links, tunnels, services, access lists, flow control. */
import * as z from 'zod';
import { DEFAULT_TUNNEL, DEFAULT_WAN_FLOW_CONTROL, DEFAULT_WAN_ROWS } from '../../scenario/defaults.js';
import { DEFAULT_WAN } from '../../topology/topologies.js';
import { link, linkShape, flag, listOf, name, numberAboveZero, optional, record, rejecting, wholeIn,
  wordOf } from '../../scenario/schema-parts.js';

const EDGES_MAX = 16;
const PATHS_MAX = 64;
const ROUTERS_MAX = 16;
const SERVICES_MAX = 1024;
const NAMES_MAX = 4096;
const MTU_MAX_BYTES = 65_535;
/** Minimum MTU of IPv6 (RFC 8200, section 5). */
const MTU_MIN_BYTES = 1280;
const COUNTER_MAX_BYTES = 2 ** 32 - 1;
/** An ARN states the time in microseconds, in 32 bits. */
const PAUSE_TIME_MAX_US = 2 ** 32 - 1;
const ECN_MODES = ['normal', 'compatibility'] as const;
const EDGE_NAME = /^pe[0-9]{1,2}$/;
const EDGE_NAMES = rejecting('an object of ECN modes, each by the name of a provider edge, as pe0');

export const WAN_TOPOLOGY = record({
  ...linkShape(DEFAULT_WAN),
  ...optional({
    edges: wholeIn(1, EDGES_MAX, 'Provider edges of each data centre, pe0, …. Default: none, one link wan0 to wan1.'),
    paths: wholeIn(1, PATHS_MAX, 'Rows of routers side by side, each linked to all provider edges.',
      DEFAULT_WAN_ROWS.paths),
    routers: wholeIn(1, ROUTERS_MAX, 'Routers in a row, r0, ….', DEFAULT_WAN_ROWS.routers),
    links: listOf(link('A link of each row.'), 2, ROUTERS_MAX + 1,
      "Links of each row from dc0 to dc1, routers + 1. Default: as the WAN's."),
    access: link('Links between gateways and provider edges. Default: as those between leaves and spines.'),
  }),
},
  'The network between the data centres; rate and delay are those of each of its links. With edges it has the roles of draft-hu-rtgwg-rocev2-fcn-00, figure 1: gateways dc0.gateway, dc1.gateway; provider edges pe0, pe1, …, those of dc0 first; routers r0, r1, …, path by path. Without, it is one link between the border switches wan0 and wan1.',
  'WanTopologySpec');

const TUNNEL = record(optional({
  ecn: wordOf(ECN_MODES, 'The outer ECN field at the entry (RFC 6040): copied, which the draft requires, or Not-ECT.',
    DEFAULT_TUNNEL.ecn),
  ecnOfEdges: z.record(z.string().regex(EDGE_NAME, EDGE_NAMES), wordOf(ECN_MODES, 'Its mode.'), EDGE_NAMES)
    .describe('Provider edges with another mode.'),
  dataEcn: wordOf(['ect0', 'ect1', 'not-ect'], 'ECN field of data as senders write it.', DEFAULT_TUNNEL.dataEcn),
  routersMark: wordOf(['ect', 'all'],
    'Which packets congested nodes of the WAN mark: ECN-capable ones, or, against RFC 3168, all.',
    DEFAULT_TUNNEL.routersMark),
  mtuBytes: wholeIn(MTU_MIN_BYTES, MTU_MAX_BYTES,
    'Longest IP packet on links of the WAN, bytes; a flow with longer packets is rejected.', DEFAULT_TUNNEL.mtuBytes),
}), 'The tunnels: RoCEv2 over IPv6 encapsulated in IPv6.', 'TunnelSpec');

const SERVICE = record({
  name: name('Its name.'),
  ...optional({
    hosts: listOf(name('A host.'), 1, NAMES_MAX, 'Flows with one of these hosts at either end. Default: any.'),
    trafficClasses: listOf(wholeIn(1, 7, 'A class.'), 1, 7, 'Flows with data in one of these. Default: any.'),
    edges: z.tuple([name('A provider edge of dc0.'), name('One of dc1.')], rejecting('a list of two names'))
      .describe('Ends of its tunnel. Default: the first of each data centre.'),
    via: listOf(name('A router.'), 1, 8,
      'Routers that a Segment Routing Header names, from dc0 to dc1. Default: none, and no such header.'),
  }),
}, 'A tunnel between two provider edges, both ways.', 'ServiceSpec');

const ACCESS_LIST = record({
  at: name('gateways, edges, or the name of one of them.'),
  ...optional({ direction: wordOf(['in', 'out'], 'Into its domain, or out of it. Default: both.') }),
  permit: listOf(name('A switch, or dc0, dc1, wan.'), 0, NAMES_MAX, 'Switches whose Fast CNPs pass.'),
}, 'Switches whose Fast CNPs a border lets through. Lists for one node add up.', 'AccessListSpec');

const FLOW_CONTROL = record(optional({
  kind: wordOf(['pfc', 'arn', 'none'],
    'pfc: pause frames, hop by hop; arn: pauses of a service, flow or priority; none.', DEFAULT_WAN_FLOW_CONTROL.kind),
  level: wordOf(['service', 'flow', 'priority'], 'What an ARN pauses: draft-hu-rtgwg-rocev2-fcn-00, section 4.1.2.',
    DEFAULT_WAN_FLOW_CONTROL.level),
  pauseTimeUs: numberAboveZero(PAUSE_TIME_MAX_US,
    'How long an ARN pauses, us; the longest PFC pause at 100 Gb/s takes 335.', DEFAULT_WAN_FLOW_CONTROL.pauseTimeUs),
  refreshUs: numberAboveZero(PAUSE_TIME_MAX_US,
    'Refresh time of ARNs while the congestion lasts, us. Default: half of pauseTimeUs.'),
  xoffBytes: wholeIn(1, COUNTER_MAX_BYTES,
    'Bytes of a service, flow or priority, by port of arrival, from which on it is paused. Default: Kmax of the port.'),
  xonBytes: wholeIn(0, COUNTER_MAX_BYTES, 'Bytes at which it may resume. Default: Kmin of the port.'),
  gateways: wordOf(['pfc', 'arn'], 'What gateways support: ARNs, or only pause frames.',
    DEFAULT_WAN_FLOW_CONTROL.gateways),
  resumes: flag('Whether resuming ARNs are sent. If not, pauses end when their time expires.',
    DEFAULT_WAN_FLOW_CONTROL.resumes),
}), 'Flow control on the links of the WAN.', 'WanFlowControlSpec');

export const WAN_SCHEMA = record(optional({
  tunnel: TUNNEL,
  services: listOf(SERVICE, 1, SERVICES_MAX,
    'Separate tunnels for some flows: the first that matches a flow. The others share a service default.'),
  accessLists: listOf(ACCESS_LIST, 1, NAMES_MAX,
    'Switches whose Fast CNPs pass the borders. Default: none (draft-xiao-rtgwg-rocev2-fast-cnp-01, section 5).'),
  flowControl: FLOW_CONTROL,
}), 'Tunnels, services, access lists and flow control of a WAN with provider edges.', 'WanSpec');
