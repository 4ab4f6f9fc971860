/**
 * Notes on settings of features: those without effect in this network, and changes during the run. compile/notes.ts has
 * the notes on all other settings.
 */
import { READS_CNPS } from '../../abi/algorithms.js';
import type { Algorithm } from '../../config/algorithms/algorithm.js';
import type { AlgorithmParameters } from '../../config/algorithms/registry.js';
import type { SelectionRule } from '../features/balancing/plan.js';
import { RULE_FACTS, SETTINGS_OF_RULES } from '../features/balancing/rules.js';
import { SETTINGS_OF_FORMAT } from '../features/jobs/schema.js';
import { applying, note, type Note, type DetourReason } from '../note.js';
import type { NetworkPlan } from '../plan.js';
import type { ScenarioSpec, SwitchSpec, HostOverrideSpec, Transport } from '../scenario/spec.js';
import type { ValidScenario } from '../scenario/valid-scenario.js';
import { WAN_DOMAIN } from '../topology/network.js';
import type { FlowPaths } from './compiled-scenario.js';

const READ_MARKS: readonly SelectionRule[] = ['bitmap', 'reps', 'entropy-states'];
/** Settings that only one path selection rule reads. */
const OF_ONE_RULE = [['reps', 'reps'], ['entropyStates', 'entropy-states']] as const;
/** The format of each setting that only one format's reader has. */
const FORMAT_OF = Object.entries(SETTINGS_OF_FORMAT).flatMap(([format, settings]) =>
  Object.keys(settings).map((key) => [key, format] as const)
);
/** Transports that have settings for all hosts. */
const WITH_SETTINGS = ['irn', 'tolerant', 'mrc'] as const;

/** The inputs from which notes on a scenario are made. */
export interface NoteContext {
  readonly valid: ValidScenario;
  readonly plan: NetworkPlan;
  readonly spec: ScenarioSpec;
  /** Switch settings that the scenario states, both general ones and overrides. */
  readonly switchSpecs: readonly SwitchSpec[];
  /** Names of the algorithms that flows use. */
  readonly algorithmNames: readonly string[];
  /** The library's description of each algorithm in use. */
  readonly algorithmsInUse: readonly Algorithm<AlgorithmParameters>[];
  /** The egress ports on each flow's path. */
  readonly paths: FlowPaths;
  /** Index of each flow's algorithm. */
  readonly flowAlgorithms: Uint32Array;
}

/** Whether any switch may send Fast CNPs: by the built-in rule, or by a custom congestion point that the scenario names. */
export function maySendFastCnps({ switches, points }: ValidScenario): boolean {
  return switches.some((settings) => settings?.fastCnp === true) || points.some((point) => point?.isNamed === true);
}

/** Load balancing, path selection and source-port changes. */
export function notesOnBalancing(context: NoteContext): Note[] {
  if (context.valid.fidelity !== 'standard') return [];
  const { plan: { balancing, groups }, switchSpecs } = context;
  const rules = balancing?.rules ?? [];
  const hasChoice = groups.some((group) => group.length > 1);
  const isGiven = (key: keyof SwitchSpec): boolean => switchSpecs.some((spec) => spec[key] !== undefined);
  return applying(rules.some((rule) => rule !== 'ecmp') && !hasChoice &&
    note('no-equal-paths', { setting: 'switches.loadBalancing' }),
    isGiven('flowletGapUs') && !rules.some((rule) => RULE_FACTS[rule].keepsFlowlets) &&
      note('no-flowlets', { setting: 'switches.flowletGapUs' }),
    ...SETTINGS_OF_RULES.map(([key, rule]) =>
      isGiven(key) && !rules.includes(rule) && note('balancing-rule-unused', { setting: `switches.${key}`, rule })
    ), ...notesOnSelection(context, hasChoice), ...notesOnDetours(context, hasChoice));
}

function notesOnSelection({ valid, plan: { balancing }, spec: { hosts = {} } }: NoteContext,
  hasChoice: boolean): (Note | false)[] {
  const { selection, rules } = balancing ?? {};
  const isUsed = (rule: SelectionRule): boolean => selection?.rules.includes(rule) === true;
  const byHash = valid.switches.some((settings, node) =>
    settings !== null && RULE_FACTS[rules?.[node] ?? 'ecmp'].readsSourcePort
  );
  const readsMarks = READ_MARKS.some(isUsed);
  return [
    selection !== undefined && !hasChoice &&
    note('no-equal-paths', { setting: 'hosts.pathSelection' }),
    selection !== undefined && hasChoice && !byHash &&
    note('no-choice-by-hash', { setting: 'hosts.pathSelection' }),
    readsMarks && !valid.switches.some((settings) => settings?.ecn.enabled === true) &&
    note('no-marks-as-feedback', { setting: 'hosts.pathSelection' }),
    hosts.entropies !== undefined && selection === undefined &&
    note('source-ports-kept', { setting: 'hosts.entropies' }),
    ...OF_ONE_RULE.map(([key, rule]) =>
      hosts[key] !== undefined && !isUsed(rule) && note('path-selection-unused', { setting: `hosts.${key}`, rule })
    ),
  ];
}

function notesOnDetours({ valid, plan: { balancing, fastCnp }, algorithmsInUse }: NoteContext,
  hasChoice: boolean): (Note | false)[] {
  if (balancing?.detours.includes(true) !== true) return [];
  const anySender = maySendFastCnps(valid);
  const reason: DetourReason | undefined = !anySender ?
    'not-sent' :
    !fastCnp.accepted ?
    'not-accepted' :
    !algorithmsInUse.some(({ traits }) => traits & READS_CNPS) ?
    'no-reaction' :
    !hasChoice ?
    'no-equal-paths' :
    undefined;
  return [reason !== undefined && note('no-detours', { setting: 'hosts.onFastCnp', reason })];
}

