/** Reads settings of any vendor: as rows of names and values, and in this library's terms. */
import { stat } from 'node:fs/promises';
import type { ImportedSettings } from '../../config/importers/index.js';
import { listMlxconfig } from '../../config/importers/mlxconfig.js';
import { importRoceSysfsFolder } from '../../config/importers/node-sysfs-folder.js';
import { RoceError } from '../../errors.js';
import type { NoteRecord } from '../../note-record.js';
import { importSonicConfig } from '../../qos/sonic/import-sonic.js';
import { importMlnxQos, isMlnxQos } from '../../qos/mlnx-qos/import-mlnx-qos.js';
import type { MlnxQosPort, SonicConfig } from '../../qos/index.js';
import { groupPorts, namesOf } from '../lint/lint-input.js';
import { at, CONFIG_BYTES_MAX } from '../lint/read-input.js';
import { readText } from '../read-text.js';
import type { SettingsKind } from '../replay/settings-kinds.js';
import { importVendorText, kindOf } from '../replay/vendor-settings.js';

/** One setting, or a value derived from several. */
interface SettingRow {
  /** The vendor's name. */
  readonly name: string;
  /** Value with its unit. */
  readonly value: string;
  /** The vendor's default; empty if unknown. */
  readonly byDefault: string;
  /** Whether the file contains it. */
  readonly isGiven: boolean;
}

/** A group of rows: an adapter, or ports with the same settings. */
export interface SettingGroup {
  readonly title: string;
  readonly rows: readonly SettingRow[];
  readonly notes: readonly NoteRecord[];
  readonly warnings: readonly NoteRecord[];
}

/** Settings of a file or folder. */
export interface ReadSettings {
  readonly file: string;
  readonly groups: readonly SettingGroup[];
  /** An adapter's settings in this library's terms. */
  readonly adapter?: ImportedSettings;
  /** Adapter ports, from the output of mlnx_qos. */
  readonly ports?: readonly MlnxQosPort[];
  /** A SONiC switch's settings. */
  readonly sonic?: SonicConfig;
}

/** Options for reading adapters' settings. */
export interface AdapterOptions {
  readonly lineRateBps: number;
  readonly kind: SettingsKind | undefined;
  readonly mssBytes: number | undefined;
  readonly rttPs: number | undefined;
  /** Device and port to read, for mlxconfig only. */
  readonly device?: number | undefined;
  readonly port?: number | undefined;
}

/** @throws RoceError `invalid-settings`, `invalid-config`; system errors, which name the file. */
export async function readSettings(file: string, options: AdapterOptions): Promise<ReadSettings> {
  if (file !== '-' && (await stat(file)).isDirectory()) {
    return adapterSettings(file, await importRoceSysfsFolder(file, { lineRateBps: options.lineRateBps }));
  }
  const text = await readText(file, CONFIG_BYTES_MAX);
  if (/^\s*\{/.test(text)) return sonicSettings(file, at(file, () => requirePorts(importSonicConfig(text))));
  if (isMlnxQos(text)) return portSettings(file, at(file, () => importMlnxQos(text)));
  return at(file, () => textSettings(file, text, options));
}

/** Settings of an adapter; each device in an mlxconfig output becomes a group. */
function textSettings(file: string, text: string, options: AdapterOptions): ReadSettings {
  const kind = options.kind ?? kindOf(text, file);
  const devices = kind === 'mlxconfig' && options.device === undefined ? listMlxconfig(text) : [];
  if (devices.length < 2) return adapterSettings(file, importVendorText(text, file, { ...options, kind }));
  const groups = devices.map(({ device, name }) => {
    const [group] = adapterSettings(file, importVendorText(text, file, { ...options, kind, device })).groups;
    return { ...group, title: `Adapter, device #${device} ${name}`.trim() };
  });
  return { file, groups };
}

function portSettings(file: string, ports: readonly MlnxQosPort[]): ReadSettings {
  const groups = ports.map(({ name, settings, notes }): SettingGroup => ({
    title: `Adapter ${name}`.trim(),
    rows: settings.map((setting) => ({ ...setting, byDefault: '', isGiven: true })),
    notes,
    warnings: [],
  }));
  return { file, groups, ports };
}

function adapterSettings(file: string, adapter: ImportedSettings): ReadSettings {
  const rows = adapter.values.map(({ name, value, unit, byDefault, isGiven }): SettingRow => {
    const shown = (number: number): string => (unit === '' ? String(number) : `${number} ${unit}`);
    return { name, value: shown(value), byDefault: shown(byDefault), isGiven };
  });
  const enabled = enabledRows(adapter);
  const { notes, warnings } = adapter;
  return { file, adapter, groups: [{ title: 'Adapter', rows: [...rows, ...enabled], notes, warnings }] };
}

/** Rows for the priorities with congestion control: the settings that enable them, or the sysfs folders. */
function enabledRows({ enabledPriorities }: ImportedSettings): readonly SettingRow[] {
  const { reactionPoint, notificationPoint, statedBy } = enabledPriorities;
  if (statedBy !== undefined) return statedBy.map(({ name, value }) => ({ name, value, byDefault: '', isGiven: true }));
  return ([['roce_rp/enable', reactionPoint], ['roce_np/enable', notificationPoint]] as const).flatMap((
    [name, priorities],
  ) =>
    priorities === null ? [] : [{
      name: `${name}, priorities`,
      value: priorities.join(', ') || 'none',
      byDefault: '',
      isGiven: true,
    }]
  );
}

/** Rejects a switch without QoS tables, which has no settings to show. */
function requirePorts(config: SonicConfig): SonicConfig {
  if (config.ports.length > 0) return config;
  const allowed = 'ports in PORT_QOS_MAP, QUEUE or BUFFER_PG';
  throw new RoceError('invalid-settings', {
    what: 'the configuration',
    problem: 'has no QoS tables',
    allowed,
    where: 'CONFIG_DB',
  });
}

function sonicSettings(file: string, sonic: SonicConfig): ReadSettings {
  const groups = groupPorts(sonic.ports).map((ports): SettingGroup => ({
    title: `${sonic.name} ${namesOf(ports)}`,
    rows: ports[0].settings.map(({ name, value }) => ({ name, value, byDefault: '', isGiven: true })),
    notes: ports[0].notes,
    warnings: ports[0].findings.map(({ rule, message, got, expected }) => ({
      code: rule,
      figures: { got, expected },
      text: `${message}.`,
    })),
  }));
  return { file, sonic, groups };
}
