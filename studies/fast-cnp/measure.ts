/** Runs of a case: how soon senders know of congestion, and what that does. */
import { runScenarioSync } from '../../src/sim/run/run-scenario.js';
import type { SimResult } from '../../src/sim/result.js';
import type { AlgorithmSpec, ScenarioSpec, SwitchFastCnpSpec } from '../../src/sim/scenario/spec.js';
import { PS_PER_US } from '../../src/units.js';
import type { FastCnpCase } from './cases.js';

/** Notification of senders, and its effect. */
export interface Way {
  readonly name: string;
  readonly algorithm: AlgorithmSpec;
  readonly fastCnp: SwitchFastCnpSpec;
}

const DCQCN: AlgorithmSpec = { preset: 'dcqcn-sigcomm15' };
const OFF: SwitchFastCnpSpec = { enabled: false };
const WITH_TRACE: SwitchFastCnpSpec = { enabled: true, option: 2 };

export const DCQCN_WAYS: readonly Way[] = [
  { name: 'CNP', algorithm: DCQCN, fastCnp: OFF },
  { name: 'Fast CNP', algorithm: DCQCN, fastCnp: { enabled: true } },
];

export const HPCC_PP_WAYS: readonly Way[] = [
  { name: 'ACKs, CNPs', algorithm: { preset: 'hpcc-pp-draft' }, fastCnp: OFF },
  { name: 'ACKs, Fast CNPs', algorithm: { preset: 'hpcc-pp-draft' }, fastCnp: WITH_TRACE },
  { name: 'Fast CNPs', algorithm: { preset: 'hpcc-pp-fast-cnp' }, fastCnp: WITH_TRACE },
];

/** Longer than any queue or round trip here lasts, so that no timeout adds to what is measured. */
const TIMEOUT_US = 100_000;

export function scenarioOf({ name, topology, flows, cnpDelayUs = 0 }: FastCnpCase,
  { algorithm, fastCnp }: Way): ScenarioSpec {
  return {
    name,
    topology,
    workload: { kind: 'flows', flows },
    algorithms: { studied: algorithm },
    switches: { fastCnp },
    hosts: { retransmitTimeoutUs: TIMEOUT_US, cnpDelayUs },
    record: { flows: 0, ports: [] },
  };
}

export interface Seen {
  /** From the start until the first sender was notified, and until half of them were; infinite: never. */
  readonly firstUs: number;
  readonly halfUs: number;
  readonly maxQueueBytes: number;
  readonly maxQueuePort: string;
  readonly pauses: number;
  readonly meanUs: number;
}

/** @throws Error when a flow doesn't end, as the mean would leave it out. */
export function see(one: FastCnpCase, way: Way): Seen {
  const { flows, summary, totals, ended } = runScenarioSync(scenarioOf(one, way));
  if (ended !== 'all-flows-done') throw new Error(`${one.name}, ${way.name}: the run ended by ${ended}`);
  const { firstUs, halfUs } = notifiedAt(flows);
  return {
    firstUs,
    halfUs,
    maxQueueBytes: summary.maxQueueBytes,
    maxQueuePort: summary.maxQueuePort,
    pauses: totals.pauses,
    meanUs: (summary.completionPs?.mean ?? NaN) / PS_PER_US,
  };
}

function notifiedAt(flows: SimResult['flows']): Pick<Seen, 'firstUs' | 'halfUs'> {
  const times = flows.map((
    { firstNotificationPs, startPs },
  ) => (firstNotificationPs === null ? Infinity : firstNotificationPs - startPs))
    .sort((a, b) => a - b);
  const at = (index: number): number => (times[index] ?? Infinity) / PS_PER_US;
  return { firstUs: at(0), halfUs: at(Math.ceil(times.length / 2) - 1) };
}
