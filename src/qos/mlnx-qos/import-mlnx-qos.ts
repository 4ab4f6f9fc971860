/**
 * The QoS settings of an NVIDIA adapter's port, as printed by `mlnx_qos -i INTERFACE`, converted to this library's
 * terms.
 *
 *   priority group   receive buffer; lossless if PFC is on for one of its priorities, as in the mlx5 driver
 *                    (port_buffer.c)
 *   traffic class    tc; `strict` and `ets` are kept, `vendor` is decided by the firmware
 *
 * The driver sets xoff, xon and headroom from the cable length; the output does not show them, so they are 0 here. The
 * size of a receive buffer is the group's reserved space. Buffer and class numbers
 * matter on the adapter only, so they are not compared with those of switches.
 */
import { RoceError } from '../../errors.js';
import type { LintRule } from '../lint-rules.js';
import { qosNote, type OutputPart, type QosNote } from '../notes.js';
import { DEFAULT_DSCP_TO_PRIORITY, DSCP_COUNT, fillMap, LOSSY_GROUP, PRIORITY_COUNT, QOS_DEFAULTS, type BufferGroup,
  type PortQos, type Scheduler, type TrustMode, IDENTITY_MAP } from '../qos-map.js';
import { readMlnxQosOutputs, type MlnxQosOutput } from './read-output.js';

export { isMlnxQos } from './read-output.js';

/** Settings of one port of an adapter. */
export interface MlnxQosPort {
  /** The network interface, from the command line before the output; empty if there is none. */
  readonly name: string;
  /** Its settings; those missing in the output have their values without configuration. */
  readonly qos: PortQos;
  /** Linter rules that cannot be checked, because the output lacks the settings. */
  readonly notStated: readonly LintRule[];
  /** The port's settings, by the options of mlnx_qos that set them. */
  readonly settings: readonly MlnxQosSetting[];
  /** Assumptions made for settings missing in the output. */
  readonly notes: readonly QosNote[];
}

/** Rules on settings that the output never shows, or on numbers that matter on the adapter only. */
const NEVER_STATED: readonly LintRule[] = [
  'group-differs',
  'group-shared',
  'traffic-class-differs',
  'pause-without-xoff',
  'pause-without-headroom',
  'global-pause-with-pfc',
];
const TRUST_RULES: readonly LintRule[] = ['trust-differs', 'trusted-field-missing', 'priority-differs'];
const PFC_RULES: readonly LintRule[] = [
  'pause-missing',
  'pause-one-sided',
  'pause-other-priority',
  'pause-without-buffer',
  'cnp-paused',
];
const BUFFER_RULES: readonly LintRule[] = ['lossless-group-shared'];
const SCHEDULER_RULES: readonly LintRule[] = ['cnp-not-strict', 'cnp-not-highest', 'ets-sum'];
const CLASS_RULES: readonly LintRule[] = ['traffic-class-shared', 'cnp-shares-traffic-class', ...SCHEDULER_RULES];

/**
 * Reads the output of mlnx_qos, or several outputs in one text, each after its command line.
 *
 * @returns the ports, in the order of the text.
 * @throws RoceError `invalid-settings`, naming the line, for a bad value, or for a text that has neither trust nor PFC.
 *
 * @example
 * const [port] = importMlnxQos('Priority trust state: dscp\n');
 * port.qos.trust; // 'dscp'
 */
export function importMlnxQos(text: string): readonly MlnxQosPort[] {
  if (typeof text !== 'string') {
    throw new RoceError('invalid-settings', { where: 'text', got: text, allowed: 'a string' });
  }
  const outputs = readMlnxQosOutputs(text).filter(({ trust, pfcEnabled }) => trust !== null || pfcEnabled !== null);
  if (outputs.length > 0) return outputs.map(portOf);
  throw new RoceError('invalid-settings', {
    what: 'the text',
    problem: 'has neither "Priority trust state" nor "PFC configuration" of mlnx_qos -i INTERFACE',
    where: 'text',
  });
}

