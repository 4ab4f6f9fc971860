/**
 * NVIDIA settings out of `mlxconfig -d DEVICE query` (or `mstconfig`).
 *
 * A query prints sections, one per device, each with hundreds of lines `NAME  VALUE`; with `-e` there are three values:
 * default, current, next boot. A `*` before the name marks a changed one, `RO` a read-only one. Settings of a port
 * end in `_P1`, `_P2`. Lines cut out of a query (with grep, say) are read too.
 *
 * Names outside of RoCE congestion control are skipped and counted. Names within its families (MLXCONFIG_FAMILIES) must
 * be known: a new or misspelt one is rejected rather than overlooked.
 */

import { checkInput } from './check-input.js';
import { RoceError } from '../../errors.js';
import { checkField, oneOf, reject, wholeIn } from '../field-rules.js';
import { rejectSetting, rejectUnknown, type ImportedSettings, type RawSetting } from './imported-settings.js';
import { MLXCONFIG_FAMILIES, MLXCONFIG_UNUSED, NVIDIA_KEYS, NVIDIA_SETTINGS, type NvidiaKey } from './nvidia-names.js';
import { NvidiaSettings, type NvidiaImportOptions } from './nvidia.js';
import { splitLines } from './settings-text.js';

/** Which of several values of a line. */
export type MlxconfigColumn = 'default' | 'current' | 'next-boot';

export interface MlxconfigImportOptions extends NvidiaImportOptions {
  /** Port whose settings to read: 1 takes `_P1`. Default 1. */
  readonly port?: number;
  /** Column of the query. Default: the adapter's present settings, `current`, when there is such a column. */
  readonly column?: MlxconfigColumn;
  /** Device, as numbered by `Device #n:`. Without it there may be only one. */
  readonly device?: number;
}

const COLUMN_NAMES: Readonly<Record<MlxconfigColumn, RegExp>> = {
  default: /\bDefault\b/,
  current: /\bCurrent\b/,
  'next-boot': /\bNext Boot\b/,
};
const COLUMNS = Object.keys(COLUMN_NAMES) as MlxconfigColumn[];
const COLUMN_RULE = oneOf(undefined, ...COLUMNS);
const PORT_RULE = wholeIn(1, 16);
/** Marks, name, value or values, or nothing. */
const SETTING_LINE = /^(?:\*\s*)?(?:RO\s+)?([A-Z][A-Z0-9_]*)(?:\s*=\s*|\s+|$)([^]*)/;

interface Line {
  readonly text: string;
  readonly place: string;
}

/**
 * Reads NVIDIA settings from the text of an mlxconfig query.
 *
 * @throws RoceError `invalid-settings`, naming setting and line, for unknown or double names, bad values, or text
 *   without any setting of the port; `invalid-config`, naming the option, for bad options.
 */
export function importMlxconfig(text: string, options: MlxconfigImportOptions): ImportedSettings {
  checkInput(text, options);
  const { port = 1, column, device, ...rest } = options;
  checkField(port, PORT_RULE, 'options.port');
  checkField(column, COLUMN_RULE, 'options.column');

  const settings = new NvidiaSettings(rest, (key) => `${NVIDIA_SETTINGS[key].mlxconfig}_P${port}`);
  const lines = chooseDevice(splitLines(text), device);
  const header = lines.find((line) => line.text.trimStart().startsWith('Configurations:'));
  const pickValue = valuePicker(header?.text ?? '', column);
  const found = header === undefined ? lines : lines.slice(lines.indexOf(header) + 1);
  takeLines(found, port, settings, pickValue);
  return settings.build();
}

function takeLines(lines: readonly Line[], port: number, settings: NvidiaSettings,
  pickValue: (setting: RawSetting) => RawSetting): void {
  let taken = 0;
  let others = 0;
  for (const line of lines) {
    const setting = readLine(line);
    if (setting === undefined) continue;
    const { base, portOfName } = splitPort(setting.name);
    if (!MLXCONFIG_FAMILIES.some((family) => setting.name.startsWith(family))) others++;
    else if (takeSetting(base, pickValue(setting), settings, portOfName === undefined || portOfName === port)) taken++;
  }
  if (taken === 0) {
    throw new RoceError('invalid-settings', {
      what: 'the text',
      problem: `has no setting of port ${port}, such as RPG_AI_RATE_P${port}`,
      got: { lines: lines.length },
      where: `text, port ${port}`,
    });
  }
  if (others > 0) settings.note(`${others} settings that are not about RoCE congestion control are left out.`);
}

/** Gives the setting to the collection, or drops it when it is another port's. @returns whether it is in the table. */
function takeSetting(base: string, setting: RawSetting, settings: NvidiaSettings, isOurs: boolean): boolean {
  const key = KEYS.get(base);
  const unused = Object.hasOwn(MLXCONFIG_UNUSED, base) ? MLXCONFIG_UNUSED[base] : undefined;
  if (key === undefined && unused === undefined) {
    rejectUnknown(setting, 'a RoCE congestion-control setting of ConnectX-4 and later');
  }
  if (!isOurs) return false;
  if (key !== undefined) settings.give(key, setting);
  else if (unused !== undefined) settings.giveUnused(unused, setting);
  return key !== undefined;
}

const KEYS: ReadonlyMap<string, NvidiaKey> = new Map(NVIDIA_KEYS.map((key) => [NVIDIA_SETTINGS[key].mlxconfig, key]));

function readLine(line: Line): RawSetting | undefined {
  const match = SETTING_LINE.exec(line.text.trim());
  return match === null ? undefined : { name: match[1], value: match[2], place: line.place };
}

function splitPort(name: string): { base: string; portOfName: number | undefined } {
  const match = /^(.*)_P(\d+)$/.exec(name);
  return match === null ? { base: name, portOfName: undefined } : { base: match[1], portOfName: Number(match[2]) };
}

function chooseDevice(texts: readonly string[], device: number | undefined): Line[] {
  const lines = texts.map((text, index) => ({ text, place: `line ${index + 1}` }));
  const starts = texts.flatMap((text, index) => (/^\s*Device #\d+:/.test(text) ? [index] : []));
  const numbers = starts.map((start) => Number(/#(\d+)/.exec(texts[start])?.[1]));
  if (device === undefined && starts.length <= 1) return lines;
  const chosen = numbers.indexOf(device ?? -1);
  if (chosen < 0)
    reject({ got: device, allowed: numbers.length === 0 ? [undefined] : numbers, where: 'options.device' });
  return lines.slice(starts[chosen], starts[chosen + 1]);
}

/** Chooses a line's value by the header that names the columns. */
function valuePicker(header: string, column: MlxconfigColumn | undefined): (setting: RawSetting) => RawSetting {
  const present = COLUMNS.filter((name) => COLUMN_NAMES[name].test(header));
  if (column !== undefined && present.length > 0 && !present.includes(column)) {
    reject({ got: column, allowed: present, where: 'options.column' });
  }
  const preferred = present.includes('current') ? 'current' : present.at(-1);
  const wanted = column ?? preferred;
  return (setting) => {
    const words = setting.value === '' ? [] : setting.value.split(/\s+/);
    // Cut-out lines have no header; three values are those of -e.
    const columns = present.length === 0 && words.length === COLUMNS.length ? COLUMNS : present;
    const count = Math.max(columns.length, 1);
    if (words.length !== count) {
      rejectSetting(setting, `${count} value${count === 1 ? '' : 's'}`);
    }
    const index = columns.indexOf(wanted ?? 'current');
    return { ...setting, value: words[Math.max(index, 0)] };
  };
}
