/**
 * Notes that a reader should see before the run: settings that are valid but have no effect here. One sentence each.
 *
 * Only explicit settings of a scenario are reported, never defaults.
 */
import { READS_MARKS } from '../../abi/algorithms.js';
import { ineffectiveSettings } from '../../config/algorithms/dcqcn/ineffective-settings.js';
import { statedParameters } from '../../config/algorithms/custom/custom-parameters.js';
import { factsOf, type AlgorithmParameters } from '../../config/algorithms/registry.js';
import { INT64_LINE_RATES_BPS, MAX_INT64_HOPS } from '../../reference/algorithms/hpcc/hops.js';
import type { NetworkPlan } from '../plan.js';
import { asSettings } from '../scenario/as-settings.js';
import { DEFAULT_BIT_ERRORS, DEFAULT_BUFFER_BYTES } from '../scenario/defaults.js';
import { listNames } from '../scenario/scenario-error.js';
import type { BitErrorsSpec, PauseStormSpec, SlowReceiverSpec } from '../scenario/spec.js';
import type { ValidScenario } from '../scenario/valid-scenario.js';
import { applying, type NoteContext } from './note-context.js';
import { notesOnBalancing } from './notes-on-balancing.js';
import { notesOnChanges } from './notes-on-changes.js';
import { notesOnFastCnp } from './notes-on-fast-cnp.js';
import { notesOnPresets } from './notes-on-presets.js';
import { notesOnHosts } from './notes-on-hosts.js';
import { notesOnJobs } from './notes-on-jobs.js';
import { notesOnTransports } from './notes-on-transports.js';
import { notesOnWan } from './notes-on-wan.js';

/** Parameters that have no effect in combination with others, for algorithms that report them. */
const INEFFECTIVE = { dcqcn: ineffectiveSettings } as unknown as Readonly<
  Partial<Record<string, (parameters: AlgorithmParameters) => readonly string[]>>
>;

/** All notes on a scenario. */
export function notesOn(valid: ValidScenario, plan: NetworkPlan,
  { paths, flowAlgorithms }: Pick<NoteContext, 'paths' | 'flowAlgorithms'>): string[] {
  const { spec } = valid;
  const overrides = (spec.overrides ?? []).flatMap((override) => override.switch ?? []);
  const context: NoteContext = {
    valid,
    plan,
    paths,
    flowAlgorithms,
    spec,
    switchSpecs: [...(spec.switches === undefined ? [] : [spec.switches]), ...overrides],
    algorithmNames: [...new Set(plan.parameterSets.map((set) => statedParameters(set).algorithm))].join(', '),
    algorithmsInUse: plan.parameterSets.map(factsOf),
  };
  return [
    notesOnEcn,
    notesOnPfc,
    notesOnFastCnp,
    notesOnPoints,
    notesOnBalancing,
    notesOnHosts,
    notesOnTransports,
    notesOnAcks,
    notesOnHopRates,
    notesOnHops,
    notesOnLinks,
    notesOnAlgorithms,
    notesOnPresets,
    notesOnFlows,
    notesOnChanges,
    notesOnJobs,
    notesOnFaults,
    notesOnWan,
  ].flatMap((notes) => notes(context));
}

function notesOnEcn({ valid, switchSpecs, algorithmsInUse, algorithmNames }: NoteContext): string[] {
  const given = switchSpecs.flatMap(({ ecn }) => asSettings(ecn) ?? []);
  const readsMarks = algorithmsInUse.some(({ traits }) => traits & READS_MARKS);
  const switches = valid.switches.flatMap((settings) => settings ?? []);
  const anyEcn = switches.some(({ ecn }) => ecn.enabled);
  const isGivenTwice = given.some(({ byRate, kminKB, kmaxKB, pmax }) =>
    byRate !== undefined && [kminKB, kmaxKB, pmax].some((value) => value !== undefined)
  );
  return applying(given.some(({ enabled }) => enabled !== false) && anyEcn && !readsMarks &&
    `ECN is set, but no algorithm in use (${algorithmNames}) reacts to marks.`,
    given.some((ecn) => ecn.enabled === false && Object.keys(ecn).some((key) => key !== 'enabled')) &&
      'ECN is off, and its thresholds are given: they are without effect.',
    isGivenTwice && 'ECN thresholds are given twice: byRate takes the place of kminKB, kmaxKB and pmax.',
    !anyEcn && switches.length > 0 && readsMarks && !switches.some(({ fastCnp }) => fastCnp) &&
      'No switch marks packets, so algorithms that react to marks (DCQCN, DCTCP) keep the line rate.');
}

