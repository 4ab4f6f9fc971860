/** Runs `roce-cc settings`, which prints vendors' settings as tables. */
import { RoceError } from '../../errors.js';
import type { SonicConfig } from '../../qos/index.js';
import { Failures, EXIT_FINDINGS, EXIT_OK, type Output, writeOutOr } from '../output.js';
import { formatCountOf } from '../../view/format.js';
import { keepUnshown } from '../write-file.js';
import { printableJson } from '../printable.js';
import type { SettingsKind } from '../replay/settings-kinds.js';
import { inLocale, textStyle, heading, notesSection, wrap, type TextStyle } from '../terminal.js';
import { table, type Column } from '../text-table.js';
import { readSettings, type ReadSettings, type SettingGroup } from './read-settings.js';

/** Options of the command, as commander passes them. */
export interface SettingsFlags {
  readonly compare?: string;
  readonly settingsKind?: SettingsKind;
  readonly lineRate: number;
  readonly device?: number;
  readonly port?: number;
  readonly mss?: number;
  readonly rtt?: number;
  readonly json?: boolean;
}

const INDENT = 2;
const LEFT: readonly Column[] = ['Setting', 'Value', 'Default'].map((head) => ({ head, align: 'left' }));

/**
 * Prints settings, or the differences between two files.
 *
 * @returns 3 if two were compared and differ, else 0.
 * @throws RoceError naming file and setting; system errors.
 */
export async function runSettings(file: string, flags: SettingsFlags, output: Output): Promise<number> {
  const { lineRate: lineRateBps, settingsKind: kind, mss: mssBytes, rtt: rttPs, device, port } = flags;
  const options = { lineRateBps, kind, mssBytes, rttPs, device, port };
  const settings = await readSettings(file, options);
  const other = flags.compare === undefined ? undefined : await readSettings(flags.compare, options);
  const differences = other === undefined ? undefined : requireComparable(settings, other);
  const style = textStyle(output);
  const lines = differences === undefined || other === undefined ?
    settingsLines(settings, style) :
    differenceLines(settings.file, other.file, differences, style);
  const shown = flags.json === true ?
    printableJson(`${JSON.stringify(differences ?? jsonOf(settings), undefined, INDENT)}\n`) :
    inLocale(`${lines.join('\n')}\n`, output.env);
  const failures = new Failures();
  await writeOutOr(output.stdout, shown, (error) => {
    keepUnshown(error, `settings.${flags.json === true ? 'json' : 'txt'}`, shown, failures.add);
  });
  const differ = differences !== undefined && differences.length > 0;
  return failures.report(output) || (differ ? EXIT_FINDINGS : EXIT_OK);
}

function requireComparable(one: ReadSettings, other: ReadSettings): readonly SettingDifference[] {
  const differences = compareSettings(one, other);
  if (differences !== null) return differences;
  const several = [one, other].find(({ groups, sonic }) => sonic === undefined && groups.length > 1);
  if (several !== undefined) {
    const allowed = 'those of one; choose with --device';
    throw new RoceError('invalid-settings', { what: 'the settings to compare', allowed, where: several.file });
  }
  const allowed = one.ports !== undefined ?
    'the output of mlnx_qos' :
    one.sonic === undefined ?
    "an adapter's settings" :
    'the config_db.json of a SONiC switch';
  throw new RoceError('invalid-settings', { what: '--compare', got: other.file, allowed, where: one.file });
}

function jsonOf({ file, groups, adapter, sonic, ports }: ReadSettings): object {
  if (sonic !== undefined) return { file, ...sonic };
  if (ports !== undefined) return { file, ports };
  if (adapter === undefined) return { file, devices: groups };
  return { file, ...adapter, settings: groups[0]?.rows };
}

function settingsLines({ file, groups }: ReadSettings, style: TextStyle): string[] {
  const [, ...title] = heading(`roce-cc settings: ${file === '-' ? 'standard input' : file}`, style);
  return [...title, ...groups.flatMap((group) => groupLines(group, style))];
}

