/**
 * Notes that a reader should see before the run: settings that are valid but have no effect here. Their sentences are in
 * src/sim/note.ts.
 *
 * Only explicit settings of a scenario are reported, never defaults.
 */
import { READS_MARKS, READS_CNPS } from '../../abi/algorithms.js';
import { statedParameters } from '../../config/algorithms/custom/custom-parameters.js';
import { idleSettings, ownNames, type IdleSetting } from '../../config/algorithms/dcqcn/ineffective-settings.js';
import { factsOf, type AlgorithmParameters } from '../../config/algorithms/registry.js';
import { INT64_LINE_RATES_BPS, MAX_INT64_HOPS } from '../../reference/algorithms/hpcc/hops.js';
import { notesOnBalancing, notesOnChanges, notesOnFastCnp, notesOnJobs, notesOnTransports, notesOnWan,
  type NoteContext } from './feature-notes.js';
import { applying, note, type Note } from '../note.js';
import type { NetworkPlan } from '../plan.js';
import { asSettings } from '../scenario/setting-words.js';
import { DEFAULT_BIT_ERRORS, DEFAULT_BUFFER_BYTES, ECN_REFERENCE_RATE_BPS } from '../scenario/defaults.js';
import { PRESET_HALVES, type PresetHalf } from '../scenario/network-presets.js';
import type { BitErrorsSpec, FaultSpec, PauseStormSpec, SlowReceiverSpec, HostOverrideSpec } from '../scenario/spec.js';
import type { ValidScenario } from '../scenario/valid-scenario.js';
import { PUBLISHED_SIZES } from '../workload/size-distributions.js';

/** Functions that find parameters without effect in combination with others, by algorithm. */
const IDLE = { dcqcn: idleSettings } as unknown as Readonly<
  Partial<Record<string, (parameters: AlgorithmParameters) => readonly IdleSetting[]>>
>;

/** The notes that the scenario's author wrote, and those of its file readers. */
export function statedNotes({ spec, jobs }: ValidScenario): Note[] {
  return [
    ...(spec.notes ?? []).map((stated) => note('stated-by-scenario', { note: stated })),
    ...jobs.flatMap(({ name, graph }) =>
      graph.notes.map((stated) => note('stated-by-job', { job: name, note: stated }))
    ),
  ];
}

