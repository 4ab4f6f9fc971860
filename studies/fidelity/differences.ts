/**
 * Each difference between the fidelities: what it is, who says so, and how a plan of `reference` takes it over from the plan of
 * `standard` for the same scenario. Sections are those of the description of the reference simulator that the kernel was written from.
 */
import { FlowPlans } from '../../src/sim/flow-plans.js';
import type { NetworkPlan, Rules } from '../../src/sim/plan.js';

export interface Difference {
  /** A field of `Rules`, or another name. */
  readonly name: string;
  readonly reference: string;
  readonly standard: string;
  /** Differences without which this one changes nothing. */
  readonly on?: readonly string[];
  /** Takes it over; none: both have the same, or it isn't reached in a run without losses or Fast CNPs. */
  readonly apply?: (plan: NetworkPlan, standard: NetworkPlan) => NetworkPlan;
}

function rule(...fields: readonly (keyof Rules)[]): NonNullable<Difference['apply']> {
  return (plan, { rules }) => {
    const kept = Object.entries(plan.rules).filter(([key]) => !fields.includes(key as keyof Rules));
    const taken = Object.entries(rules).filter(([key]) => fields.includes(key as keyof Rules));
    return { ...plan, rules: Object.fromEntries([...kept, ...taken]) as unknown as Rules };
  };
}

/** Every field of `Rules`: the compiler sees to it that none is left out. */
const OF_RULES: Readonly<Record<keyof Required<Rules>, Omit<Difference, 'name'>>> = {
  txTime: {
    reference: 'whole nanoseconds, one less where the time is exact: 1,250 bytes at 100 Gb/s take 99 ns (section 1)',
    standard: 'picoseconds, rounded up (arithmetic)',
    apply: rule('txTime'),
  },
  mtuBytes: {
    reference: '`PACKET_PAYLOAD_SIZE` of all its files (section 1)',
    standard: 'an MTU of InfiniBand that fits a 1,500-byte frame; a setting, `hosts.mtuBytes`',
    apply: rule('mtuBytes'),
  },
  wireOverheadBytes: {
    reference: 'no preamble, no gap (section 1)',
    standard: 'preamble and start delimiter 8, gap 12 (IEEE 802.3, clause 4)',
    apply: rule('wireOverheadBytes'),
  },
  pauseFrameBytes: {
    reference: 'no FCS (section 1)',
    standard: 'the shortest Ethernet frame (IEEE 802.3, annex 31B; 802.1Qbb)',
    apply: rule('pauseFrameBytes'),
  },
  notification: {
    reference: "an ACK repeats its packet's mark, and each is a notification (section 3)",
    standard: 'CNP packets (A17, 17.9; SIGCOMM 2015, 3.1); measured without coalescing',
    apply: (plan, standard) => ({ ...plan, rules: { ...plan.rules, notification: standard.rules.notification } }),
  },
  cnpIntervalPs: {
    reference: 'each marked packet counts (section 3)',
    standard: 'at most one CNP per flow in that time (SIGCOMM 2015, 3.1)',
    on: ['notification'],
    apply: rule('cnpIntervalPs'),
  },
  cnpDelayPs: {
    reference: 'no CNPs',
    standard: 'CNPs leave at once; a setting, `hosts.cnpDelayUs`',
  },
  cnpBytes: {
    reference: 'no CNPs; the number is never read',
    standard: 'Ethernet 18, IPv6 40, UDP 8, BTH 12, reserved 16, ICRC 4 (A17, 17.9.3)',
    on: ['notification', 'cnpIntervalPs'],
    apply: rule('cnpBytes'),
  },
  cnpClass: {
    reference: 'no CNPs',
    standard: "DSCP 48 (vendors' default)",
  },
  strictClasses: {
    reference: 'queue 0 first, 1 to 7 round-robin (section 9)',
    standard: "bit 6: the class of CNPs before the others (vendors' default)",
    on: ['notification', 'cnpIntervalPs', 'cnpBytes'],
    apply: rule('strictClasses'),
  },
  fastCnpBytes: {
    reference: 'no Fast CNPs; the number is never read',
    standard: 'option 1, built and measured (draft-xiao-rtgwg-rocev2-fast-cnp-01); option 2: 138 and 32 per switch',
  },
  markAt: {
    reference: 'the queue without the packet that leaves (section 9)',
    standard: 'the same; a setting, `switches.ecn.markAt`',
  },
  markable: {
    reference: 'any packet, ACKs too (section 9)',
    standard: 'ECN-capable ones: data (RFC 3168, section 5)',
    apply: rule('markable'),
  },
  telemetry: {
    reference: '64 bits per hop that wrap, 5 hops at most (section 5)',
    standard: "in full, 16 hops; as the parameter set's `records` say (RFC 9197; draft-miao-ccwg-hpcc-info)",
    apply: (plan, standard) => ({
      ...rule('telemetry', 'intMultiplier')(plan, standard),
      parameterSets: plan.parameterSets.map((parameterSet) => (parameterSet.algorithm === 'hpcc' ?
        { ...parameterSet, records: 'exact', intMultiplier: 1 } :
        parameterSet)
      ),
    }),
  },
  intMultiplier: {
    reference: '`INT_MULTI`: unit of the 64-bit records (section 5)',
    standard: 'as the parameter set has it; exact records have none. Measured with `telemetry`',
  },
  nakIntervalPs: {
    reference: 'a NAK for the same packet again after that time (section 3)',
    standard: 'one NAK per gap (IBTA vol. 1, 9.7.5.2.8); the timeout covers a lost NAK. Measured with the timeout',
    on: ['retransmitTimeoutPs'],
    apply: rule('nakIntervalPs'),
  },
  retransmitTimeoutPs: {
    reference: 'no timeout; duplicates are not acknowledged (sections 2, 3)',
    standard:
      'from the last progress; a setting, `hosts.retransmitTimeoutUs`; duplicates are acknowledged (IBTA vol. 1, 9.7.5.1.4, 9.9.2)',
    apply: rule('retransmitTimeoutPs'),
  },
  pacing: {
    reference: '`RATE_BOUND` 1 (section 10)',
    standard: 'the same; a setting, `hosts.paced`',
  },
  resumeOffsetBytes: {
    reference: 'section 9',
    standard: 'no standard says; the same',
  },
  reservedBytes: {
    reference: 'per port and class (section 9)',
    standard: 'no standard says; the same',
  },
  guaranteedClasses: {
    reference: 'not set: every class may use what a port reserves once (section 9)',
    standard: 'reserved per port and class of data; CNPs have only the shared part',
    apply: rule('guaranteedClasses'),
  },
  ackPauseClass: {
    reference:
      'a pause of class 3 holds all ACKs of a host; with `ACK_HIGH_PRIO` 1 one of class 0, which is never paused (section 2)',
    standard: 'not set: each ACK is held by pauses of its class (802.1Qbb)',
    apply: rule('ackPauseClass'),
  },
  delayedAck: {
    reference:
      'not set: `L2_ACK_INTERVAL` 1, an ACK per packet (section 3); with a larger one the first bytes of a flow are acknowledged only at multiples of `L2_CHUNK_SIZE`',
    standard: 'never: each packet in order is acknowledged',
  },
  pintRttPs: {
    reference: 'the longest base round trip, as the reference counts it (section 6); only for HPCC-PINT',
    standard: 'the longest base round trip, as `standard` counts it: see `base round trip`',
  },
};

