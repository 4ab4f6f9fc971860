/**
 * Problems of a single node, and mismatches between it and its neighbour on the path.
 *
 * Two neighbours must map RoCE data to the same priority: PFC pauses a priority of a link, so a pause from one of them
 * would otherwise stop a queue of the other that does not hold the data.
 */
import { QosData } from '../wire/discovery/qos-data.js';
import { type Finding, type FindingWeight, type ReportingNode, differingDscps, priorityOf, findingNote,
  type FindingNote } from './finding.js';
import { reportedMapHash } from './node.js';
import { hasPriority } from './policy.js';

/** What a path is checked against; policies have this type. */
export interface PathAim {
  /** DSCP of RoCEv2 data, 0 to 63. */
  readonly roceDscp: number;
  /** DSCP of CNPs, 0 to 63. */
  readonly cnpDscp: number;
  /** Absent without a policy: then any mode in which the DSCP decides is accepted. */
  readonly trustMode?: number;
  /** Absent without a policy, or if it has no MTU: then MTUs are only compared between neighbours. */
  readonly mtuBytes?: number;
}

/** A node and its neighbour closer to the originator. */
interface Pair {
  readonly aim: PathAim;
  readonly node: ReportingNode;
  readonly neighbour: ReportingNode;
}

/** Findings about a node, and about differences to the nearest earlier node that reported its configuration. */
export function findMismatches(node: ReportingNode, neighbour: ReportingNode | undefined, aim: PathAim): Finding[] {
  const findings = [losslessFinding(node, neighbour, aim), trustFinding(node, aim), mtuFinding(node, neighbour, aim)];
  if (neighbour !== undefined) {
    const pair = { node, neighbour, aim };
    findings.push(priorityFinding(pair), trustChangeFinding(pair), ecnFinding(pair), cnpFinding(pair), etsFinding(pair),
      mapFinding(pair));
  }
  return findings.filter((finding) => finding !== undefined);
}

function finding({ hop }: ReportingNode, weight: FindingWeight, note: FindingNote): Finding {
  return { ...note, weight, hop };
}

function losslessFinding(node: ReportingNode, neighbour: ReportingNode | undefined, { roceDscp: dscp }: PathAim):
  | Finding
  | undefined {
  const { qos } = node;
  const priority = priorityOf(qos, dscp);
  if (priority === undefined) {
    const note = findingNote('priority-not-reported', { node: node.name, dscp, roceDscp: qos.roceDscp });
    return finding(node, 'unknown', note);
  }
  const before = neighbour && priorityOf(neighbour.qos, dscp);
  // The comparison with the neighbour reports this difference, with both priorities.
  const isReportedElsewhere = before !== undefined && before !== priority;
  if (!hasPriority(qos.losslessPriorities, priority)) {
    if (isReportedElsewhere) return undefined;
    return finding(node, 'not-lossless', findingNote('priority-not-lossless', { node: node.name, dscp, priority }));
  }
  if (hasPriority(qos.pfcPriorities, priority)) return undefined;
  return finding(node, 'not-lossless', findingNote('pfc-off', { node: node.name, priority }));
}

function priorityFinding({ node, neighbour, aim: { roceDscp: dscp } }: Pair): Finding | undefined {
  const priority = priorityOf(node.qos, dscp);
  const neighbourPriority = priorityOf(neighbour.qos, dscp);
  if (priority === undefined || neighbourPriority === undefined || priority === neighbourPriority) return undefined;
  const isLossless = hasPriority(node.qos.losslessPriorities, priority);
  const figures = { ...names({ node, neighbour }), dscp, priority, neighbourPriority, isLossless };
  return finding(node, 'not-lossless', findingNote('priorities-differ', figures));
}

function trustFinding(node: ReportingNode, aim: PathAim): Finding | undefined {
  const { trustMode } = node.qos;
  if (trustMode === aim.trustMode || trustMode === QosData.TRUST_DSCP || trustMode === QosData.TRUST_BOTH)
    return undefined;
  return finding(node, 'unknown', findingNote('dscp-not-trusted', { node: node.name, trustMode }));
}

