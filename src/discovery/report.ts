/**
 * The originator's verdict on a path, with reasons.
 *
 *   not-lossless  a finding that RoCE data can be lost, or (by default) a router did not reply: "this
 *                 indicates that the network is not reliable or RoCEv2 lossless quality cannot be assumed"
 *   unknown       no such finding, but information is missing: the destination did not reply, a node's report is
 *                 missing or unreadable, or replies contradict each other
 *   lossless      destination and each router replied, and all of them agree on a lossless class for RoCE data
 */
import type { QosData } from '../wire/discovery/qos-data.js';
import { RoceFcIcmp } from '../wire/discovery/roce-fc.js';
import { formatIpAddress } from '../wire/ip/ip-address.js';
import { requireChoice, sameBytes, requireRecord } from '../wire/bytes.js';
import { type Path, type PathNode, nodesOfPath } from './probe.js';
import { type AddressWords, type Finding, type FindingWeight, type ReportingNode, addressTextOf, nameOf, shortNameOf,
  findingNote, type FindingNote } from './finding.js';
import type { PathAim } from './mismatches.js';
import { findMismatches } from './mismatches.js';

/** Whether the path is lossless. */
export type Verdict = 'lossless' | 'not-lossless' | 'unknown';

/** How a report judges missing replies, and names nodes. */
export interface ReportSettings extends AddressWords {
  /**
   * How to treat a router without a reply. `not-lossless` (default), as in the disclosure; `unknown` is for networks
   * whose access lists drop replies.
   */
  readonly missingHop?: 'not-lossless' | 'unknown';
}

/** Results of a probe about its path. */
export interface PathReport {
  /** Nodes of the path that replied. */
  readonly path: Path;
  /** Whether the path is lossless. */
  readonly verdict: Verdict;
  /** Reasons for the verdict: the sentences of findings with its weight; empty if lossless. */
  readonly reasons: readonly string[];
  /** All findings: those of the path first, then by hop. */
  readonly findings: readonly Finding[];
}

/**
 * Judges a path: missing nodes, nodes without RoCE, and nodes that disagree. A policy in the request is compared like a
 * configuration of the originator, before hop 1.
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
    ...findingNote('no-reply', { hop }),
    weight: missingHop,
    hop,
  }));
  if (destination !== undefined) return findings;
  const last = routers.at(-1);
  const note = findingNote('destination-silent', {
    destination: addressText(probe.destination),
    lastReply: last === undefined ? null : shortNameOf(last),
  });
  return [...findings, { ...note, weight: 'unknown' }];
}

function findContradictions({ probe, routers, destination, beyond, otherDestinations, conflicts }: Path,
  addressText: AddressText): Finding[] {
  const findings: Finding[] = [];
  const add = ({ hop }: PathNode, note: FindingNote) => findings.push({ ...note, weight: 'unknown', hop });
  const destinationHop = destination?.hop ?? 0;
  if (destination !== undefined && !sameBytes(destination.address, probe.destination)) {
    add(destination, findingNote('other-destination', {
      from: formatIpAddress(destination.address),
      destination: formatIpAddress(probe.destination),
    }));
  }
  for (const node of beyond)
    add(node, findingNote('beyond-destination', { node: nameOf(node, addressText), destinationHop }));
  for (const node of otherDestinations) {
    const figures = { node: nameOf(node, addressText), hop: node.hop, destinationHop };
    add(node, findingNote('second-destination', figures));
  }
  for (const node of conflicts) {
    const first = node.isDestination ? destination : routers.find(({ hop }) => hop === node.hop);
    add(node, findingNote('contradicting-reply', {
      node: nameOf(node, addressText),
      first: first === undefined ? null : formatIpAddress(first.address),
    }));
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
    // Without a policy, the first node that reports its configuration determines the DSCPs of the path.
    aim ??= { roceDscp: reporting.qos.roceDscp, cnpDscp: reporting.qos.cnpDscp };
    findings.push(...findMismatches(reporting, neighbour, aim));
    neighbour = reporting;
  }
  return findings;
}

function originatorAs(policy: QosData): ReportingNode {
  return { name: 'The originator', shortName: 'the policy', hop: 0, qos: policy };
}

/** Findings that follow from the reply code but not from the reported data. */
function codeFindings(node: PathNode, addressText: AddressText): Finding[] {
  const ofNode = { node: nameOf(node, addressText) };
  const { hop, code, reported } = node;
  const findings: Finding[] = [];
  const add = (weight: FindingWeight, note: FindingNote) => findings.push({ ...note, weight, hop });
  if (code === RoceFcIcmp.NOT_SUPPORTED) add('not-lossless', findingNote('not-supported', ofNode));
  else if (code === RoceFcIcmp.PARTIALLY_SUPPORTED) add('note', findingNote('partially-supported', ofNode));
  else if (code !== RoceFcIcmp.SUPPORTED) add('unknown', findingNote('undefined-code', { ...ofNode, code }));
  if (reported.state === 'empty') add('unknown', findingNote('nothing-reported', ofNode));
  else if (reported.state === 'unreadable')
    add('unknown', findingNote('unreadable-report', { ...ofNode, problem: reported.why }));
  return findings;
}
