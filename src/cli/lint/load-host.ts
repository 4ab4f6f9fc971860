/**
 * Builds a host of a path from an adapter's settings, or from each adapter or port of a settings file. Missing
 * settings are taken from the hop, or else as recommended.
 */
import type { ImportedSettings } from '../../config/importers/index.js';
import { importMlxconfig, listMlxconfig, type MlxconfigSection } from '../../config/importers/mlxconfig.js';
import { RoceError } from '../../errors.js';
import type { NoteRecord } from '../../note-record.js';
import type { HostQos, LintRule, MlnxQosPort, NetworkProfileName, NodeQos, QosIntent,
  SonicPort } from '../../qos/index.js';
import { importMlnxQos, isMlnxQos } from '../../qos/mlnx-qos/import-mlnx-qos.js';
import { recommendedHost } from '../../qos/recommended.js';
import { us } from '../../units.js';
import { importVendorText, kindOf } from '../replay/vendor-settings.js';
import { lintNote, type LintNote } from './notes.js';

const PRIORITIES = [0, 1, 2, 3, 4, 5, 6, 7];
const POINT_RULES: readonly LintRule[] = ['reaction-point-off', 'notification-point-off'];

/** @param hop fields of the host that override the settings. */
export function hostOf(hop: Record<string, unknown>, name: string, settings: HostSettings,
  defaults: PathDefaults): LoadedHop {
  const base = recommendedHost(name, optionsOf(defaults));
  const { host, source, notes, warnings } = 'qos' in settings ?
    ofQos(settings.qos) :
    ofAdapter(base, settings.adapter, settings.vendor);
  const node: HostQos = { ...base, ...host, ...hop as Partial<HostQos>, kind: 'host', name };
  const named = (ours: readonly NoteRecord[]): LintNote[] =>
    ours.map((note) => lintNote('of-node', { node: name, note }));
  return { node, source, notes: named(notes), warnings: named(warnings) };
}

interface HostPart {
  readonly host: Partial<HostQos>;
  readonly source: HopSource;
  readonly notes: readonly NoteRecord[];
  readonly warnings: readonly NoteRecord[];
}

function ofQos({ qos, notStated, notes }: MlnxQosPort): HostPart {
  return {
    host: { port: qos },
    source: { vendor: 'nvidia', notStated },
    notes: [lintNote('points-not-in-output'), ...notes],
    warnings: [],
  };
}

/** CNP marking and the priorities of reaction and notification point, from the adapter's settings. */
function ofAdapter(base: HostQos, adapter: ImportedSettings, vendor: 'nvidia' | 'intel'): HostPart {
  const { enabledPriorities: { reactionPoint, notificationPoint }, notificationPoint: { cnp } } = adapter;
  const notes: LintNote[] = [lintNote('maps-not-in-settings')];
  if (reactionPoint === null || notificationPoint === null) notes.push(unknownPoints(adapter, vendor));
  else if (notificationPoint.length > 0 && notificationPoint.length < PRIORITIES.length) {
    notes.push(lintNote('notification-point-of-port', { priorities: notificationPoint }));
  }
  return {
    host: {
      // irdma has no setting for the DSCP of CNPs.
      ...(vendor === 'nvidia' ? { cnp: { dscp: cnp.dscp } } : {}),
      reactionPriorities: reactionPoint ?? base.reactionPriorities,
      notificationPriorities: portWide(notificationPoint) ?? base.notificationPriorities,
    },
    source: { vendor: vendor === 'nvidia' ? vendor : null, settings: pointSettings(adapter, vendor) },
    notes,
    warnings: adapter.warnings.filter((warning) => !adapter.modelWarnings.includes(warning)),
  };
}

/** If any priority is enabled, the notification point is on for all of them. */
function portWide(priorities: readonly number[] | null): readonly number[] | null {
  return priorities === null || priorities.length === 0 ? priorities : PRIORITIES;
}

function unknownPoints({ enabledPriorities }: ImportedSettings, vendor: 'nvidia' | 'intel'): LintNote {
  const points = (['reaction', 'notification'] as const)
    .filter((point) => enabledPriorities[`${point}Point`] === null);
  return lintNote('points-not-stated', { points, vendor });
}

const IRDMA_SWITCH = 'roce_dcqcn_enable in /sys/kernel/config/irdma/DEVICE, or dcqcn_enable of the module irdma';

/** The settings that enable or disable both points, if any do. */
function pointSettings({ enabledPriorities: { statedBy } }: ImportedSettings,
  vendor: 'nvidia' | 'intel'): Partial<Record<LintRule, HostSetting>> {
  if (statedBy === undefined) return {};
  const name = vendor === 'nvidia' ? statedBy.map((setting) => setting.name).join(', ') : IRDMA_SWITCH;
  const found = statedBy.map((setting) => `${setting.name} = ${setting.value}, ${setting.place}`).join('; ');
  return Object.fromEntries(POINT_RULES.map((rule) => [rule, { name, found }]));
}

/** Defaults of a path, for what its files do not state. */
export interface PathDefaults {
  readonly profile: NetworkProfileName | undefined;
  readonly lineRateBps: number;
}

/** Converts to the options of the recommended settings. */
export function optionsOf({ profile, lineRateBps }: PathDefaults): {
  profile?: NetworkProfileName;
  linkRateBps: number;
} {
  return { linkRateBps: lineRateBps, ...(profile === undefined ? {} : { profile }) };
}

/** An adapter's congestion control settings, or a port's QoS settings. */
export type HostSettings = {
  readonly adapter: ImportedSettings;
  readonly vendor: 'nvidia' | 'intel';
  /** The only rules to check; absent: all. */
  readonly rules?: readonly LintRule[];
} | { readonly qos: MlnxQosPort };

