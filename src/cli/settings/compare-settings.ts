/**
 * Compares two files of vendors' settings: switches port by port, adapters of one vendor by its names, and adapters of
 * different vendors by the DCQCN parameters that result.
 */
import type { SonicConfig } from '../../qos/index.js';
import type { ReadSettings } from './read-settings.js';

/** A setting that differs. */
export interface SettingDifference {
  /** Name of the switch port; empty for an adapter. */
  readonly port: string;
  readonly name: string;
  readonly value: string;
  readonly other: string;
}

const MISSING = 'not given';

/** @returns null if the two can't be compared, such as an adapter and a switch. */
export function compareSettings(one: ReadSettings, other: ReadSettings): readonly SettingDifference[] | null {
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
