/**
 * Opens the QPs of a flow list. Each flow is a connection with a QP at either end; one engine represents all hosts.
 *
 * An endpoint is an address. The sender's QP is the reaction point, where CNPs and Fast CNPs arrive; the receiver's is
 * the notification point, where marked data arrives. A list may name both directions of a connection.
 */
import type { Engine } from '../engine/engine.js';
import { type Flow, invalidFlows } from './flows.js';
import type { FlowEnd } from './report.js';

/** A QP of the engine, as one end of a connection. */
export interface OpenQp {
  /** Number of the QP in the engine. */
  readonly qp: number;
  /** Engine number of the QP at the other end. */
  readonly peerQp: number;
  readonly local: FlowEnd;
  readonly peer: FlowEnd;
  /** Name of the flow whose data it sends, or else of the opposite flow. */
  readonly flow: string;
  /** Whether the list names the data that this QP sends. */
  readonly listed: boolean;
}

/** Two QPs per connection, so at most two per flow. */
export function qpCountOf(flows: readonly Flow[]): number {
  return 2 * flows.length;
}

/** Returns the distinct addresses, in order of appearance. */
export function addressesOf(flows: readonly Flow[]): string[] {
  return [...new Set(flows.flatMap((flow) => [flow.senderAddress, flow.peerAddress]))];
}

/**
 * Adds an endpoint per address and opens all QPs.
 *
 * @returns QPs in the order of their engine numbers, from 0.
 * @throws RoceError `invalid-flows` when two flows claim the same QP, naming both lines.
 */
export function openFlows(engine: Engine, flows: readonly Flow[]): OpenQp[] {
  const endpoints = new Map(addressesOf(flows).map((address) => [address, engine.addEndpoint([address])]));
  const claims = new Map<string, Claim>();
  const qps: OpenQp[] = [];
  for (const flow of flows) {
    const local = { address: flow.senderAddress, qpn: flow.senderQpn };
    const peer = { address: flow.peerAddress, qpn: flow.peerQpn };
    const reverse = findReverse(claims, local, peer, flow);
    if (reverse === undefined) {
      const qp = openEnd(engine, endpoints, local, peer);
      const peerQp = openEnd(engine, endpoints, peer, local);
      qps[qp] = { qp, peerQp, local, peer, flow: flow.name, listed: true };
      qps[peerQp] = { qp: peerQp, peerQp: qp, local: peer, peer: local, flow: flow.name, listed: false };
      claims.set(keyOf(local), { qp, peer: keyOf(peer), flow, sends: true });
      claims.set(keyOf(peer), { qp: peerQp, peer: keyOf(local), flow, sends: false });
    } else {
      qps[reverse.qp] = { qp: reverse.qp, peerQp: reverse.peerQp, local, peer, flow: flow.name, listed: true };
    }
  }
  return qps;
}

interface Claim {
  readonly qp: number;
  readonly peer: string;
  readonly flow: Flow;
  /** Whether the list names data that it sends. */
  sends: boolean;
}

/**
 * Finds the QPs of the connection if its opposite direction came earlier in the list; undefined when both QPs are new.
 */
function findReverse(claims: ReadonlyMap<string, Claim>, local: FlowEnd, peer: FlowEnd, flow: Flow): {
  qp: number;
  peerQp: number;
} | undefined {
  const [localKey, peerKey] = [keyOf(local), keyOf(peer)];
  const [atLocal, atPeer] = [claims.get(localKey), claims.get(peerKey)];
  if (atLocal === undefined && atPeer === undefined && localKey !== peerKey) return undefined;
  if (atLocal !== undefined && atPeer !== undefined && atLocal.peer === peerKey && !atLocal.sends) {
    atLocal.sends = true;
    return { qp: atLocal.qp, peerQp: atPeer.qp };
  }
  const first = atLocal?.flow ?? atPeer?.flow ?? flow;
  const got = atLocal === undefined ? peerKey : localKey;
  throw invalidFlows({
    what: 'QP',
    problem: `already belongs to the connection of ${first.where}`,
    got,
    where: flow.where,
  });
}

function keyOf(end: FlowEnd): string {
  return `${end.address} QPN 0x${end.qpn.toString(16)}`;
}

function openEnd(engine: Engine, endpoints: ReadonlyMap<string, number>, local: FlowEnd, peer: FlowEnd): number {
  const endpoint = endpoints.get(local.address) ?? 0;
  return engine.openQp({ endpoint, localQpn: local.qpn, peerAddress: peer.address, peerQpn: peer.qpn });
}
