/** A chain of nodes that handle bytes: originator – routers 1..N – destination. */
import { correlateReplies } from '../../../src/discovery/probe.js';
import { type NodePacketOptions, type NodePacketOutcome, deliverPacket,
  routePacket } from '../../../src/discovery/node-packets.js';
import type { DiscoveryNode, NodeFields } from '../../../src/discovery/node.js';
import { RECOMMENDED_NODE_QOS, createNode } from '../../../src/discovery/node.js';
import type { OriginatorState, ReplyOutcome } from '../../../src/discovery/originator.js';
import { createOriginator, onProbeReply, onProbeTimeout, startProbe } from '../../../src/discovery/originator.js';
import { startPolicyPush } from '../../../src/discovery/policy-push.js';
import type { ReportSettings } from '../../../src/discovery/report.js';
import { reportPath } from '../../../src/discovery/report.js';
import { us } from '../../../src/units.js';
import type { QosData } from '../../../src/wire/discovery/qos-data.js';
import { ReplyPacket, RequestPacket } from '../../../src/wire/discovery/packets.js';
import { parseIpAddress } from '../../../src/wire/ip/ip-address.js';

export type Family = 'IPv4' | 'IPv6';

/** 10.0.hop.1 or 2001:db8:0:hop::1; the originator is hop 0. */
export function addressOf(family: Family, hop: number): Uint8Array {
  return parseIpAddress(family === 'IPv4' ? `10.0.${hop}.1` : `2001:db8:0:${hop.toString(16)}::1`);
}

export const DESTINATION_HOP = 200;

export interface Network {
  readonly family: Family;
  /** Replaced when a policy is applied. */
  readonly routers: DiscoveryNode[];
  destination: DiscoveryNode;
}

type Settings = Omit<NodeFields, 'address'>;

/** Nodes with the recommended settings; exceptions in `settings` by hop number, the destination's under `DESTINATION_HOP`. */
export function buildNetwork(family: Family, routerCount: number, settings: Readonly<Record<number, Settings>> = {},
  all: Settings = {}): Network {
  const node = (hop: number) => createNode({ address: addressOf(family, hop), ...all, ...settings[hop] });
  const routers = Array.from({ length: routerCount }, (_, index) => node(index + 1));
  return { family, routers, destination: node(DESTINATION_HOP) };
}

/** Simulated faults. A hop is 1..N; N + 1 is the destination. */
export interface Faults {
  /** The request is lost on the link that leads to this hop. */
  readonly requestLostBefore?: number;
  readonly replyLostOf?: readonly number[];
  /** Routers with an access list: true for ICMP types and codes that they drop on the return path. */
  readonly accessList?: (hop: number, type: number, code: number) => boolean;
  /** Changes the order and the number of replies. */
  readonly shuffle?: (packets: readonly Uint8Array[]) => readonly Uint8Array[];
}

/** Sends a packet along the path. @returns the replies that reach the originator, in order. */
export function sendThrough(network: Network, packet: Uint8Array, faults: Faults = {},
  options: NodePacketOptions = {}): readonly Uint8Array[] {
  const { requestLostBefore } = faults;
  const shuffle = faults.shuffle ?? ((packets: readonly Uint8Array[]) => packets);
  const replies: Uint8Array[] = [];
  const keep = (outcome: NodePacketOutcome | undefined, hop: number) => {
    const reply = outcome?.replyPacket;
    if (reply !== undefined && !isLost(network, reply, hop, faults)) replies.push(reply);
  };
  let travelling: Uint8Array | undefined = packet;
  for (const [index, router] of network.routers.entries()) {
    if (travelling === undefined || requestLostBefore === index + 1) return shuffle(replies);
    const outcome = routePacket(router, travelling, options);
    keep(outcome, index + 1);
    if (outcome !== undefined) network.routers[index] = outcome.node;
    travelling = outcome?.forwardedPacket;
  }
  const last = network.routers.length + 1;
  if (travelling === undefined || requestLostBefore === last) return shuffle(replies);
  const outcome = deliverPacket(network.destination, travelling, options);
  keep(outcome, last);
  if (outcome !== undefined) network.destination = outcome.node;
  return shuffle(replies);
}

function isLost({ family }: Network, reply: Uint8Array, hop: number,
  { replyLostOf = [], accessList }: Faults): boolean {
  if (replyLostOf.includes(hop)) return true;
  const at = family === 'IPv4' ? 20 : 40;
  for (let router = hop - 1; router >= 1; router--) if (accessList?.(router, reply[at]!, reply[at + 1]!)) return true;
  return false;
}

export const POLICY: QosData = {
  kind: 0,
  losslessPriorities: 8,
  pfcPriorities: 8,
  ecnPriorities: 8,
  trustMode: 2,
  roceDscp: 26,
  rocePriority: 3,
  cnpDscp: 48,
  cnpPriority: 6,
  mtuBytes: 4200,
  dscpToPriority: RECOMMENDED_NODE_QOS.dscpToPriority,
};

export interface Discovery extends Faults {
  readonly policy?: QosData;
  readonly push?: boolean;
  readonly maxHops?: number;
  readonly options?: NodePacketOptions;
  readonly report?: ReportSettings;
}

/** One whole discovery at the byte level: probe, replies one microsecond apart, timeout, path, report. */
export function discover(network: Network, wish: Discovery = {}) {
  const { family } = network;
  const { policy, push = false, maxHops, options = {} } = wish;
  let state: OriginatorState = createOriginator(addressOf(family, 0));
  const fields = {
    destination: addressOf(family, DESTINATION_HOP),
    idNumber: 0x2a,
    ...(maxHops !== undefined && { maxHops }),
  };
  const started = push && policy ?
    startPolicyPush(state, { ...fields, policy }, 0) :
    startProbe(state, { ...fields, ...(policy && { policy }) }, 0);
  state = started.state;
  const packet = RequestPacket.write({
    source: state.address,
    destination: started.probe.destination,
    request: started.request,
    hopLimit: started.hopLimit,
    protocol: 17,
    payload: Uint8Array.of(0xc0, 0, 0x12, 0xb7, 0, 8, 0, 0),
  }, options);
  const outcomes: ReplyOutcome[] = [];
  let isComplete = false;
  for (const [index, bytes] of sendThrough(network, packet, wish, options).entries()) {
    const received = ReplyPacket.read(bytes, options)!;
    const step = onProbeReply(state, { from: received.source, reply: received.reply }, us(1 + index));
    state = step.state;
    isComplete = step.isComplete;
    outcomes.push(step.outcome);
  }
  const { finished, state: after } = onProbeTimeout(state, started.probe.deadlinePs);
  const path = correlateReplies(finished[0]!);
  return { state: after, outcomes, isComplete, path, report: reportPath(path, wish.report) };
}