function notesOnPoints({ valid }: NoteContext): string[] {
  const off = valid.points.flatMap((point, node) =>
    point?.isNamed === true && valid.switches[node]?.ecn.enabled === false ? [valid.network.nodes[node].name] : []
  );
  return applying(off.length > 0 &&
    `ECN is off at ${listNames(off)}: their congestion point (switches.congestionPoint) is not called.`);
}

function notesOnPfc({ valid, plan, switchSpecs }: NoteContext): string[] {
  const raised = plan.nodes.filter(({ kind, bufferBytes }, node) =>
    kind === 'switch' && valid.switches[node]?.bufferBytes === null && bufferBytes > DEFAULT_BUFFER_BYTES
  );
  const most = raised.reduce((largest, { bufferBytes }) => Math.max(largest, bufferBytes), 0) / 2 ** 20;
  const names = listNames(raised.map(({ name }) => name));
  return applying(switchSpecs.some(({ pfc, headroomBytes }) => pfc === false && headroomBytes !== undefined) &&
    'PFC is off, and headroomBytes is given: without pauses no headroom is set aside.', raised.length > 0 &&
    `The headroom of long or many links would take over half of 32 MiB, so memory was added at ${names}: up to ` +
      `${most.toFixed(1)} MiB.`);
}

function notesOnAcks({ valid, spec }: NoteContext): string[] {
  const { ackIntervalBytes, ackChunkBytes } = spec.hosts ?? {};
  if (ackIntervalBytes === undefined && ackChunkBytes === undefined) return [];
  if (valid.fidelity === 'standard') {
    return [
      'hosts.ackIntervalBytes and ackChunkBytes are without effect under fidelity standard: each packet in order is acknowledged.',
    ];
  }
  return (ackIntervalBytes ?? 0) > 1 ?
    [] :
    ['hosts.ackChunkBytes is without effect: with ackIntervalBytes up to 1 each packet in order is acknowledged.'];
}

/** Telemetry records of the reference have a code for five rates; a port of another rate writes code 0. */
function notesOnHopRates({ plan }: NoteContext): string[] {
  if (plan.fidelity === 'standard' || plan.rules.telemetry !== 'int64') return [];
  const ofSwitches = plan.ports.filter(({ node }) => plan.nodes[node].kind === 'switch').map(({ rateBps }) => rateBps);
  const without = [...new Set(ofSwitches)].filter((rateBps) => !INT64_LINE_RATES_BPS.includes(rateBps));
  if (without.length === 0) return [];
  const rates = without.map((rateBps) => `${rateBps / 1e9} Gb/s`).join(', ');
  return [
    `HPCC's records under fidelity reference have no code for ${rates}: senders take such ports for ones of 25 Gb/s, as in the reference simulator.`,
  ];
}

/** A sixth record overwrites the first, and such an ACK moves no rate. */
function notesOnHops({ valid, plan, paths }: NoteContext): string[] {
  if (plan.rules.telemetry !== 'int64') return [];
  const far = plan.flows.findIndex((flow) =>
    paths.get(flow).length - 1 > MAX_INT64_HOPS &&
    factsOf(plan.parameterSets[plan.flows.parameterSet[flow]]).telemetry !== undefined
  );
  if (far < 0) return [];
  const { source, destination } = valid.flows.get(far);
  const [from, to] = [source, destination].map((node) => plan.nodes[node].name);
  return [
    `Flow ${far}, ${from} to ${to}, passes ${
      paths.get(far).length - 1
    } switches: HPCC's records under fidelity reference hold ${MAX_INT64_HOPS}, and senders beyond keep their rate, as in the reference simulator.`,
  ];
}

function notesOnLinks({ valid }: NoteContext): string[] {
  if (valid.fidelity === 'standard') return [];
  const { links, nodes } = valid.network;
  const seen = new Set<string>();
  const several = links.flatMap(({ from, to }) => {
    const ends = [from, to].sort((a, b) => a - b);
    const key = ends.join();
    if (seen.has(key)) return [ends.map((node) => nodes[node].name).join(' and ')];
    seen.add(key);
    return [];
  });
  if (several.length === 0) return [];
  return [
    `Several links between ${
      listNames([...new Set(several)])
    }: fidelity reference sends by the last of them alone, as the reference simulator does.`,
  ];
}

