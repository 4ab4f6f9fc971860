/** Counts the random networks in which each tested feature occurred. */
import type { SelectionRule } from '../../../src/sim/features/balancing/plan.js';
import type { ModelResult } from '../../model/model.js';
import type { NetworkPlan } from '../../../src/sim/plan.js';
import { VERB_READ } from '../../../src/sim/features/verbs/compile.js';
import type { FaultSpec, ScenarioSpec } from '../../../src/sim/scenario/spec.js';
import { BALANCING_RULES, type BalancingRule } from '../../../src/sim/features/balancing/rules.js';
import { PATH_SELECTIONS, asSettings } from '../../../src/sim/scenario/setting-words.js';

const RULES = BALANCING_RULES.filter((rule) => rule !== 'ecmp');
/** Those of networks without transport `mrc`, which alone has entropy states: mrc-networks.ts. */
const SELECTIONS = PATH_SELECTIONS.filter((rule) => rule !== 'flow' && rule !== 'entropy-states');
const FAULTS = ['link-down', 'loss', 'corruption', 'drop', 'pause-storm', 'slow-receiver', 'bit-errors'] as const;
/** Its packets are notifications. */
const CNP_CLASS = 6;

/** Rules of switches with several paths to choose from. */
function rulesAtWork({ balancing, nodes, groups, ports }: NetworkPlan): BalancingRule[] {
  const several = new Set(groups.filter((group) => group.length > 1).map(([port]) => ports[port!]!.node));
  return (balancing?.rules ?? []).filter((_, node) => nodes[node]!.kind === 'switch' && several.has(node));
}

/** Rules of hosts that send over switches with several paths to choose from, and choose by the hash. */
function selectionsAtWork({ balancing, nodes, groups, ports, flows }: NetworkPlan): SelectionRule[] {
  const hashes = groups.some((group) => {
    const { node } = ports[group[0]!]!;
    const rule = balancing?.rules[node] ?? 'ecmp';
    return group.length > 1 && nodes[node]!.kind === 'switch' && (rule === 'ecmp' || rule === 'wcmp');
  });
  return hashes ? Array.from(flows, ({ source }) => balancing?.selection?.rules[source] ?? 'flow') : [];
}

/** Whether a switch has next hops of different weights. */
function hasUnequalWeights({ balancing }: NetworkPlan): boolean {
  return balancing?.weights.some((weights) => weights?.some((weight) => weight !== weights[0]) === true) === true;
}

/** By transport: whether a flow of it retransmitted anything. */
function transportsAtWork({ transports }: NetworkPlan, { flows }: ModelResult) {
  const again = (name: string): boolean =>
    flows.some(({ retransmitted }, flow) =>
      retransmitted > 0 && (transports?.kinds[transports.kindOf[flow]].transport ?? 'go-back-n') === name
    );
  return {
    goBackN: again('go-back-n'),
    selectiveRepeat: again('selective-repeat'),
    irn: again('irn'),
    tolerant: again('tolerant'),
  };
}

/** Whether it has a strict class in addition to that of CNPs, and flows of it and of others. */
function hasStrictClasses({ rules, flows }: NetworkPlan): boolean {
  const isStrict = (one: number): boolean => one !== CNP_CLASS && (rules.strictClasses & (1 << one)) !== 0;
  const classes = [...flows.dataClass];
  return classes.some(isStrict) && !classes.every(isStrict);
}

function askedForOne({ transports }: NetworkPlan, { flows }: ModelResult): boolean {
  return flows.some(({ naks }, flow) =>
    naks > 0 && transports?.kinds[transports.kindOf[flow]].transport === 'selective-repeat'
  );
}

function notifications({ flows: plans }: NetworkPlan, { totals, flows }: ModelResult, spec: ScenarioSpec) {
  const option = asSettings(spec.switches?.fastCnp)?.option ?? 1;
  return {
    marked: totals.marks > 0,
    cnps: totals.cnps > 0,
    fastCnpsOption1: totals.fastCnps > 0 && option === 1,
    fastCnpsOption2: totals.fastCnps > 0 && option === 2,
    bothNotifications: totals.cnps > 0 && totals.fastCnps > 0,
    otherPort: flows.some(({ detours }) => detours > 0),
    followed: plans.after.some((after) => after >= 0),
  };
}