function portOf(output: MlnxQosOutput): MlnxQosPort {
  const trust = trustOf(output);
  const isClassified = output.classes.size > 0 && prioritiesOf(output).length === PRIORITY_COUNT;
  const isVendors = [...output.classes.values()].some(({ tsa }) => tsa !== 'strict' && tsa !== 'ets');
  const notStated = [
    ...NEVER_STATED,
    ...(trust === null ? TRUST_RULES : []),
    ...(output.pfcEnabled === null ? PFC_RULES : []),
    ...(output.priorityToBuffer === null ? BUFFER_RULES : []),
    ...(isClassified ? [] : CLASS_RULES),
    ...(isVendors ? SCHEDULER_RULES : []),
  ];
  return {
    name: output.interfaceName,
    qos: qosOf(output, trust),
    notStated: [...new Set(notStated)],
    settings: settingsOf(output),
    notes: notesOf(output, trust, isClassified),
  };
}

/** Null if the output lacks the line or says `none`, which means that the driver cannot tell. */
function trustOf({ trust }: MlnxQosOutput): TrustMode | null {
  if (trust === 'pcp' || trust === 'dscp') return trust;
  if (trust === null || trust === 'none') return null;
  const allowed = ['pcp', 'dscp', 'none'];
  throw new RoceError('invalid-settings', { got: trust, allowed, where: 'Priority trust state' });
}

function qosOf(output: MlnxQosOutput, trust: TrustMode | null): PortQos {
  const enabled = enabledOf(output);
  return {
    ...QOS_DEFAULTS,
    trust: trust ?? 'dscp',
    defaultPriority: output.defaultPriority ?? QOS_DEFAULTS.defaultPriority,
    dscpToPriority: dscpMap(output),
    priorityToGroup: groupMap(output, enabled),
    priorityToTrafficClass: classMap(output),
    pfc: { sendPriorities: enabled, honourPriorities: enabled },
    groups: fillMap(PRIORITY_COUNT, (group) => groupOf(group, output, enabled)),
    trafficClasses: fillMap(PRIORITY_COUNT, (index) => ({ scheduler: schedulerOf(index, output), ecn: null })),
  };
}

function enabledOf({ pfcEnabled }: MlnxQosOutput): readonly number[] {
  return (pfcEnabled ?? []).flatMap((flag, priority) => (flag === 1 ? [priority] : []));
}

/**
 * A DSCP whose mapping was deleted has priority 0. If no mapping is shown, or it is shortened, the rest has the factory
 * default, DSCP >> 3.
 */
function dscpMap({ dscpToPriority, isMapShortened }: MlnxQosOutput): readonly number[] {
  const isWhole = dscpToPriority.size > 0 && !isMapShortened;
  return fillMap(DSCP_COUNT, (dscp) => dscpToPriority.get(dscp) ?? (isWhole ? 0 : DEFAULT_DSCP_TO_PRIORITY[dscp]));
}

/** Without the buffer row, follows the driver: priorities with PFC are separate from the others. */
function groupMap({ priorityToBuffer }: MlnxQosOutput, enabled: readonly number[]): readonly number[] {
  return priorityToBuffer ?? fillMap(PRIORITY_COUNT, (priority) => (enabled.includes(priority) ? priority : 0));
}

function groupOf(group: number, output: MlnxQosOutput, enabled: readonly number[]): BufferGroup {
  const map = groupMap(output, enabled);
  const sizeBytes = output.bufferSizes?.[group];
  const buffer = { ...LOSSY_GROUP, reservedBytes: sizeBytes ?? 0 };
  if (sizeBytes === 0 || !enabled.some((priority) => map[priority] === group)) return buffer;
  return { ...buffer, kind: 'lossless', xoffBytes: 0, xonBytes: 0, headroomBytes: 0 };
}