/** A host with its settings. */
export interface HostInput {
  readonly name: string;
  readonly settings: HostSettings;
}

/** The line rate, which files do not state, and the part of the file to read. */
export interface HostOptions {
  readonly lineRateBps: number;
  /** mlxconfig only: the device to read; undefined: every device. */
  readonly device?: number | undefined;
  /** mlxconfig only: the port to read; undefined: the first one, and the priority masks of the others. */
  readonly port?: number | undefined;
}

const NAME = 'host';
/** irdma's rates depend on MSS and RTT; no rule of the linter checks them, so any values will do. */
const IRDMA_PATH = { mssBytes: 4096, rttPs: us(10) };
const ENDPOINT_RULES: readonly LintRule[] = ['reaction-point-off', 'notification-point-off'];

/** @throws RoceError `invalid-settings`, `invalid-config`, naming the setting. */
export function readHosts(text: string, path: string, options: HostOptions): readonly HostInput[] {
  if (!isMlnxQos(text) && kindOf(text, path) === 'mlxconfig') return mlxconfigHosts(text, options);
  for (const option of ['device', 'port'] as const) {
    if (options[option] !== undefined) rejectOption(option, options[option]);
  }
  if (isMlnxQos(text)) return mlnxQosHosts(importMlnxQos(text));
  const kind = kindOf(text, path);
  const adapter = importVendorText(text, path, { lineRateBps: options.lineRateBps, kind, ...IRDMA_PATH });
  return [{ name: NAME, settings: { adapter, vendor: kind === 'irdma' ? 'intel' : 'nvidia' } }];
}

function mlnxQosHosts(ports: readonly MlnxQosPort[]): readonly HostInput[] {
  return ports.map((qos, index) => {
    const own = qos.name === '' ? String(index + 1) : qos.name;
    const isTwice = ports.some((other, at) => at !== index && other.name === qos.name);
    const name = ports.length === 1 && qos.name === '' ? NAME : `${NAME} ${isTwice ? `${own} (${index + 1})` : own}`;
    return { name, settings: { qos } };
  });
}

function mlxconfigHosts(text: string, { lineRateBps, device, port }: HostOptions): readonly HostInput[] {
  const sections = listMlxconfig(text);
  // A device without any RoCE setting is an InfiniBand adapter, or its part of the output was cut out.
  const chosen = device === undefined && sections.length > 1 ?
    sections.filter(({ ports }) => ports.length > 0) :
    [sections.find((section) => section.device === device) ?? sections[0]];
  const hosts = (chosen.length === 0 ? [sections[0]] : chosen).flatMap((section) => {
    const read = (wanted: number): ImportedSettings =>
      importMlxconfig(text, {
        lineRateBps,
        port: wanted,
        ...(device === undefined && sections.length === 1 ? {} : { device: device ?? section.device }),
      });
    return hostsOfDevice(section, port, read, sections.length > 1 ? `${NAME} device #${section.device}` : NAME);
  });
  return hosts;
}

/** All settings of the chosen port, and only the priority masks of the others. */
function hostsOfDevice({ ports }: MlxconfigSection, port: number | undefined, read: (port: number) => ImportedSettings,
  name: string): readonly HostInput[] {
  const first = port ?? (ports.includes(1) ? 1 : ports[0] ?? 1);
  const others = port === undefined ? ports.filter((other) => other !== first) : [];
  const masks = others.flatMap((other): HostInput[] => {
    const adapter = read(other);
    if (adapter.enabledPriorities.statedBy === undefined) return [];
    return [{ name: `${name} port ${other}`, settings: { adapter, vendor: 'nvidia', rules: ENDPOINT_RULES } }];
  });
  const whole = port === undefined ? name : `${name} port ${port}`;
  return [{ name: whole, settings: { adapter: read(first), vendor: 'nvidia' } }, ...masks];
}

function rejectOption(option: string, got: unknown): never {
  throw new RoceError('invalid-argument', {
    what: `--${option}`,
    problem: 'applies to mlxconfig output only',
    got,
    where: `--${option}`,
  });
}

/** The host setting that caused a finding. */
interface HostSetting {
  readonly name: string;
  /** The setting with its value and location: `ROCE_CC_PRIO_MASK_P1 = 0, line 12`. */
  readonly found: string;
}

/** The vendor whose names a hop's settings have, and what is known from its files. */
export interface HopSource {
  readonly vendor: 'sonic' | 'nvidia' | null;
  /** Settings that violate a rule, if not those that the vendor normally uses for it. */
  readonly settings?: Readonly<Partial<Record<LintRule, HostSetting>>>;
  /** Rules that can't be checked because the host's settings lack information. */
  readonly notStated?: readonly LintRule[];
  /** The two ports, for a SONiC switch. */
  readonly ports?: Readonly<Record<'upstream' | 'downstream', SonicPort>>;
}

/** A path, with the source of each hop's settings. */
export interface LoadedPath {
  readonly profile: NetworkProfileName | undefined;
  readonly intent: QosIntent | undefined;
  readonly hops: readonly NodeQos[];
  readonly sources: readonly HopSource[];
  /** Reports only this hop and these rules; absent: everything. */
  readonly only?: { readonly hop: string; readonly rules: readonly LintRule[] | undefined };
  readonly notes: readonly LintNote[];
  readonly warnings: readonly LintNote[];
}

/** One hop, with the source of its settings. */
export interface LoadedHop {
  readonly node: NodeQos;
  readonly source: HopSource;
  readonly notes: readonly LintNote[];
  readonly warnings: readonly LintNote[];
}