function trustChangeFinding({ node, neighbour }: Pair): Finding | undefined {
  const { trustMode } = node.qos;
  const neighbourTrustMode = neighbour.qos.trustMode;
  if (trustMode === neighbourTrustMode) return undefined;
  const figures = { ...names({ node, neighbour }), trustMode, neighbourTrustMode };
  return finding(node, 'note', findingNote('trust-differs', figures));
}

function ecnFinding({ node, neighbour, aim: { roceDscp } }: Pair): Finding | undefined {
  const isMarking = marksRoce(node.qos, roceDscp);
  const before = marksRoce(neighbour.qos, roceDscp);
  if (isMarking === undefined || before === undefined || isMarking === before) return undefined;
  return finding(node, 'note', findingNote('ecn-differs', { ...names({ node, neighbour }), isMarking }));
}

function marksRoce(qos: QosData, roceDscp: number): boolean | undefined {
  const priority = priorityOf(qos, roceDscp);
  return priority === undefined ? undefined : hasPriority(qos.ecnPriorities, priority);
}

function cnpFinding({ node, neighbour, aim: { cnpDscp: dscp } }: Pair): Finding | undefined {
  const priority = priorityOf(node.qos, dscp);
  const neighbourPriority = priorityOf(neighbour.qos, dscp);
  if (priority === undefined || neighbourPriority === undefined || priority === neighbourPriority) return undefined;
  const figures = { ...names({ node, neighbour }), dscp, priority, neighbourPriority };
  return finding(node, 'note', findingNote('cnp-priorities-differ', figures));
}

function mtuFinding(node: ReportingNode, neighbour: ReportingNode | undefined, aim: PathAim): Finding | undefined {
  const { mtuBytes } = node.qos;
  if (mtuBytes === undefined) return undefined;
  if (aim.mtuBytes !== undefined) {
    if (mtuBytes >= aim.mtuBytes) return undefined;
    const figures = { node: node.name, mtuBytes, policyMtuBytes: aim.mtuBytes };
    return finding(node, 'not-lossless', findingNote('mtu-below-policy', figures));
  }
  const neighbourMtuBytes = neighbour?.qos.mtuBytes;
  if (neighbourMtuBytes === undefined || neighbour === undefined || mtuBytes >= neighbourMtuBytes) return undefined;
  const figures = { ...names({ node, neighbour }), mtuBytes, neighbourMtuBytes };
  return finding(node, 'note', findingNote('mtu-smaller', figures));
}

function etsFinding({ node, neighbour, aim: { roceDscp } }: Pair): Finding | undefined {
  const sharePercent = etsShare(node.qos, roceDscp);
  const neighbourSharePercent = etsShare(neighbour.qos, roceDscp);
  if (sharePercent === undefined || neighbourSharePercent === undefined || sharePercent === neighbourSharePercent)
    return undefined;
  const figures = { ...names({ node, neighbour }), sharePercent, neighbourSharePercent };
  return finding(node, 'note', findingNote('ets-shares-differ', figures));
}

function etsShare(qos: QosData, roceDscp: number): number | undefined {
  const priority = priorityOf(qos, roceDscp);
  return priority === undefined ? undefined : qos.etsShares?.[priority];
}

function mapFinding({ node, neighbour }: Pair): Finding | undefined {
  const own = reportedMapHash(node.qos);
  const before = reportedMapHash(neighbour.qos);
  if (own === undefined || before === undefined || own === before) return undefined;
  const map = node.qos.dscpToPriority;
  const mapBefore = neighbour.qos.dscpToPriority;
  const dscps = map === undefined || mapBefore === undefined ? null : differingDscps(map, mapBefore);
  return finding(node, 'note', findingNote('dscp-maps-differ', { ...names({ node, neighbour }), dscps }));
}

/** Names as used in sentences. */
function names({ node, neighbour }: Pick<Pair, 'node' | 'neighbour'>): {
  readonly node: string;
  readonly neighbour: string;
} {
  return { node: node.name, neighbour: neighbour.shortName };
}
