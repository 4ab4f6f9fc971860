/**
 * Problems of a single node, and mismatches between it and its neighbour on the path.
 *
 * Two neighbours must map RoCE data to the same priority: PFC pauses a priority of a link, so a pause from one of them
 * would otherwise stop a queue of the other that does not hold the data.
 */
import { QosData } from '../wire/discovery/qos-data.js';
import type { Finding, FindingWeight, ReportingNode } from './finding.js';
import { differingDscps, priorityOf, trustWords } from './finding.js';
import { reportedMapHash } from './node.js';
import { hasPriority } from './support.js';

/** What a path is checked against; policies are of this kind. */
export interface PathAim {
  /** DSCP of RoCEv2 data, 0 to 63. */
  readonly roceDscp: number;
  /** DSCP of CNPs, 0 to 63. */
  readonly cnpDscp: number;
  /** Absent without a policy: any mode in which the DSCP decides is then accepted. */
  readonly trustMode?: number;
  /** Absent without a policy, or if it has no MTU: an MTU is then only compared with the neighbour's. */
  readonly mtuBytes?: number;
}

/** A node and its neighbour towards the originator. */
interface Pair {
  readonly aim: PathAim;
  readonly node: ReportingNode;
  readonly neighbour: ReportingNode;
}

/** Findings about a node, and about it and the nearest earlier node that reported something. */
export function findMismatches(node: ReportingNode, neighbour: ReportingNode | undefined, aim: PathAim): Finding[] {
  const findings = [losslessFinding(node, neighbour, aim), trustFinding(node, aim), mtuFinding(node, neighbour, aim)];
  if (neighbour !== undefined) {
    const pair = { node, neighbour, aim };
    findings.push(priorityFinding(pair), trustChangeFinding(pair), ecnFinding(pair), cnpFinding(pair), etsFinding(pair),
      mapFinding(pair));
  }
  return findings.filter((finding) => finding !== undefined);
}

function finding(node: ReportingNode, weight: FindingWeight, text: string): Finding {
  return { weight, text: `${node.name} ${text}`, hop: node.hop };
}

function losslessFinding(node: ReportingNode, neighbour: ReportingNode | undefined, { roceDscp }: PathAim): Finding
  | undefined {
  const { qos } = node;
  const priority = priorityOf(qos, roceDscp);
  if (priority === undefined) {
    const named = `it names DSCP ${qos.roceDscp} for RoCE`;
    return finding(node, 'unknown', `does not report to which priority it maps DSCP ${roceDscp}: ${named}.`);
  }
  const before = neighbour && priorityOf(neighbour.qos, roceDscp);
  // A difference from the neighbour is reported there, together with the neighbour's priority.
  const isReportedElsewhere = before !== undefined && before !== priority;
  if (!hasPriority(qos.losslessPriorities, priority)) {
    if (isReportedElsewhere) return undefined;
    return finding(node, 'not-lossless',
      `does not hold priority ${priority}, to which it maps DSCP ${roceDscp}, lossless.`);
  }
  if (hasPriority(qos.pfcPriorities, priority)) return undefined;
  return finding(node, 'not-lossless', `calls priority ${priority} lossless but has PFC off on it.`);
}

function priorityFinding({ node, neighbour, aim: { roceDscp } }: Pair): Finding | undefined {
  const priority = priorityOf(node.qos, roceDscp);
  const before = priorityOf(neighbour.qos, roceDscp);
  if (priority === undefined || before === undefined || priority === before) return undefined;
  const consequence = hasPriority(node.qos.losslessPriorities, priority) ?
    'pauses between the two would stop the wrong queue' :
    'RoCE data would leave the lossless class there';
  const mapping = `maps DSCP ${roceDscp} to priority ${priority}, ${neighbour.shortName} to priority ${before}`;
  return finding(node, 'not-lossless', `${mapping}: ${consequence}.`);
}

function trustFinding(node: ReportingNode, aim: PathAim): Finding | undefined {
  const { trustMode } = node.qos;
  if (trustMode === aim.trustMode || trustMode === QosData.TRUST_DSCP || trustMode === QosData.TRUST_BOTH)
    return undefined;
  return finding(node, 'unknown',
    `trusts ${trustWords(trustMode)}: the DSCP does not decide the class of RoCE data there.`);
}

function trustChangeFinding({ node, neighbour }: Pair): Finding | undefined {
  const { trustMode } = node.qos;
  const before = neighbour.qos.trustMode;
  if (trustMode === before) return undefined;
  return finding(node, 'note', `trusts ${trustWords(trustMode)}, ${neighbour.shortName} trusts ${trustWords(before)}.`);
}

function ecnFinding({ node, neighbour, aim: { roceDscp } }: Pair): Finding | undefined {
  const marks = marksRoce(node.qos, roceDscp);
  const before = marksRoce(neighbour.qos, roceDscp);
  if (marks === undefined || before === undefined || marks === before) return undefined;
  const text = marks ?
    `marks ECN on RoCE data, ${neighbour.shortName} does not: congestion there shows by pauses alone.` :
    `does not mark ECN on RoCE data, ${neighbour.shortName} does: its congestion shows by pauses alone.`;
  return finding(node, 'note', text);
}

function marksRoce(qos: QosData, roceDscp: number): boolean | undefined {
  const priority = priorityOf(qos, roceDscp);
  return priority === undefined ? undefined : hasPriority(qos.ecnPriorities, priority);
}

function cnpFinding({ node, neighbour, aim: { cnpDscp } }: Pair): Finding | undefined {
  const priority = priorityOf(node.qos, cnpDscp);
  const before = priorityOf(neighbour.qos, cnpDscp);
  if (priority === undefined || before === undefined || priority === before) return undefined;
  const text = `maps CNPs (DSCP ${cnpDscp}) to priority ${priority}, ${neighbour.shortName} to priority ${before}.`;
  return finding(node, 'note', text);
}

function mtuFinding(node: ReportingNode, neighbour: ReportingNode | undefined, aim: PathAim): Finding | undefined {
  const { mtuBytes } = node.qos;
  if (mtuBytes === undefined) return undefined;
  if (aim.mtuBytes !== undefined) {
    if (mtuBytes >= aim.mtuBytes) return undefined;
    const text =
      `has an MTU of ${mtuBytes} bytes, the policy asks for ${aim.mtuBytes}: longer packets would be dropped there.`;
    return finding(node, 'not-lossless', text);
  }
  const before = neighbour?.qos.mtuBytes;
  if (before === undefined || neighbour === undefined || mtuBytes >= before) return undefined;
  return finding(node, 'note', `has an MTU of ${mtuBytes} bytes, ${neighbour.shortName} one of ${before}.`);
}

function etsFinding({ node, neighbour, aim: { roceDscp } }: Pair): Finding | undefined {
  const share = etsShare(node.qos, roceDscp);
  const before = etsShare(neighbour.qos, roceDscp);
  if (share === undefined || before === undefined || share === before) return undefined;
  return finding(node, 'note', `reserves ${share} % for RoCE data, ${neighbour.shortName} ${before} %.`);
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
  const where = map !== undefined && mapBefore !== undefined ? `: DSCP ${differingDscps(map, mapBefore)}` : '';
  return finding(node, 'note', `maps DSCPs to priorities otherwise than ${neighbour.shortName}${where}.`);
}
