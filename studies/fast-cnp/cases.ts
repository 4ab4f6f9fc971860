/** Networks with one congested port each, at known distances from the senders. */
import type { EdgesSpec, FlowSpec, TopologySpec } from '../../src/sim/scenario/spec.js';

export interface FastCnpCase {
  readonly name: string;
  /** Of its table. */
  readonly group: 'hops' | 'wan';
  /** The port that the flows meet at, `node:peer`. The longest queue may be elsewhere, where pauses hold packets back. */
  readonly congested: string;
  readonly topology: TopologySpec;
  /** All begin at once. */
  readonly flows: readonly FlowSpec[];
  readonly cnpDelayUs?: number;
}

/** Congested ports of two groups of cases: the first of several switches, and the WAN's router near the senders. */
export const FIRST_LINK = 's0:s1';
export const NEAR_PORT = 'wan0:wan1';
export const SENDERS = 8;
export const SIZE_BYTES = 4_000_000;
export const LONG_BYTES = 40_000_000;
/** Wide enough that it never congests. */
const WIDE_GBPS = 1600;
const MOST_SWITCHES = 5;

/** Whether each sender has a separate receiver, or all share one. */
function flowsTo(receiver: (sender: number) => string, sizeBytes: number): FlowSpec[] {
  return Array.from({ length: SENDERS }, (_, sender) => ({ from: `h${sender}`, to: receiver(sender), sizeBytes }));
}

/** Senders at the first of some switches in a row, receivers at the last; `narrow`: the links between have the hosts' rate. */
function chain(switches: number, narrow: boolean): EdgesSpec {
  const hosts = Array.from({ length: 2 * SENDERS }, (_, host) => `h${host}`);
  const row = Array.from({ length: switches }, (_, index) => `s${index}`);
  const rateGbps = narrow ? 100 : WIDE_GBPS;
  return {
    kind: 'edges',
    nodes: [
      ...hosts.map((name) => ({ name, kind: 'host' as const })),
      ...row.map((name) => ({ name, kind: 'switch' as const })),
    ],
    links: [
      ...hosts.map((from, host) => ({ from, to: row[host < SENDERS ? 0 : switches - 1] ?? '' })),
      ...row.slice(1).map((to, index) => ({ from: row[index] ?? '', to, rateGbps })),
    ],
  };
}

function lastHop(switches: number): FastCnpCase {
  return {
    name: `${switches} ${switches === 1 ? 'switch' : 'switches'} in a row, last hop`,
    group: 'hops',
    congested: `s${switches - 1}:h${SENDERS}`,
    topology: chain(switches, false),
    flows: flowsTo(() => `h${SENDERS}`, SIZE_BYTES),
  };
}

function firstHop(switches: number): FastCnpCase {
  return {
    name: `${switches} switches in a row, first link`,
    group: 'hops',
    congested: FIRST_LINK,
    topology: chain(switches, true),
    flows: flowsTo((sender) => `h${SENDERS + sender}`, SIZE_BYTES),
  };
}

function dataCenters(delayMs: number, rateGbps: number): TopologySpec {
  return {
    kind: 'two-data-centers',
    leaves: 2,
    spines: 2,
    hostsPerLeaf: SENDERS + 1,
    uplink: { rateGbps: WIDE_GBPS },
    wan: { delayNs: delayMs * 1e6, rateGbps },
  };
}

/** Hosts of one data centre. */
const HOSTS_PER_CENTER = 2 * (SENDERS + 1);

function nearWan(delayMs: number, sizeBytes: number): FastCnpCase {
  return {
    name: `WAN of ${delayMs} ms, its near port, ${sizeBytes / 1e6} MB each`,
    group: 'wan',
    congested: NEAR_PORT,
    topology: dataCenters(delayMs, 100),
    flows: flowsTo((sender) => `h${HOSTS_PER_CENTER + sender}`, sizeBytes),
  };
}

function behindWan(delayMs: number): FastCnpCase {
  const receiver = `h${HOSTS_PER_CENTER}`;
  return {
    name: `WAN of ${delayMs} ms, last hop behind it, ${SIZE_BYTES / 1e6} MB each`,
    group: 'wan',
    congested: `dc1.leaf0:${receiver}`,
    topology: dataCenters(delayMs, WIDE_GBPS),
    flows: flowsTo(() => receiver, SIZE_BYTES),
  };
}

const SWITCHES = Array.from({ length: MOST_SWITCHES }, (_, index) => index + 1);

export const CASES: readonly FastCnpCase[] = [
  ...SWITCHES.map(lastHop),
  { ...lastHop(1), name: '1 switch, last hop, receiver answers 5 µs late', cnpDelayUs: 5 },
  ...SWITCHES.slice(1).map(firstHop),
  ...[0.01, 0.1, 1].map((ms) => nearWan(ms, SIZE_BYTES)),
  ...[0.01, 0.1, 1].map((ms) => nearWan(ms, LONG_BYTES)),
  ...[0.01, 0.1, 1].map(behindWan),
];
