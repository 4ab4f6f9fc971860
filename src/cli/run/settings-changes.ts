/**
 * The `--settings` option: applies a vendor's settings to a scenario. An adapter's settings set DCQCN parameters and
 * the receivers' time between CNPs; a SONiC switch's settings set thresholds, PFC, headroom and watchdog of all
 * switches.
 */
import { isPresetName, PRESET_ALGORITHMS } from '../../config/algorithms/registry.js';
import type { ImportedSettings } from '../../config/importers/index.js';
import { omit } from '../../config/field-rules.js';
import { RoceError } from '../../errors.js';
import { classify } from '../../qos/classify.js';
import { ROCE_DSCP } from '../../qos/recommended.js';
import type { SonicConfig, SonicPort } from '../../qos/index.js';
import { BPS_PER_GBPS, BYTES_PER_KB, PS_PER_US, US_PER_MS } from '../../units.js';
import { readSettings, type AdapterOptions, type ReadSettings } from '../settings/read-settings.js';
import type { SetValue } from './scenario-options.js';

const DEFAULT_ALGORITHM = 'default';

/** Reads the files of `--settings`. @throws RoceError and system errors, which name the file. */
export async function readAllSettings(files: readonly string[], options: AdapterOptions): Promise<ReadSettings[]> {
  return Promise.all(files.map((file) => readSettings(file, options)));
}

/** @throws RoceError `invalid-settings` if the scenario has nothing to which they apply. */
export function settingsChanges(settings: readonly ReadSettings[], spec: unknown, source: string): SetValue[] {
  const isStandard = memberOf(spec, 'fidelity') === undefined || memberOf(spec, 'fidelity') === 'standard';
  return settings.flatMap((read) => {
    const { file, adapter, sonic } = read;
    if (adapter !== undefined) return adapterChanges(adapter, file, { spec, source, isStandard });
    return sonic === undefined ? rejectAdapters(read) : switchChanges(sonic, file, isStandard);
  });
}

/**
 * Rejects QoS settings of ports, and settings of several devices: a scenario has one set of congestion control settings
 * for all hosts.
 */
function rejectAdapters({ file, groups, ports }: ReadSettings): never {
  const got = ports === undefined ? `${groups.length} devices` : 'the output of mlnx_qos';
  const allowed = 'the congestion control of one adapter, or the config_db.json of a SONiC switch';
  throw new RoceError('invalid-settings', { what: 'the settings', got, allowed, where: `--settings ${file}` });
}

interface Target {
  readonly spec: unknown;
  readonly source: string;
  readonly isStandard: boolean;
}

function adapterChanges(adapter: ImportedSettings, file: string, { spec, source, isStandard }: Target): SetValue[] {
  const names = dcqcnNames(spec);
  if (names.length === 0) {
    const allowed = 'a scenario with an algorithm of a dcqcn preset';
    throw new RoceError('invalid-settings', {
      what: 'the scenario',
      got: source,
      allowed,
      where: `--settings ${file}`,
    });
  }
  const isIrdma = adapter.vendor === 'intel';
  const { maxRateBps } = adapter.parameters;
  const parameters = omit(adapter.parameters, 'algorithm', 'maxRateBps');
  // Without a maximum in the settings, the limit is the port's rate, as in the scenario.
  const given = { ...parameters, ...(adapter.limitsRate ? { maxRateBps } : {}) };
  const value = { preset: isIrdma ? 'dcqcn-irdma' : 'dcqcn-connectx', parameters: given };
  const { minTimeBetweenCnpsPs } = adapter.notificationPoint;
  return [
    ...names.map((name) => change(['algorithms', name], value, file)),
    ...(isStandard && !isIrdma ? [change(['hosts', 'cnpIntervalUs'], minTimeBetweenCnpsPs / PS_PER_US, file)] : []),
  ];
}

/** Names of the scenario's DCQCN parameter sets. A scenario without algorithms uses DCQCN by default. */
function dcqcnNames(spec: unknown): string[] {
  const algorithms = memberOf(spec, 'algorithms');
  if (typeof algorithms !== 'object' || algorithms === null) return [DEFAULT_ALGORITHM];
  return Object.entries(algorithms).filter(([, one]) => isDcqcnPreset(memberOf(one, 'preset'))).map(([name]) => name);
}

function isDcqcnPreset(preset: unknown): boolean {
  return typeof preset === 'string' && isPresetName(preset) && preset !== 'none' &&
    PRESET_ALGORITHMS[preset] === 'dcqcn';
}