function lossesMet({ totals: { drops, pauses, timeouts, retransmittedPackets }, flows }: ModelResult) {
  return {
    paused: pauses > 0,
    lostForMemory: drops.buffer > 0,
    lostOnLinks: drops.loss > 0,
    damaged: drops.corrupt > 0,
    cutOff: drops.linkDown > 0,
    timedOut: timeouts > 0,
    sentAgain: retransmittedPackets > 0,
    outOfOrder: flows.some(({ depth }) => depth > 1),
    sacked: flows.some(({ sacked }) => sacked > 0),
    keptOut: flows.some(({ beyond }) => beyond > 0),
    failed: flows.some(({ failed }) => failed),
  };
}

function connectionsMet({ connections }: NetworkPlan, { flows }: ModelResult) {
  const messages = flows.flatMap((flow) => (flow.message === undefined ? [] : [{ ...flow, ...flow.message }]));
  return {
    connected: connections !== undefined,
    slowBegin: messages.some(({ beganPs, beganRateBps }) =>
      beganPs >= 0 && beganRateBps < Math.max(...messages.map((other) => other.beganRateBps))
    ),
    restarted: messages.some(({ restarted }) => restarted),
    messageFailed: messages.some(({ failed }) => failed),
    messageSentAgain: messages.some(({ retransmitted }) => retransmitted > 0),
  };
}

function hazardsMet({ totals: { drops }, hazards }: ModelResult) {
  return {
    bitErrors: drops.bitErrors !== undefined,
    receiveBuffer: drops.receiveBuffer !== undefined,
    watchdogDropped: drops.watchdog !== undefined,
    watchdogTook: hazards?.ports.some(({ storms }) => storms > 0) === true,
    restored: hazards?.ports.some(({ restored }) => restored > 0) === true,
  };
}

/** READs that recovered, and SENDs that waited. */
function verbsAtWork({ verbs }: NetworkPlan, { flows, totals }: ModelResult) {
  const reads = flows.filter((_, flow) => verbs?.of[flow] === VERB_READ);
  const sends = flows.filter((_, flow) => (verbs?.readyPs[flow] ?? 0) > 0);
  return {
    reads: reads.length > 0,
    readAgain: reads.some(({ readRequests }) => readRequests > 1),
    readTimedOut: reads.some(({ timeouts }) => timeouts > 0),
    readFailed: reads.some(({ failed }) => failed),
    readReordered: reads.some(({ outOfOrder }) => outOfOrder > 0),
    readDuplicates: reads.some(({ duplicates }) => duplicates > 0),
    rnrNaks: sends.some(({ rnrNaks }) => rnrNaks > 0),
    rnrNaksAgain: sends.some(({ rnrNaks }) => rnrNaks > 1),
    rnrFailed: sends.some(({ failed, rnrNaks }) => failed && rnrNaks > 0),
    rnrLost: (totals.rnrNaks ?? 0) > sends.reduce((sum, { rnrNaks }) => sum + rnrNaks, 0),
  };
}

/** Features that occurred in one network. */
function met(spec: ScenarioSpec, plan: NetworkPlan, run: ModelResult): Record<string, boolean> {
  const rules = rulesAtWork(plan);
  const faults = new Set<FaultSpec['kind']>((spec.faults ?? []).map(({ kind }) => kind));
  const loses = run.totals.drops.buffer > 0;
  return {
    ...Object.fromEntries(RULES.map((rule) => [rule, rules.includes(rule)])),
    ...Object.fromEntries(SELECTIONS.map((rule) => [`selection ${rule}`, selectionsAtWork(plan).includes(rule)])),
    unequalWeights: hasUnequalWeights(plan),
    ...Object.fromEntries(FAULTS.map((kind) => [`fault ${kind}`, faults.has(kind)])),
    ...transportsAtWork(plan, run),
    ...notifications(plan, run, spec),
    ...lossesMet(run),
    ...hazardsMet(run),
    ...verbsAtWork(plan, run),
    askedForOne: askedForOne(plan, run),
    ...connectionsMet(plan, run),
    pools: plan.pools !== undefined,
    poolsFull: plan.pools !== undefined && loses,
    strictClasses: hasStrictClasses(plan),
  };
}

/** Counts networks by feature. */
export class Tally {
  readonly seen: Record<string, number> = {};

  note(spec: ScenarioSpec, plan: NetworkPlan, run: ModelResult): void {
    for (const [what, isMet] of Object.entries(met(spec, plan, run))) {
      this.seen[what] = (this.seen[what] ?? 0) + Number(isMet);
    }
  }

  /** Features that occurred in fewer networks than required. */
  rarerThan(least: number): string[] {
    return Object.entries(this.seen).filter(([, count]) => count < least).map(([what, count]) => `${what}: ${count}`);
  }
}
