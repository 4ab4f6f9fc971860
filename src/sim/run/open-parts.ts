/** The parts of an open simulation: the scenario is compiled with placeholders for the flows that will be added. */
import { requirePlainJson } from '../../config/json-limits.js';
import { checkField, checkFields, reject, wholeIn, type FieldRules } from '../../config/field-rules.js';
import { compileOpen, type OpenScenario } from '../compile/compile-scenario.js';
import type { CompiledScenario } from '../compile/compiled-scenario.js';
import type { FlowSpec, ScenarioSpec, WorkloadSpec } from '../scenario/spec.js';
import type { ValidScenario } from '../scenario/valid-scenario.js';
import { validateScenario } from '../scenario/validate.js';

/** Sizes of an open simulation. */
export interface OpenOptions {
  /** Maximum number of flows in the whole run, 1 to 2^20. Default 1,024. */
  readonly flows?: number;
  /** Maximum number of flows that one host sends in the whole run. Default: `flows`, or less in networks of many hosts. */
  readonly flowsPerHost?: number;
  /** Maximum bytes of a flow. Default 2^40. Transports other than go-back-N allocate windows for flows up to this size. */
  readonly flowBytes?: number;
}

/** A scenario without a workload, as flows are added by `send`. */
export type OpenScenarioSpec = Omit<ScenarioSpec, 'workload'>;

const LIST_ENTRIES_MAX = 2 ** 22;
const OPTION_RULES: FieldRules<Required<OpenOptions>> = {
  flows: wholeIn(1, 2 ** 20, 'flows'),
  flowsPerHost: wholeIn(1, 2 ** 20, 'flows'),
  flowBytes: wholeIn(1, Number.MAX_SAFE_INTEGER, 'bytes'),
};
const DEFAULT_FLOWS = 1024;
const DEFAULT_INTERVAL_US = 10;
const DEFAULT_FLOW_BYTES = 2 ** 40;
/** Parts of a scenario that need all flows at the start. */
const NOT_OPEN = ['discovery', 'wan', 'paths', 'end'] as const;

/** @internal The parts of an open simulation. */
export interface OpenParts {
  readonly valid: ValidScenario;
  readonly open: OpenScenario;
  /** The compiled scenario; its plan has `reservedPerHost`. */
  readonly compiled: CompiledScenario;
  readonly sizes: Required<OpenOptions>;
}

/** @throws RoceError as `openSimulation`. */
export function openParts(scenario: OpenScenarioSpec, options: OpenOptions): OpenParts {
  requirePlainJson(scenario, 'invalid-scenario', 'scenario');
  rejectParts(scenario);
  const hosts = hostsOf(scenario);
  const sizes = optionsFor(options, hosts.length);
  const valid = validateScenario(withFlows(scenario, templates(scenario, hosts, sizes)));
  const open = compileOpen(valid);
  const { plan } = open.compiled;
  const compiled = { ...open.compiled, plan: { ...plan, reservedPerHost: sizes.flowsPerHost } };
  rejectPlan(compiled);
  return { valid, open, compiled, sizes };
}

/** The scenario with these flows, and with the sampling interval, whose default would depend on the flows. */
export function withFlows(scenario: OpenScenarioSpec, flows: readonly FlowSpec[]): ScenarioSpec {
  const workload: WorkloadSpec = { kind: 'flows', flows };
  return { ...scenario, workload, record: { intervalUs: DEFAULT_INTERVAL_US, ...scenario.record } };
}

/** Names of all hosts, in the order of their numbers. */
function hostsOf(scenario: OpenScenarioSpec): string[] {
  const { network } = validateScenario({ ...scenario, workload: { kind: 'incast', senders: 1, sizeBytes: 1 } });
  return network.hosts.map((host) => network.nodes[host].name);
}

/**
 * Placeholder flows that determine the memory layout: at least one per host and algorithm, and the maximum number of flows in
 * all.
 */
function templates(scenario: OpenScenarioSpec, hosts: readonly string[],
  { flows, flowBytes: sizeBytes }: Required<OpenOptions>): FlowSpec[] {
  const names = Object.keys(scenario.algorithms ?? {});
  const algorithms = names.length === 0 ? [undefined] : names;
  return Array.from({ length: Math.max(flows, hosts.length * algorithms.length) }, (_, index) => {
    const place = Math.floor(index / algorithms.length) % hosts.length;
    const algorithm = algorithms[index % algorithms.length];
    return {
      from: hosts[place],
      to: hosts[(place + 1) % hosts.length],
      sizeBytes,
      ...(algorithm === undefined ? {} : { algorithm }),
    };
  });
}

function optionsFor(options: OpenOptions, hosts: number): Required<OpenOptions> {
  const { flows = DEFAULT_FLOWS, flowBytes = DEFAULT_FLOW_BYTES } = options;
  checkField(flows, OPTION_RULES.flows, 'options.flows');
  const most = Math.max(1, Math.floor(LIST_ENTRIES_MAX / Math.max(1, hosts)));
  const flowsPerHost = options.flowsPerHost ?? Math.min(flows, most);
  return checkFields<Required<OpenOptions>>({ ...options, flows, flowsPerHost, flowBytes }, OPTION_RULES, 'options');
}

function rejectParts(scenario: OpenScenarioSpec): void {
  const allowed = 'left out: an open simulation has no such part';
  const parts: Readonly<Record<string, unknown>> = { ...scenario };
  for (const part of NOT_OPEN) {
    if (parts[part] !== undefined) reject({ got: parts[part], allowed, where: `scenario.${part}` });
  }
  if ('workload' in scenario)
    reject({ got: 'a workload', allowed: 'left out: flows come by send', where: 'scenario.workload' });
  const { fidelity = 'standard' } = scenario;
  if (fidelity === 'reference-lossy')
    reject({ got: fidelity, allowed: ['standard', 'reference'], where: 'scenario.fidelity' });
}

/** Rejects plans with features for which the kernel needs all flows at the start. */
function rejectPlan({ plan, record }: CompiledScenario): void {
  const { hazards, connections, wan, balancing, transports, points } = plan;
  const allowed = 'left out: it needs all flows at the start';
  if (hazards !== undefined) reject({ got: 'PFC hazards', allowed, where: 'scenario.faults' });
  if (connections !== undefined) reject({ got: 'shared QPs', allowed, where: 'scenario.connections' });
  if (wan !== undefined) reject({ got: 'a WAN', allowed, where: 'scenario.wan' });
  if (points !== undefined) reject({ got: 'custom congestion points', allowed, where: 'scenario.switches' });
  if (balancing?.selection !== undefined) reject({ got: 'path selection', allowed, where: 'scenario.hosts.paths' });
  if (transports !== undefined && transports.kinds.length > 1)
    reject({ got: transports.kinds.length, allowed: 'one for all hosts', where: 'scenario.hosts.transport' });
  if (record.queueHistogram !== null) reject({ got: 'a histogram', allowed, where: 'scenario.record.queueHistogram' });
}
