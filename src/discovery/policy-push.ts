/**
 * Distributes a policy along a path: an ordinary probe whose data requests "apply"; reports the outcome at each node.
 * Nodes apply a policy one by one, so a push can end half-way: the result lists the nodes that applied it and those
 * that did not. There is no automatic rollback; push the former policy to restore it.
 */
import { requireRecord } from '../wire/bytes.js';
import { QosData } from '../wire/discovery/qos-data.js';
import { RoceFcIcmp } from '../wire/discovery/roce-fc.js';
import { RoceError } from '../errors.js';
import { type Path, type PathNode, nodesOfPath } from './probe.js';
import { addressTextOf, nameOf, type AddressWords } from './finding.js';
import type { OriginatorState, ProbeWish, StartedProbe } from './originator.js';
import { startProbe } from './originator.js';
import { contradictsItself, rejectionWords } from './policy.js';

/**
 * The outcome at a node: applied; applied in part (IPv4 has no space for a DSCP map, so a node may still map other
 * DSCPs differently); rejected; replied without reporting an outcome; or did not reply.
 */
export type PushOutcome = 'taken' | 'taken-in-part' | 'rejected' | 'no-word' | 'silent';

/** The outcome of a policy at one node. */
export interface NodePush {
  /** Routers: 1..N; the destination: the same as the last router. */
  readonly hop: number;
  /** Whether it is the host at the end of the path. */
  readonly isDestination: boolean;
  /** The outcome of the policy at this node. */
  readonly outcome: PushOutcome;
  /** The outcome as a sentence. */
  readonly text: string;
  /** 16 bytes; absent if it did not reply. */
  readonly address?: Uint8Array;
}

/** The outcome of a policy along the path. */
export interface PushResult {
  /** Whether the destination and each router applied the policy. */
  readonly isTakenByAll: boolean;
  /** Whether some applied it and others did not: then the path may be worse than before. */
  readonly isMixed: boolean;
  /** In order of the path; the destination last. */
  readonly nodes: readonly NodePush[];
}

/**
 * Starts a push, like `startProbe`.
 *
 * @param wish its policy is sent as "apply", regardless of its kind.
 * @throws RoceError `invalid-argument` like `startProbe`, or for an inconsistent policy, which every node would reject.
 */
export function startPolicyPush(state: OriginatorState, wish: ProbeWish & { readonly policy: QosData },
  nowPs: number): StartedProbe {
  requireRecord('state', state);
  requireRecord('wish', wish);
  requireRecord('wish.policy', wish.policy);
  const started = startProbe(state, { ...wish, policy: { ...wish.policy, kind: QosData.KIND_APPLY } }, nowPs);
  if (!contradictsItself(wish.policy)) return started;
  throw new RoceError('invalid-argument', {
    where: 'policy',
    problem: 'contradicts itself',
    got: [wish.policy],
    hint: 'Lossless priorities need PFC, a DSCP has one priority, and the map agrees with the RoCE and CNP DSCPs',
  });
}

/** The outcome of a push, node by node. */
export function pushResult(path: Path, settings: AddressWords = {}): PushResult {
  requireRecord('path', path);
  requireRecord('settings', settings);
  const addressText = addressTextOf(settings);
  const replied = nodesOfPath(path).map((node) => nodePush(node, nameOf(node, addressText)));
  const silent = path.missingHops.map((hop) => silentNode(hop));
  const routers = [...replied.filter(({ isDestination }) => !isDestination), ...silent].sort((a, b) => a.hop - b.hop);
  const destination = replied.find(({ isDestination }) => isDestination) ?? silentDestination(path);
  const nodes = [...routers, destination];
  const isTakenByAll = nodes.every(hasTaken);
  return { isTakenByAll, isMixed: !isTakenByAll && nodes.some(hasTaken), nodes };
}

function hasTaken({ outcome }: NodePush): boolean {
  return outcome === 'taken' || outcome === 'taken-in-part';
}

function nodePush(node: PathNode, name: string): NodePush {
  const { hop, isDestination, address } = node;
  const { outcome, words } = outcomeOf(node);
  return { hop, isDestination, address, outcome, text: `${name} ${words}.` };
}

function outcomeOf({ reported, code }: PathNode): { outcome: PushOutcome; words: string } {
  const kind = reported.state === 'reported' ? reported.qos.kind : undefined;
  if (kind === QosData.KIND_TAKEN) {
    return code === RoceFcIcmp.SUPPORTED ?
      { outcome: 'taken', words: 'took the policy' } :
      { outcome: 'taken-in-part', words: 'took the policy only in part' };
  }
  if (reported.state === 'reported' && kind === QosData.KIND_REJECTED) {
    return { outcome: 'rejected', words: `rejected the policy: it ${rejectionWords(reported.qos.rejection ?? 0)}` };
  }
  return { outcome: 'no-word', words: 'replied without reporting an outcome' };
}

function silentNode(hop: number): NodePush {
  return {
    hop,
    isDestination: false,
    outcome: 'silent',
    text: `Hop ${hop} did not reply: it may or may not have taken the policy.`,
  };
}

function silentDestination({ routers }: Path): NodePush {
  const text = 'The destination did not reply: it may or may not have taken the policy.';
  return { hop: routers.at(-1)?.hop ?? 0, isDestination: true, outcome: 'silent', text };
}