/** One note per change, so that a result states which settings were in effect when. */
export function notesOnChanges({ valid: { changes, endPs } }: NoteContext): Note[] {
  return changes.map(({ timePs: atPs, set }, change) =>
    atPs >= endPs ?
      note('change-after-end', { change, atPs }) :
      note('settings-change', { change, atPs, set })
  );
}

/** Fast CNPs: switches must send them, hosts accept them, and algorithms react to them. */
export function notesOnFastCnp(context: NoteContext): Note[] {
  const { valid, spec } = context;
  const anySender = valid.switches.some((settings) => settings?.fastCnp === true);
  const hostsAccept = spec.hosts?.acceptFastCnp === true;
  if (valid.fidelity !== 'standard' && (anySender || hostsAccept)) {
    return [note('fast-cnp-under-reference')];
  }
  if (anySender) return notesWithSenders(context);
  return maySendFastCnps(valid) ? [] : notesWithoutSenders(context, hostsAccept);
}

function notesWithoutSenders({ switchSpecs }: NoteContext, hostsAccept: boolean): Note[] {
  const given = switchSpecs.flatMap(({ fastCnp }) => fastCnp ?? []);
  return applying(hostsAccept && note('fast-cnp-not-generated'),
    given.some((fastCnp) => Object.keys(fastCnp).some((key) => key !== 'enabled')) &&
      note('fast-cnp-off-with-settings'));
}

function notesWithSenders({ plan, algorithmsInUse, algorithmNames }: NoteContext): Note[] {
  return applying(!plan.fastCnp.accepted &&
    note('fast-cnp-not-accepted'), !algorithmsInUse.some(({ traits }) => traits & READS_CNPS) &&
    note('fast-cnp-unread', { algorithms: algorithmNames }),
    plan.fastCnp.option === 2 && !algorithmsInUse.some(({ traits, telemetry }) => traits & READS_CNPS && telemetry) &&
      note('fast-cnp-telemetry-unread'));
}

/** Jobs: settings that apply to files of another format. */
export function notesOnJobs({ spec }: NoteContext): Note[] {
  const jobs = [spec.workload].flat().filter((one) => one.kind === 'job');
  return jobs.flatMap((job) =>
    FORMAT_OF.filter(([key, format]) => Object.hasOwn(job, key) && job.format !== format)
      .map(([key, format]) => note('job-setting-of-other-format', { setting: key, job: job.file, format }))
  );
}

/** Transport settings that apply to no flow. */
export function notesOnTransports(context: NoteContext): Note[] {
  const { valid, plan, spec } = context;
  if (valid.fidelity !== 'standard') return [];
  const used = new Set<Transport>(plan.transports?.kinds.map(({ transport }) => transport) ?? ['go-back-n']);
  const given: readonly (readonly [string, HostOverrideSpec])[] = [
    ['hosts', spec.hosts ?? {}],
    ...(spec.overrides ?? []).map(({ host }, i) => [`overrides[${i}].host`, host ?? {}] as const),
  ];
  const keepsNone = used.size === 1 && used.has('go-back-n');
  const allIrn = used.size === 1 && used.has('irn');
  return [
    ...notesOnSettings(context, used),
    ...given.flatMap(([where, { reorderingWindowPackets, timeout, retransmitTimeoutUs }]) =>
      applying(reorderingWindowPackets !== undefined && keepsNone &&
        note('nothing-reordered', { setting: `${where}.reorderingWindowPackets` }),
        (timeout ?? retransmitTimeoutUs) !== undefined && allIrn &&
          note('irn-timeouts', { setting: `${where}.${timeout === undefined ? 'retransmitTimeoutUs' : 'timeout'}` }))
    ),
  ];
}

/** Settings of transports that no flow uses. */
function notesOnSettings({ plan, spec }: NoteContext, used: ReadonlySet<Transport>): Note[] {
  return applying(...WITH_SETTINGS.map((transport) =>
    spec.hosts?.[transport] !== undefined && !used.has(transport) &&
    note('transport-unused', { setting: `hosts.${transport}`, transport })
  ), plan.trimming !== undefined && !used.has('mrc') && note('nothing-trimmed', { setting: 'switches.trimming' }));
}

/** A WAN: borders that block all Fast CNPs, modes that hide congestion, telemetry that ends at the edge. */
export function notesOnWan({ valid: { wan, switches, network }, plan, algorithmsInUse }: NoteContext): Note[] {
  if (wan === null || plan.wan === undefined) return [];
  const { domains } = plan.wan;
  const crosses = Array.from({ length: plan.flows.length },
    (_, i) => domains[plan.flows.source[i]] !== domains[plan.flows.destination[i]]).some((flow) => flow);
  if (!crosses) return [note('wan-unused')];
  const wanSends = switches.some((own, node) => own?.fastCnp === true && domains[node] === WAN_DOMAIN);
  const modes = wan.compatibilityEdges.map((edge) => network.nodes[edge].name);
  return applying(wanSends && wan.accessLists.length === 0 &&
    note('wan-drops-fast-cnps'), modes.length > 0 &&
    note('wan-unmarked', { nodes: modes }),
    (plan.hazards?.checkIntervalPs ?? 0) > 0 && wan.services.some(({ via }) => via.length > 1) &&
      note('wan-victim-ports'), algorithmsInUse.some(({ telemetry }) => telemetry) &&
    note('wan-telemetry'));
}