/** All notes on a scenario. */
export function notesOn(valid: ValidScenario, plan: NetworkPlan,
  { paths, flowAlgorithms }: Pick<NoteContext, 'paths' | 'flowAlgorithms'>): Note[] {
  const { spec } = valid;
  const overrides = (spec.overrides ?? []).flatMap((override) => override.switch ?? []);
  const context: NoteContext = {
    valid,
    plan,
    paths,
    flowAlgorithms,
    spec,
    switchSpecs: [...(spec.switches === undefined ? [] : [spec.switches]), ...overrides],
    algorithmNames: [...new Set(plan.parameterSets.map((set) => statedParameters(set).algorithm))],
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

function notesOnEcn({ valid, switchSpecs, algorithmsInUse, algorithmNames }: NoteContext): Note[] {
  const given = switchSpecs.flatMap(({ ecn }) => asSettings(ecn) ?? []);
  const readsMarks = algorithmsInUse.some(({ traits }) => traits & READS_MARKS);
  const switches = valid.switches.flatMap((settings) => settings ?? []);
  const anyEcn = switches.some(({ ecn }) => ecn.enabled);
  const isGivenTwice = given.some(({ byRate, kminKB, kmaxKB, pmax }) =>
    byRate !== undefined && [kminKB, kmaxKB, pmax].some((value) => value !== undefined)
  );
  return applying(given.some(({ enabled }) => enabled !== false) && anyEcn && !readsMarks &&
    note('marks-unread', { algorithms: algorithmNames }),
    given.some((ecn) => ecn.enabled === false && Object.keys(ecn).some((key) => key !== 'enabled')) &&
      note('ecn-off-with-thresholds'), isGivenTwice && note('ecn-thresholds-twice'),
    !anyEcn && switches.length > 0 && readsMarks && !switches.some(({ fastCnp }) => fastCnp) &&
      note('no-marks'));
}

function notesOnPoints({ valid }: NoteContext): Note[] {
  const off = valid.points.flatMap((point, node) =>
    point?.isNamed === true && valid.switches[node]?.ecn.enabled === false ? [valid.network.nodes[node].name] : []
  );
  return applying(off.length > 0 &&
    note('congestion-point-without-ecn', { nodes: off }));
}

function notesOnPfc({ valid, plan, switchSpecs }: NoteContext): Note[] {
  const raised = plan.nodes.filter(({ kind, bufferBytes }, node) =>
    kind === 'switch' && valid.switches[node]?.bufferBytes === null && bufferBytes > DEFAULT_BUFFER_BYTES
  );
  const most = raised.reduce((largest, { bufferBytes }) => Math.max(largest, bufferBytes), 0);
  return applying(switchSpecs.some(({ pfc, headroomBytes }) => pfc === false && headroomBytes !== undefined) &&
    note('headroom-without-pfc'), raised.length > 0 &&
    note('memory-added', { nodes: raised.map(({ name }) => name), bufferBytes: most }));
}

function notesOnAcks({ valid, spec }: NoteContext): Note[] {
  const { ackIntervalBytes, ackChunkBytes } = spec.hosts ?? {};
  if (ackIntervalBytes === undefined && ackChunkBytes === undefined) return [];
  if (valid.fidelity === 'standard') {
    return [note('acks-of-each-packet')];
  }
  return (ackIntervalBytes ?? 0) > 1 ?
    [] :
    [note('ack-chunks-unused', { setting: 'hosts.ackChunkBytes' })];
}

/** The reference's telemetry records have codes for five rates only; a port with any other rate writes code 0. */
function notesOnHopRates({ plan }: NoteContext): Note[] {
  if (plan.fidelity === 'standard' || plan.rules.telemetry !== 'int64') return [];
  const ofSwitches = plan.ports.filter(({ node }) => plan.nodes[node].kind === 'switch').map(({ rateBps }) => rateBps);
  const ratesBps = [...new Set(ofSwitches)].filter((rateBps) => !INT64_LINE_RATES_BPS.includes(rateBps));
  return ratesBps.length === 0 ? [] : [note('rates-without-code', { ratesBps })];
}

/** On paths of more than five hops, the sixth record overwrites the first, and the ACK changes no rate. */
function notesOnHops({ valid, plan, paths }: NoteContext): Note[] {
  if (plan.rules.telemetry !== 'int64') return [];
  const far = plan.flows.findIndex((flow) =>
    paths.get(flow).length - 1 > MAX_INT64_HOPS &&
    factsOf(plan.parameterSets[plan.flows.parameterSet[flow]]).telemetry !== undefined
  );
  if (far < 0) return [];
  const { source, destination } = valid.flows.get(far);
  const [from, to] = [source, destination].map((node) => plan.nodes[node].name);
  return [note('too-many-hops', { flow: far, from, to, switches: paths.get(far).length - 1 })];
}

function notesOnLinks({ valid }: NoteContext): Note[] {
  if (valid.fidelity === 'standard') return [];
  const { links, nodes } = valid.network;
  const seen = new Set<string>();
  const several = new Map<string, readonly [string, string]>();
  for (const { from, to } of links) {
    const ends = [from, to].sort((a, b) => a - b);
    const key = ends.join();
    if (seen.has(key)) several.set(key, [nodes[ends[0]].name, nodes[ends[1]].name]);
    seen.add(key);
  }
  return several.size === 0 ? [] : [note('parallel-links', { between: [...several.values()] })];
}

function notesOnAlgorithms({ valid, plan, spec, flowAlgorithms }: NoteContext): Note[] {
  const used: (AlgorithmParameters | undefined)[] = [];
  for (let flow = 0; flow < plan.flows.length; flow++) {
    used[flowAlgorithms[flow]] = plan.parameterSets[plan.flows.parameterSet[flow]];
  }
  return valid.algorithms.flatMap(({ name, window, parameters = {} }, index) => {
    const parameterSet = used[index];
    // The scenario's author did not set the default algorithm.
    const isStated = Object.hasOwn(spec.algorithms ?? {}, name);
    if (parameterSet === undefined) return isStated ? [note('algorithm-unused', { algorithm: name })] : [];
    const stated = statedParameters(parameterSet);
    if (factsOf(parameterSet).window === 'always' && window !== undefined) {
      return [note('window-unused', { algorithm: name, title: factsOf(stated).title })];
    }
    return (IDLE[stated.algorithm]?.(stated) ?? [])
      .filter(({ field }) => Object.hasOwn(parameters, field))
      .map((idle) =>
        note('parameter-idle', {
          algorithm: name,
          parameter: idle.field,
          reason: idle.reason,
          because: ownNames(idle),
        })
      );
  });
}

function notesOnFlows({ valid, plan }: NoteContext): Note[] {
  const late = plan.flows.findIndex((flow) => plan.flows.startPs[flow] >= valid.endPs);
  const { cnpClass, notification } = plan.rules;
  const shared = plan.flows.findIndex((flow) => plan.flows.dataClass[flow] === cnpClass);
  const workloads = [valid.spec.workload].flat();
  const own = workloads.flatMap((one) => {
    if (!('sizes' in one) || typeof one.sizes !== 'string') return [];
    const published = PUBLISHED_SIZES[one.sizes];
    return published === undefined ? [] : [{ sizes: one.sizes, published }];
  });
  return applying(late >= 0 && note('flow-after-end', { flow: late }), shared >= 0 && notification === 'cnp' &&
    note('flow-shares-cnp-class', { flow: shared, trafficClass: cnpClass }),
    valid.flows.length === 0 && workloads.some(({ kind }) => kind === 'poisson') &&
      note('no-arrivals'), own.length > 0 &&
    note('own-flow-sizes', own[0]));
}

function notesOnHazard(fault: PauseStormSpec | SlowReceiverSpec | BitErrorsSpec, i: number, endPs: number): Note[] {
  if (fault.kind === 'pause-storm')
    return fault.fromUs * 1e6 >= endPs ? [note('fault-after-end', { fault: i })] : [];
  if (fault.kind === 'slow-receiver') return [];
  const { perBit, perFrame } = { ...DEFAULT_BIT_ERRORS, ...fault };
  return perBit + perFrame === 0 ? [note('fault-without-chance', { fault: i })] : [];
}

function notesOnFaults({ valid }: NoteContext): Note[] {
  // The scenario's own link faults come first; those that follow from failed switches and planes come after them.
  return valid.faults.slice(0, valid.spec.faults?.length).flatMap((fault, i) => {
    if (fault.kind === 'link-down' || fault.kind === 'switch-down' || fault.kind === 'plane-down') {
      return fault.fromUs * 1e6 >= valid.endPs ? [note('fault-after-end', { fault: i })] : [];
    }
    if (fault.kind === 'usid-withdrawn' || fault.kind === 'receiver-discards')
      return (fault.fromUs ?? 0) * 1e6 >= valid.endPs ? [note('fault-after-end', { fault: i })] : [];
    if (fault.kind === 'drop') return [];
    if (fault.kind === 'loss' || fault.kind === 'corruption') return notesOnLosses(fault, i, valid);
    return notesOnHazard(fault, i, valid.endPs);
  });
}

function notesOnLosses(fault: Extract<FaultSpec, { kind: 'loss' | 'corruption' }>, i: number,
  { fidelity, endPs }: ValidScenario): Note[] {
  if (fidelity === 'reference-lossy') return [note('fault-under-reference-lossy', { fault: i, kind: fault.kind })];
  if (fault.kind === 'loss' && (fault.fromUs ?? 0) * 1e6 >= endPs) return [note('fault-after-end', { fault: i })];
  if (fault.share === 0) return [note('fault-without-share', { fault: i })];
  const cnpsAlone = fault.kind === 'loss' && fault.of === 'cnps' && fidelity !== 'standard';
  return cnpsAlone ? [note('fault-without-cnps', { fault: i, fidelity })] : [];
}

/* Notes on host settings, general or of single hosts. */

type HostKey = keyof HostOverrideSpec;

/** In the order in which notes name them. */
const KEYS_OF_CNPS: readonly HostKey[] = ['cnpIntervalUs', 'cnpDelayUs', 'notificationPoint'];
const KEYS_OF_SENDERS: readonly HostKey[] = ['retransmitTimeoutUs', 'mtuBytes'];

export function notesOnHosts(context: NoteContext): Note[] {
  const { spec } = context;
  const ofAll = notesOnCnps(context, spec.hosts ?? {}, 'hosts');
  const own = (spec.overrides ?? []).flatMap(({ nodes, host },
    i) => (host === undefined ? [] : notesOnOwn(context, nodes, host, `overrides[${i}].host`))
  );
  return [...ofAll, ...own];
}

/** Notes on CNP settings in runs that have no CNPs. */
function notesOnCnps({ valid, algorithmsInUse }: NoteContext, host: HostOverrideSpec, where: string): Note[] {
  const keys = givenOf(host, KEYS_OF_CNPS);
  if (keys.length === 0) return [];
  if (valid.fidelity !== 'standard') return [note('cnps-under-reference', { host: where, keys })];
  const isRead = algorithmsInUse.some(({ traits }) => traits & READS_CNPS);
  return isRead ? [] : [note('cnps-unread', { host: where, keys })];
}

function notesOnOwn(context: NoteContext, nodes: readonly string[], host: HostOverrideSpec, where: string): Note[] {
  const { flows } = context.plan;
  const cnps = notesOnCnps(context, host, where);
  const receivers = new Set(flows.destination);
  const senders = new Set(flows.source);
  return [
    ...(cnps.length > 0 ?
      cnps :
      notesOnIdle(context, nodes, receivers, givenOf(host, KEYS_OF_CNPS), { host: where, role: 'receiver' })),
    ...notesOnIdle(context, nodes, senders, givenOf(host, KEYS_OF_SENDERS), { host: where, role: 'sender' }),
  ];
}

/** Notes on settings of hosts that have no flow to which they would apply. */
function notesOnIdle({ valid }: NoteContext, names: readonly string[], busy: ReadonlySet<number>,
  keys: readonly HostKey[], about: { readonly host: string; readonly role: 'sender' | 'receiver' }): Note[] {
  if (keys.length === 0) return [];
  const nodes = names.filter((name) => !busy.has(valid.network.nodes.findIndex((node) => node.name === name)));
  return nodes.length === 0 ? [] : [note('host-idle', { ...about, keys, nodes })];
}

function givenOf(host: HostOverrideSpec, keys: readonly HostKey[]): HostKey[] {
  return keys.filter((key) => host[key] !== undefined);
}

/* Notes on presets whose published CNP interval or marking thresholds are not in use: the library's defaults apply instead. */

/** An algorithm of the scenario, its preset, and the preset's source. */
interface Subject {
  readonly algorithm: string;
  readonly preset: string;
  readonly of: string;
}

export function notesOnPresets(context: NoteContext): Note[] {
  const { valid } = context;
  if (valid.fidelity !== 'standard') return [];
  const used = new Set(context.flowAlgorithms);
  // The author of a scenario that names no algorithm chose no preset.
  if (Object.keys(valid.spec.algorithms ?? {}).length === 0) return [];
  return valid.algorithms.flatMap(({ name, preset = '' }, index) => {
    const half = PRESET_HALVES[preset];
    if (half === undefined || !used.has(index)) return [];
    const subject = { algorithm: name, preset, of: half.of };
    return applying(cnpNote(context, half, subject), markingNote(context, half, subject));
  });
}

function cnpNote({ valid, spec }: NoteContext, { cnpIntervalUs }: PresetHalf, subject: Subject): Note | false {
  const given = [spec.hosts, ...(spec.overrides ?? []).map(({ host }) => host)];
  const here = valid.hosts.cnpIntervalUs;
  if (cnpIntervalUs === undefined || given.some((host) => host?.cnpIntervalUs !== undefined)) return false;
  if (cnpIntervalUs === here) return false;
  return note('preset-cnp-interval', { ...subject, presetIntervalUs: cnpIntervalUs, intervalUs: here });
}

function markingNote({ valid, switchSpecs, spec }: NoteContext, { marking }: PresetHalf, subject: Subject): Note
  | false {
  const isGiven = spec.network !== undefined || switchSpecs.some(({ ecn }) => ecn !== undefined);
  const ecn = valid.switches.find((settings) => settings !== null && settings !== undefined)?.ecn;
  if (marking === undefined || isGiven || ecn?.enabled !== true) return false;
  const { rateGbps, ...thresholds } = marking;
  const { kminKB, kmaxKB, pmax } = ecn;
  return note('preset-marking', {
    ...subject,
    presetMarking: { ...thresholds, rateBps: rateGbps * 1e9 },
    marking: { kminKB, kmaxKB, pmax, rateBps: ECN_REFERENCE_RATE_BPS },
  });
}