interface PortThresholds {
  readonly rateGbps: number | null;
  readonly ecn: { readonly kminKB: number; readonly kmaxKB: number; readonly pmax: number } | null;
  readonly pfc: boolean;
  readonly headroomBytes: number | null;
  readonly watchdog: object | null;
}

function switchChanges(config: SonicConfig, file: string, isStandard: boolean): SetValue[] {
  const ports = config.ports.map((port) => ({ name: port.name, ...thresholdsOf(port) }));
  const [{ pfc, headroomBytes, watchdog }] = ports;
  for (const key of ['pfc', 'headroomBytes', 'watchdog'] as const) requireEqual(ports, key, file);
  return [
    change(['switches', 'ecn'], ecnOf(ports, file), file),
    change(['switches', 'pfc'], pfc, file),
    ...(headroomBytes === null || !pfc ? [] : [change(['switches', 'headroomBytes'], headroomBytes, file)]),
    ...(watchdog === null || !isStandard || !pfc ? [] : [change(['switches', 'watchdog'], watchdog, file)]),
  ];
}

/** A port's settings for RoCE traffic, which is classified by its DSCP. */
function thresholdsOf({ qos, rateBps, watchdog }: SonicPort): PortThresholds {
  const { priority, group, trafficClass } = classify(qos, { dscp: ROCE_DSCP });
  const { ecn } = qos.trafficClasses[trafficClass];
  const buffer = qos.groups[group];
  return {
    rateGbps: rateBps === null ? null : rateBps / BPS_PER_GBPS,
    ecn: ecn === null ?
      null :
      { kminKB: ecn.minBytes / BYTES_PER_KB, kmaxKB: ecn.maxBytes / BYTES_PER_KB, pmax: ecn.probability },
    pfc: qos.pfc.sendPriorities.includes(priority),
    headroomBytes: buffer.kind === 'lossless' && buffer.headroomBytes > 0 ? buffer.headroomBytes : null,
    watchdog: watchdog === null || watchdog.action === 'alert' ? null : {
      detectionUs: watchdog.detectionMs * US_PER_MS,
      ...(watchdog.restorationMs === null ? {} : { restorationUs: watchdog.restorationMs * US_PER_MS }),
      action: watchdog.action,
    },
  };
}

type NamedPort = PortThresholds & { readonly name: string };

/** ECN thresholds, which must be equal for all ports, or for all ports of one rate. */
function ecnOf(ports: readonly NamedPort[], file: string): object {
  const [{ ecn }] = ports;
  if (ports.every((port) => isEqual(port.ecn, ecn))) {
    return ecn === null ? { enabled: false } : { ...ecn, scaleWithRate: false };
  }
  const byRate = new Map<number, NamedPort>();
  for (const port of ports) {
    const first = byRate.get(port.rateGbps ?? 0);
    if (port.ecn === null || port.rateGbps === null || (first !== undefined && !isEqual(first.ecn, port.ecn))) {
      return rejectUnlike(first ?? ports[0], port, 'ecn', file);
    }
    byRate.set(port.rateGbps, port);
  }
  return { byRate: [...byRate].map(([rateGbps, port]) => ({ rateGbps, ...port.ecn })) };
}

function requireEqual(ports: readonly NamedPort[], key: 'pfc' | 'headroomBytes' | 'watchdog', file: string): void {
  const other = ports.find((port) => !isEqual(port[key], ports[0][key]));
  if (other !== undefined) rejectUnlike(ports[0], other, key, file);
}

function isEqual(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

const SONIC_NAMES = {
  ecn: 'QUEUE wred_profile',
  pfc: 'PORT_QOS_MAP pfc_enable',
  headroomBytes: 'BUFFER_PROFILE xoff',
  watchdog: 'PFC_WD',
} as const;

function rejectUnlike(one: NamedPort, other: NamedPort, key: keyof typeof SONIC_NAMES, file: string): never {
  throw new RoceError('invalid-settings', {
    what: `${SONIC_NAMES[key]} of ${other.name}`,
    got: other[key],
    allowed: `as that of ${one.name}: a run takes the settings of all switches from one file`,
    where: `--settings ${file}`,
  });
}

function change(path: readonly string[], value: unknown, file: string): SetValue {
  return { text: `${path.join('.')} of --settings ${file}`, path, value };
}

function memberOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key) ?
    (value as Record<string, unknown>)[key] :
    undefined;
}
