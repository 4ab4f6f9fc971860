/**
 * Builds a host of a path from an adapter's settings. Missing settings are taken from the hop, or else as recommended.
 */
import type { ImportedSettings } from '../../config/importers/index.js';
import type { HostQos, LintRule, MlnxQosPort } from '../../qos/index.js';
import type { NoteRecord } from '../../note-record.js';
import { recommendedHost } from '../../qos/recommended.js';
import type { HopSource, HostSetting, LoadedHop } from './hop.js';
import { optionsOf, type PathDefaults } from './path-defaults.js';
import { lintNote, type LintNote } from './notes.js';
import type { HostSettings } from './read-hosts.js';

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

function ofQos({ qos, notTold, notes }: MlnxQosPort): HostPart {
  return {
    host: { port: qos },
    source: { vendor: 'nvidia', notTold },
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