function groupLines({ title, rows, notes, warnings }: SettingGroup, style: TextStyle): string[] {
  const hasDefaults = rows.some(({ byDefault }) => byDefault !== '');
  const columns = hasDefaults ? LEFT : LEFT.slice(0, 2);
  const cells = rows.map(({ name, value, byDefault, isGiven }) =>
    [name, isGiven ? value : `${value} (default)`, byDefault].slice(0, columns.length)
  );
  return [
    ...heading(title, style),
    ...table(columns, cells, style.tableColumns),
    ...notesSection('Failures', warnings, style),
    ...notesSection('How it is read', notes, style),
  ];
}

function differenceLines(file: string, other: string, differences: readonly SettingDifference[],
  style: TextStyle): string[] {
  const [, ...title] = heading(`roce-cc settings: ${file} compared with ${other}`, style);
  if (differences.length === 0) return [...title, ...wrap('The settings are equal.', style)];
  const hasPorts = differences.some(({ port }) => port !== '');
  const heads = [...(hasPorts ? ['Port'] : []), 'Setting', file, other];
  const columns = heads.map((head): Column => ({ head, align: 'left' }));
  const cells = differences.map(({ port, name, value, other: otherValue }) => [
    ...(hasPorts ? [port] : []),
    name,
    value,
    otherValue,
  ]);
  return [
    ...title,
    ...wrap(`${formatCountOf(differences.length, 'difference')}.`, style),
    ...table(columns, cells, style.tableColumns),
  ];
}

/** A setting that differs. */
interface SettingDifference {
  /** Name of the switch port; empty for an adapter. */
  readonly port: string;
  readonly name: string;
  readonly value: string;
  readonly other: string;
}

const MISSING = 'not given';

/**
 * Compares two files of vendors' settings: switches port by port, adapters of one vendor by its names, and adapters of
 * different vendors by the DCQCN parameters that result.
 *
 * @returns null if the two can't be compared, such as an adapter and a switch.
 */
function compareSettings(one: ReadSettings, other: ReadSettings): readonly SettingDifference[] | null {
  if (one.sonic !== undefined && other.sonic !== undefined) return comparePorts(one.sonic, other.sonic);
  if (one.ports?.length === 1 && other.ports?.length === 1) return compareRows('', rowsOf(one), rowsOf(other));
  if (one.adapter === undefined || other.adapter === undefined) return null;
  const [rows, others] = [rowsOf(one), rowsOf(other)];
  // Two vendors have either all names in common or none.
  const isSameSource = [...rows.keys()].some((name) => others.has(name));
  if (isSameSource) return compareRows('', rows, others);
  return compareRows('', fieldsOf(one.adapter.parameters), fieldsOf(other.adapter.parameters));
}

function rowsOf({ groups }: ReadSettings): ReadonlyMap<string, string> {
  return new Map(groups.flatMap(({ rows }) => rows.map(({ name, value }) => [name, value] as const)));
}

function fieldsOf(parameters: object): ReadonlyMap<string, string> {
  return new Map(Object.entries(parameters).map(([name, value]) => [name, String(value)] as const));
}

function comparePorts(one: SonicConfig, other: SonicConfig): SettingDifference[] {
  const settingsOf = (config: SonicConfig, name: string): ReadonlyMap<string, string> => {
    const port = config.ports.find((candidate) => candidate.name === name);
    return new Map((port?.settings ?? []).map((setting) => [setting.name, setting.value] as const));
  };
  const names = [...new Set([...one.ports, ...other.ports].map(({ name }) => name))];
  const [byName, otherByName] = [one, other].map((config) => new Set(config.ports.map(({ name }) => name)));
  return names.flatMap((name) => {
    if (byName.has(name) && otherByName.has(name)) {
      return compareRows(name, settingsOf(one, name), settingsOf(other, name));
    }
    const [value, otherValue] = byName.has(name) ? ['configured', MISSING] : [MISSING, 'configured'];
    return [{ port: name, name: 'the port', value, other: otherValue }];
  });
}

function compareRows(port: string, rows: ReadonlyMap<string, string>,
  others: ReadonlyMap<string, string>): SettingDifference[] {
  const names = [...new Set([...rows.keys(), ...others.keys()])];
  return names.filter((name) => rows.get(name) !== others.get(name)).map((name) => ({
    port,
    name,
    value: rows.get(name) ?? MISSING,
    other: others.get(name) ?? MISSING,
  }));
}