function notesOnAlgorithms({ valid, plan, spec, flowAlgorithms }: NoteContext): string[] {
  const used: (AlgorithmParameters | undefined)[] = [];
  for (let flow = 0; flow < plan.flows.length; flow++) {
    used[flowAlgorithms[flow]] = plan.parameterSets[plan.flows.parameterSet[flow]];
  }
  return valid.algorithms.flatMap(({ name, window, parameters = {} }, index) => {
    const parameterSet = used[index];
    // The default algorithm is no setting of the scenario's author.
    const isStated = Object.hasOwn(spec.algorithms ?? {}, name);
    if (parameterSet === undefined) return isStated ? [`Algorithm ${name} is not used by any flow.`] : [];
    const stated = statedParameters(parameterSet);
    if (factsOf(parameterSet).window === 'always' && window !== undefined) {
      return [`Algorithm ${name}: window is without effect, ${factsOf(stated).title} controls its own.`];
    }
    return (INEFFECTIVE[stated.algorithm]?.(stated) ?? [])
      .filter((sentence) => Object.hasOwn(parameters, sentence.slice(0, sentence.indexOf(':'))))
      .map((sentence) => `Algorithm ${name}: ${sentence}.`);
  });
}

function notesOnFlows({ valid, plan }: NoteContext): string[] {
  const late = plan.flows.findIndex((flow) => plan.flows.startPs[flow] >= valid.endPs);
  const { cnpClass, notification } = plan.rules;
  const shared = plan.flows.findIndex((flow) => plan.flows.dataClass[flow] === cnpClass);
  const workloads = [valid.spec.workload].flat();
  const own = workloads.flatMap((one) =>
    'sizes' in one && typeof one.sizes === 'string' && one.sizes.endsWith('-roce-cc') ? [one.sizes] : []
  );
  return applying(late >= 0 && `Flow ${late} starts at or after the end of the run, and is never sent.`,
    shared >= 0 && notification === 'cnp' &&
      `Flow ${shared} shares class ${cnpClass} with CNPs, which so wait behind data.`,
    valid.flows.length === 0 && workloads.some(({ kind }) => kind === 'poisson') &&
      'No flow arrives: arrivalsForUs is shorter than the time to the first one.', own.length > 0 &&
    `The sizes ${own[0]} are this project's own, and not published: compare with others under ${
      own[0].replace('-roce-cc', '')
    }.`);
}

function notesOnHazard(fault: PauseStormSpec | SlowReceiverSpec | BitErrorsSpec, i: number, endPs: number): string[] {
  if (fault.kind === 'pause-storm')
    return fault.fromUs * 1e6 >= endPs ? [`Fault ${i} begins after the end of the run.`] : [];
  if (fault.kind === 'slow-receiver') return [];
  const { perBit, perFrame } = { ...DEFAULT_BIT_ERRORS, ...fault };
  return perBit + perFrame === 0 ? [`Fault ${i} has chance 0 and is without effect.`] : [];
}

function notesOnFaults({ valid }: NoteContext): string[] {
  // Links that switches and planes take down with them follow those of the scenario.
  return valid.faults.slice(0, valid.spec.faults?.length).flatMap((fault, i) => {
    if (fault.kind === 'link-down' || fault.kind === 'switch-down' || fault.kind === 'plane-down') {
      return fault.fromUs * 1e6 >= valid.endPs ? [`Fault ${i} begins after the end of the run.`] : [];
    }
    if (fault.kind === 'drop') return [];
    if (fault.kind !== 'loss' && fault.kind !== 'corruption') return notesOnHazard(fault, i, valid.endPs);
    if (valid.fidelity === 'reference-lossy')
      return [
        `Fault ${i} (${fault.kind}) is without effect: links lose packets by their errorRate alone under reference-lossy.`,
      ];
    if (fault.share === 0) return [`Fault ${i} has share 0 and is without effect.`];
    const cnpsAlone = fault.kind === 'loss' && fault.of === 'cnps' && valid.fidelity !== 'standard';
    return cnpsAlone ? [`Fault ${i} loses CNPs, of which fidelity ${valid.fidelity} has none.`] : [];
  });
}