/** Differences outside the rules: sizes and windows of flows, headroom of ports, and the kernel's queries to the fidelity. */
const OUTSIDE_RULES: readonly Difference[] = [
  {
    name: 'packet sizes',
    reference: 'data 48 bytes and the payload, HPCC 90; ACK 60, HPCC 88 (section 1)',
    standard:
      'data 82 bytes and the payload, ACK 86, including ICRC and FCS; under HPCC also an IOAM trace (docs/guides/scenarios.md)',
    apply: (plan, standard) => ({
      ...plan,
      flows: FlowPlans.of(plan.flows.map((flow, index) => ({
        ...flow,
        headerBytes: standard.flows.headerBytes[index],
        ackBytes: standard.flows.ackBytes[index],
      }))),
    }),
  },
  {
    name: 'base round trip',
    reference: "two delays and one payload time per link (section 2): HPCC's T and window",
    standard: 'a full packet there, its ACK back: the time that an idle network takes',
    apply: (plan, standard) => ({
      ...plan,
      parameterSets: plan.parameterSets.map((parameterSet, index) =>
        withBase(parameterSet, standard.parameterSets[index])
      ),
      flows: FlowPlans.of(
        plan.flows.map((flow, index) => ({ ...flow, windowBytes: standard.flows.windowBytes[index] })),
      ),
    }),
  },
  {
    name: 'headroom',
    reference: "3 times what the link's delay holds (section 9)",
    standard:
      '3 packets and 8 pause frames more: the data in flight when a pause is sent (802.1Qbb, annex O, as a guide)',
    apply: (plan, standard) => ({
      ...plan,
      ports: plan.ports.map((port, index) => ({ ...port, headroomBytes: standard.ports[index].headroomBytes })),
    }),
  },
  {
    name: 'order and timers',
    reference:
      "DCQCN's timers and events of one instant in the order in which they were scheduled (section 1); wake-ups count blocked QPs " +
      '(section 2); bytes as sequence numbers; marks on the ramp drawn from its own generator',
    standard:
      "the parameter set's rule for one instant; wake-ups for QPs that may send by then; 24-bit packet numbers; one generator for all",
    apply: (plan, { fidelity }) => ({ ...plan, fidelity }),
  },
  {
    name: 'Fast CNP',
    reference: 'none: switches send none, hosts accept none',
    standard: '`switches.fastCnp` (docs/studies/fast-cnp-study.md has its effect)',
  },
  {
    name: 'retransmission',
    reference: 'go-back-N (sections 2, 3)',
    standard: 'go-back-N; others are a setting, `hosts.transport` (docs/studies/loss-study.md has their effect)',
  },
  {
    name: 'load balancing',
    reference: 'only the hash (section 9)',
    standard:
      'the hash; other rules are a setting, `switches.loadBalancing` (docs/studies/paths-study.md has their effect), ' +
      'and so are ports per packet, `hosts.pathSelection`',
  },
  {
    name: 'verbs',
    reference: 'WRITEs to receivers that are ready',
    standard:
      'the same; READs, and receivers that are not ready, are settings: `operation`, `receiverReadyUs` (docs/guides/scenarios.md)',
  },
];

function withBase(parameterSet: NetworkPlan['parameterSets'][number],
  standard: NetworkPlan['parameterSets'][number]): NetworkPlan['parameterSets'][number] {
  if (parameterSet.algorithm !== 'hpcc' || standard.algorithm !== 'hpcc') return parameterSet;
  return { ...parameterSet, baseRttPs: standard.baseRttPs, windowBytes: standard.windowBytes };
}

export const RULE_DIFFERENCES: readonly Difference[] = Object.entries(OF_RULES).map(([name, text]) => ({
  name,
  ...text,
}));
export const OTHER_DIFFERENCES = OUTSIDE_RULES;
export const DIFFERENCES: readonly Difference[] = [...RULE_DIFFERENCES, ...OTHER_DIFFERENCES];
