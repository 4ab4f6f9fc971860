/**
 * The originator's verdict on a path, with reasons.
 *
 *   not-lossless  a finding by which RoCE data can be lost, or (by default) a router did not reply: "this
 *                 indicates that the network is not reliable or RoCEv2 lossless quality cannot be assumed"
 *   unknown       no such finding, but required information is missing: the destination did not reply, a node reported
 *                 nothing readable, or replies contradict each other
 *   lossless      destination and each router replied, and all of them agree on a lossless class for RoCE data
 */
import type { QosData } from '../wire/discovery/qos-data.js';
import { RoceFcIcmp } from '../wire/discovery/roce-fc-icmp.js';
import { formatIpAddress } from '../wire/ip/ip-address.js';
import { requireChoice, sameBytes, requireRecord } from '../wire/bytes.js';
import type { Path, PathNode } from './correlate.js';
import { nodesOfPath } from './correlate.js';
import type { AddressWords, Finding, FindingWeight, ReportingNode } from './finding.js';
import { addressTextOf, nameOf, shortNameOf } from './finding.js';
import type { PathAim } from './mismatches.js';
import { findMismatches } from './mismatches.js';

/** Whether the path is lossless. */
export type Verdict = 'lossless' | 'not-lossless' | 'unknown';

/** How a report judges missing replies, and names nodes. */
export interface ReportSettings extends AddressWords {
  /**
   * How to treat a router without a reply. `not-lossless` (default), as in the disclosure; `unknown` where access lists are
   * known to drop replies.
   */
  readonly missingHop?: 'not-lossless' | 'unknown';
}

/** Results of a probe about its path. */
export interface PathReport {
  /** Nodes of the path that replied. */
  readonly path: Path;
  /** Whether the path is lossless. */
  readonly verdict: Verdict;
  /** Reasons of the verdict: the sentences of its weight; empty when lossless. */
  readonly reasons: readonly string[];
  /** All findings: those of the path first, then by hop. */
  readonly findings: readonly Finding[];
}

/**
 * Judges a path: missing nodes, nodes without RoCE, and nodes that disagree. The policy that was sent counts as the
 * originator's configuration, before hop 1.
 */
export function reportPath(path: Path, settings: ReportSettings = {}): PathReport {
  requireRecord('path', path);
  requireRecord('settings', settings);
  const { missingHop = 'not-lossless' } = settings;
  requireChoice('missingHop', missingHop, ['not-lossless', 'unknown']);
  const addressText = addressTextOf(settings);
  const findings = [
    ...findMissing(path, missingHop, addressText),
    ...findContradictions(path, addressText),
    ...findAlongHops(path, addressText),
  ];
  const verdict = verdictOf(findings);
  const reasons = findings.filter(({ weight }) => weight === verdict).map(({ text }) => text);
  return { path, verdict, reasons, findings };
}

type AddressText = ReturnType<typeof addressTextOf>;

function verdictOf(findings: readonly Finding[]): Verdict {
  const has = (wanted: FindingWeight) => findings.some(({ weight }) => weight === wanted);
  if (has('not-lossless')) return 'not-lossless';
  return has('unknown') ? 'unknown' : 'lossless';
}

function findMissing(path: Path, missingHop: 'not-lossless' | 'unknown', addressText: AddressText): Finding[] {
  const { destination, missingHops, probe, routers } = path;
  const findings: Finding[] = missingHops.map((hop) => ({
    weight: missingHop,
    text: `Hop ${hop} did not reply: request or reply was lost, so lossless treatment can't be assumed there.`,
    hop,
  }));
  if (destination !== undefined) return findings;
  const last = routers.at(-1);
  const reached = last === undefined ? 'no node replied' : `the last reply is that of ${shortNameOf(last)}`;
  const text = `The destination (${addressText(probe.destination)}) did not reply: ${reached}.`;
  return [...findings, { weight: 'unknown', text }];
}

function findContradictions({ probe, routers, destination, beyond, otherDestinations, conflicts }: Path,
  addressText: AddressText): Finding[] {
  const findings: Finding[] = [];
  const add = (node: PathNode, text: string) => findings.push({ weight: 'unknown', text, hop: node.hop });
  if (destination !== undefined && !sameBytes(destination.address, probe.destination)) {
    const from = formatIpAddress(destination.address);
    add(destination,
      `The final reply came from ${from}, not from the destination ${formatIpAddress(probe.destination)}.`);
  }
  for (const node of beyond) {
    add(node, `${nameOf(node, addressText)} lies beyond the destination, which counts ${destination?.hop ?? 0} hops.`);
  }
  for (const node of otherDestinations) {
    add(node,
      `${nameOf(node, addressText)} replied at ${node.hop} hops too, after a reply at ${destination?.hop ?? 0}.`);
  }
  for (const node of conflicts) {
    const first = node.isDestination ? destination : routers.find(({ hop }) => hop === node.hop);
    const other = first === undefined ? 'another reply' : `the reply of ${formatIpAddress(first.address)}`;
    add(node, `${nameOf(node, addressText)} contradicts ${other} for the same place.`);
  }
  return findings;
}

function findAlongHops(path: Path, addressText: AddressText): Finding[] {
  const { policy } = path.probe;
  const findings: Finding[] = [];
  let neighbour = policy && originatorAs(policy);
  let aim: PathAim | undefined = policy;
  for (const node of nodesOfPath(path)) {
    findings.push(...codeFindings(node, addressText));
    if (node.reported.state !== 'reported') continue;
    const reporting = {
      name: nameOf(node, addressText),
      shortName: shortNameOf(node),
      hop: node.hop,
      qos: node.reported.qos,
    };
    // Without a policy, the first node that reported something determines the DSCPs of the path.
    aim ??= { roceDscp: reporting.qos.roceDscp, cnpDscp: reporting.qos.cnpDscp };
    findings.push(...findMismatches(reporting, neighbour, aim));
    neighbour = reporting;
  }
  return findings;
}

function originatorAs(policy: QosData): ReportingNode {
  return { name: 'The originator', shortName: 'the policy', hop: 0, qos: policy };
}

/** Findings of the code that the data does not give. */
function codeFindings(node: PathNode, addressText: AddressText): Finding[] {
  const name = nameOf(node, addressText);
  const { hop, code, reported } = node;
  const findings: Finding[] = [];
  if (code === RoceFcIcmp.NOT_SUPPORTED) {
    findings.push({ weight: 'not-lossless', text: `${name} answers "not supported".`, hop });
  } else if (code === RoceFcIcmp.PARTIALLY_SUPPORTED) {
    findings.push({ weight: 'note', text: `${name} answers "partially supported".`, hop });
  } else if (code !== RoceFcIcmp.SUPPORTED) {
    findings.push({ weight: 'unknown', text: `${name} answers with code ${code}, which is not defined.`, hop });
  }
  if (reported.state === 'empty') {
    findings.push({ weight: 'unknown', text: `${name} does not report how it treats RoCE data.`, hop });
  } else if (reported.state === 'unreadable') {
    findings.push({ weight: 'unknown', text: `${name} reports what can't be read: ${reported.why}.`, hop });
  }
  return findings;
}