function prioritiesOf({ classes }: MlnxQosOutput): readonly number[] {
  return [...new Set([...classes.values()].flatMap(({ priorities }) => priorities))];
}

function schedulerOf(index: number, { classes }: MlnxQosOutput): Scheduler {
  const own = classes.get(index);
  return own?.tsa === 'ets' ? { kind: 'ets', weightPercent: own.weightPercent ?? 0 } : { kind: 'strict' };
}

function notesOf(output: MlnxQosOutput, trust: TrustMode | null, isClassified: boolean): readonly QosNote[] {
  const lacks: Readonly<Record<OutputPart, boolean>> = {
    'trust': trust === null,
    'dscp-map': trust === 'dscp' && output.dscpToPriority.size === 0,
    'pfc': output.pfcEnabled === null,
    'buffer-map': output.priorityToBuffer === null,
    'traffic-classes': !isClassified,
  };
  const lacking = (Object.keys(lacks) as OutputPart[]).filter((part) => lacks[part]);
  return [qosNote('xoff-by-cable'), ...(lacking.length === 0 ? [] : [qosNote('output-incomplete', { lacking })])];
}

/** One setting, as named by mlnx_qos. */
export interface MlnxQosSetting {
  /** Name of the option that sets the value: `--pfc`. */
  readonly name: string;
  /** Value as the option takes it, except for the DSCP map: `0,0,0,1,0,0,0,0`. */
  readonly value: string;
}

/** The traffic class of each priority; equal to the priority if the output has none. */
function classMap({ classes }: MlnxQosOutput): readonly number[] {
  const map = [...IDENTITY_MAP];
  for (const [number, { priorities }] of classes) for (const priority of priorities) map[priority] = number;
  return map;
}

/** A port's settings present in the output, in its order, by the options of mlnx_qos that set them. */
function settingsOf(output: MlnxQosOutput): readonly MlnxQosSetting[] {
  const classes = fillMap(PRIORITY_COUNT, (index) => output.classes.get(index));
  const rows: readonly [string, string | undefined][] = [
    ['--trust', output.trust ?? undefined],
    ['--dscp2prio', mappingText(output)],
    ['--defltprio', output.defaultPriority === null ? undefined : String(output.defaultPriority)],
    ['--pfc', output.pfcEnabled?.join()],
    ['--prio2buffer', output.priorityToBuffer?.join()],
    ['--buffer_size', output.bufferSizes?.join()],
    ['--cable_len', output.cableLength === null ? undefined : String(output.cableLength)],
    ['--prio_tc', output.classes.size === 0 ? undefined : classMap(output).join()],
    ['--tsa', output.classes.size === 0 ? undefined : classes.map((own) => own?.tsa ?? '-').join()],
    ['--tcbw', output.classes.size === 0 ? undefined : classes.map((own) => own?.weightPercent ?? 0).join()],
  ];
  return rows.flatMap(([name, value]) => (value === undefined ? [] : [{ name, value }]));
}

/** Formats the DSCP map: `0: 0 to 23, 32 to 63; 3: 24 to 31`. */
function mappingText({ dscpToPriority }: MlnxQosOutput): string | undefined {
  if (dscpToPriority.size === 0) return undefined;
  const priorities = [...new Set(dscpToPriority.values())].sort((a, b) => a - b);
  return priorities.map((priority) => {
    const dscps = [...dscpToPriority].flatMap(([dscp, own]) => (own === priority ? [dscp] : []));
    return `${priority}: ${runsOf(dscps)}`;
  }).join('; ');
}

function runsOf(numbers: readonly number[]): string {
  const runs: [first: number, last: number][] = [];
  for (const number of numbers.toSorted((a, b) => a - b)) {
    const last = runs.at(-1);
    if (last?.[1] === number - 1) last[1] = number;
    else runs.push([number, number]);
  }
  return runs.map(([first, last]) => (first === last ? String(first) : `${first} to ${last}`)).join(', ');
}
