/**
 * Imports NVIDIA settings from the output of `mlxconfig -d DEVICE query` (or `mstconfig`), or from command lines
 * `mlxconfig ... set NAME=VALUE`, one or more devices in a text:
 *
 *   Device #1:                                         one section per device, with its name, its header, its settings
 *   Configurations:              Next Boot
 *            RPG_AI_RATE_P1      5
 *
 *   mlxconfig -d DEVICE -y set RPG_AI_RATE_P1=5 CNP_DSCP_P1=48     one device per name after -d
 *
 * Command lines may have a prompt, `sudo`, options in any order, a comment, and a backslash before the end of the line. If
 * several lines set the same name, the last one counts, as on the adapter.
 *
 * A query prints a section per device, each with hundreds of lines `NAME  VALUE`; with `-e` there are three values:
 * default, current, next boot; after `set` two: next boot, new. A `*` before the name marks a changed setting, `RO` a
 * read-only one. Settings of a port end in `_P1`, `_P2`. Single lines of a query (filtered with grep, say) are also accepted.
 *
 * Names outside of RoCE congestion control are skipped and counted. An unknown name of one of its families
 * (MLXCONFIG_FAMILIES) comes from newer firmware if the tool's header is present: it is skipped, with a note. Without that
 * header it may be misspelt, and is rejected.
 */
import { RoceError } from '../../errors.js';
import { checkField, oneOf, reject, wholeIn } from '../field-rules.js';
import type { ImportedSettings } from './imported-settings.js';
import { settingsNote } from './notes.js';
import { MLXCONFIG_FAMILIES, MLXCONFIG_UNUSED, NVIDIA_KEYS, NVIDIA_SETTINGS, PRIORITY_MASK,
  type NvidiaKey } from './nvidia-names.js';
import { NvidiaSettings, type NvidiaImportOptions } from './nvidia.js';
import { checkInput, rejectSetting, rejectUnknown, type RawSetting, readWholeIn, splitLines } from './settings-text.js';

/** Column of a query: which of several values of a line. */
export type MlxconfigColumn = 'default' | 'current' | 'next-boot' | 'new';

export interface MlxconfigImportOptions extends NvidiaImportOptions {
  /** Port whose settings to read: 1 takes `_P1`. Default 1. */
  readonly port?: number;
  /** Column of the query. Default: `current`, the adapter's present settings, or the last column if there is no such column. */
  readonly column?: MlxconfigColumn;
  /** Number of the device: n of `Device #n:`, or position of its name after `-d`, from 1. Required if there are several. */
  readonly device?: number;
}

const COLUMN_NAMES: Readonly<Record<MlxconfigColumn, RegExp>> = {
  default: /\bDefault\b/,
  current: /\bCurrent\b/,
  'next-boot': /\bNext Boot\b/,
  new: /\bNew\b/,
};
const COLUMNS = Object.keys(COLUMN_NAMES) as MlxconfigColumn[];
/** The columns of a query with `-e`. */
const EXTENDED: readonly MlxconfigColumn[] = ['default', 'current', 'next-boot'];
const COLUMN_RULE = oneOf(undefined, ...COLUMNS);
const PORT_RULE = wholeIn(1, 16);
/** Optional marks, the name, and its values, if any. */
const SETTING_LINE = /^(?:\*\s*)?(?:RO\s+)?([A-Z][A-Z0-9_]*)(?:\s*=\s*|\s+|$)([^]*)/;

/** A device in a text, and the ports for which the text has congestion-control settings. */
export interface MlxconfigSection {
  /** Number of the device, for the option `device`. */
  readonly device: number;
  /** Name of the device in the text; empty if it has none. */
  readonly name: string;
  /** Port numbers, ascending. */
  readonly ports: readonly number[];
}

/**
 * Lists the devices and ports in an mlxconfig text, as choices for the options of `importMlxconfig`.
 *
 * @throws RoceError `invalid-settings` if `text` is not a string.
 */
export function listMlxconfig(text: string): readonly MlxconfigSection[] {
  return mlxconfigDevices(text).map(({ number, name, lines }) => {
    const names = lines.flatMap((line) => readLine(line)?.name ?? []).filter(isOfFamily);
    const ports = new Set(names.flatMap((setting) => splitPort(setting).portOfName ?? []));
    return { device: number, name, ports: [...ports].sort((a, b) => a - b) };
  });
}

/**
 * Reads NVIDIA settings from the text of an mlxconfig query, or from `set` command lines.
 *
 * @throws RoceError `invalid-settings`, naming setting and line, for unknown or duplicate names, bad values, or text
 *   without any setting of the port; `invalid-config`, naming the option, for bad options.
 */
export function importMlxconfig(text: string, options: MlxconfigImportOptions): ImportedSettings {
  checkInput(text, options);
  const { port = 1, column, device, ...rest } = options;
  checkField(port, PORT_RULE, 'options.port');
  checkField(column, COLUMN_RULE, 'options.column');

  const settings = new NvidiaSettings(rest, (key) => `${NVIDIA_SETTINGS[key].mlxconfig}_P${port}`);
  const { lines } = chooseDevice(mlxconfigDevices(text), device);
  const header = lines.find((line) => line.text.trimStart().startsWith('Configurations:'));
  const pickValue = valuePicker(header?.text ?? '', column);
  const found = header === undefined ? lines : lines.slice(lines.indexOf(header) + 1);
  takeLines({ lines: found, port, isPrinted: header !== undefined }, settings, pickValue);
  return settings.build();
}

interface Taken {
  readonly lines: readonly MlxconfigLine[];
  readonly port: number;
  /** Whether the tool printed the lines, with its header. */
  readonly isPrinted: boolean;
}

function takeLines({ lines, port, isPrinted }: Taken, settings: NvidiaSettings,
  pickValue: (setting: RawSetting) => RawSetting): void {
  let taken = 0;
  let others = 0;
  for (const line of lines) {
    const setting = readLine(line);
    if (setting === undefined) continue;
    const { base, portOfName } = splitPort(setting.name);
    if (!isOfFamily(setting.name)) others++;
    else if (isPrinted && !isKnown(base))
      settings.note(settingsNote('unknown-setting-left-out', { name: setting.name, place: setting.place }));
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
  if (others > 0) settings.note(settingsNote('other-settings-left-out', { settings: others }));
}

/** Adds a setting, unless it belongs to another port. @returns whether it was added as a known setting. */
function takeSetting(base: string, setting: RawSetting, settings: NvidiaSettings, isOurs: boolean): boolean {
  if (!isKnown(base)) rejectUnknown(setting, 'a RoCE congestion-control setting of ConnectX-4 and later');
  if (!isOurs) return false;
  const key = KEYS.get(base);
  if (key !== undefined) settings.give(key, setting);
  else if (base === PRIORITY_MASK) takeMask(setting, settings);
  else settings.giveUnused(MLXCONFIG_UNUSED[base], setting);
  return key !== undefined || base === PRIORITY_MASK;
}

/** The mask applies to both the reaction point and the notification point. */
function takeMask(setting: RawSetting, settings: NvidiaSettings): void {
  const mask = readWholeIn(setting, 0, ALL_PRIORITIES, '');
  const priorities = [0, 1, 2, 3, 4, 5, 6, 7].filter((priority) => ((mask >> priority) & 1) === 1);
  settings.enableFor({ reactionPoint: priorities, notificationPoint: priorities, statedBy: [setting] }, setting);
  if (mask === ALL_PRIORITIES) return;
  settings.warnOfModel(settingsNote('mask-of-priorities', { ...setting, priorities }));
}

function isKnown(base: string): boolean {
  return KEYS.has(base) || base === PRIORITY_MASK || Object.hasOwn(MLXCONFIG_UNUSED, base);
}

function isOfFamily(name: string): boolean {
  return MLXCONFIG_FAMILIES.some((family) => name.startsWith(family));
}

const ALL_PRIORITIES = 0xff;

const KEYS: ReadonlyMap<string, NvidiaKey> = new Map(NVIDIA_KEYS.map((key) => [NVIDIA_SETTINGS[key].mlxconfig, key]));

function readLine(line: MlxconfigLine): RawSetting | undefined {
  const match = SETTING_LINE.exec(line.text.trim());
  return match === null ? undefined : { name: match[1], value: match[2], place: line.place };
}

function splitPort(name: string): { base: string; portOfName: number | undefined } {
  const match = /^(.*)_P(\d+)$/.exec(name);
  return match === null ? { base: name, portOfName: undefined } : { base: match[1], portOfName: Number(match[2]) };
}

function chooseDevice(devices: readonly MlxconfigDevice[], device: number | undefined): MlxconfigDevice {
  const [only, ...others] = devices;
  if (device === undefined && others.length === 0 && only !== undefined) return only;
  const chosen = devices.find(({ number }) => number === device);
  const allowed = devices.map(({ number }) => number);
  return chosen ?? reject({ got: device, allowed, where: 'options.device' });
}

/** Returns a function that picks one value of a line, according to the header that names the columns. */
function valuePicker(header: string, column: MlxconfigColumn | undefined): (setting: RawSetting) => RawSetting {
  const present = COLUMNS.filter((name) => COLUMN_NAMES[name].test(header));
  if (column !== undefined && present.length > 0 && !present.includes(column)) {
    reject({ got: column, allowed: present, where: 'options.column' });
  }
  const preferred = present.includes('current') ? 'current' : present.at(-1);
  const wanted = column ?? preferred;
  return (setting) => {
    const words = setting.value === '' ? [] : setting.value.split(/\s+/);
    // Lines without a header: three values are the columns of -e.
    const columns = present.length === 0 && words.length === EXTENDED.length ? EXTENDED : present;
    const count = Math.max(columns.length, 1);
    if (words.length !== count) {
      rejectSetting(setting, `${count} value${count === 1 ? '' : 's'}`);
    }
    const index = columns.indexOf(wanted ?? 'current');
    return { ...setting, value: words[Math.max(index, 0)] };
  };
}

/** One line and its location, as shown in errors. */
interface MlxconfigLine {
  readonly text: string;
  readonly place: string;
}

/** The lines of one device. */
interface MlxconfigDevice {
  /** The n of `Device #n:`; for command lines, counted from 1. */
  readonly number: number;
  /** Name in the query or the command line; empty if it is not named. */
  readonly name: string;
  readonly lines: readonly MlxconfigLine[];
}

const SECTION = /^\s*Device #(\d+):/;
const DEVICE_NAME = /^\s*Device:\s+(\S+)/;
const COMMAND = /\b(?:mlxconfig|mstconfig)(?:\.exe)?\s(.*)$/;
const ASSIGNMENT = /^([A-Z][A-Z0-9_]*)=(.+)$/;

/** The devices in the order of the text; a single unnamed one if the text names none. */
function mlxconfigDevices(text: string): readonly MlxconfigDevice[] {
  const lines = splitLines(text).map((line, index) => ({ text: line, place: `line ${index + 1}` }));
  const commands = readCommands(lines);
  return commands.length > 0 && !lines.some(({ text: line }) => SECTION.test(line)) ?
    devicesOfCommands(commands) :
    devicesOfQuery(lines);
}

function devicesOfQuery(lines: readonly MlxconfigLine[]): readonly MlxconfigDevice[] {
  const starts = lines.flatMap(({ text }, index) => (SECTION.test(text) ? [index] : []));
  if (starts.length === 0) return [{ number: 1, name: '', lines }];
  return starts.map((start, index) => {
    const own = lines.slice(start, starts[index + 1]);
    const name = own.map(({ text }) => DEVICE_NAME.exec(text)?.[1]).find((found) => found !== undefined);
    return { number: Number(SECTION.exec(lines[start].text)?.[1]), name: name ?? '', lines: own };
  });
}

interface SetCommand {
  readonly device: string;
  readonly settings: readonly { readonly name: string; readonly value: string; readonly place: string }[];
}

function devicesOfCommands(commands: readonly SetCommand[]): readonly MlxconfigDevice[] {
  const byDevice = new Map<string, Map<string, MlxconfigLine>>();
  for (const { device, settings } of commands) {
    const own = byDevice.get(device) ?? new Map<string, MlxconfigLine>();
    byDevice.set(device, own);
    for (const { name, value, place } of settings) own.set(name, { text: `${name} ${value}`, place });
  }
  return [...byDevice].map(([name, own], index) => ({ number: index + 1, name, lines: [...own.values()] }));
}

function readCommands(lines: readonly MlxconfigLine[]): readonly SetCommand[] {
  const commands: SetCommand[] = [];
  for (const { text, place } of joinContinued(lines)) {
    const words = wordsOf(COMMAND.exec(text)?.[1] ?? '');
    const setAt = words.findIndex((word) => word === 'set' || word === 's');
    if (setAt >= 0) commands.push({ device: deviceOf(words), settings: assignments(words.slice(setAt + 1), place) });
    else commands.push(...continuation(wordsOf(text), place, commands.at(-1)));
  }
  return commands;
}

/** A line of nothing but assignments continues the previous command; without one, two or more form a command. */
function continuation(words: readonly string[], place: string, before: SetCommand | undefined): readonly SetCommand[] {
  const settings = assignments(words, place);
  const least = before === undefined ? 2 : 1;
  return settings.length < least || settings.length < words.length ? [] : [{ device: before?.device ?? '', settings }];
}

function assignments(words: readonly string[], place: string): SetCommand['settings'] {
  return words.flatMap((word) => {
    const [, name, value] = ASSIGNMENT.exec(word.replace(/["']/g, '')) ?? [];
    return name === undefined ? [] : [{ name, value, place }];
  });
}

/** Splits a line into words, without its comment. */
function wordsOf(text: string): readonly string[] {
  return text.replace(/(?:^|\s)#.*$/, '').split(/\s+/).filter((word) => word !== '');
}

function deviceOf(words: readonly string[]): string {
  const at = words.findIndex((word) => word === '-d' || word === '--dev');
  return words[at + 1] !== undefined && at >= 0 ? words[at + 1] : '';
}

/** Joins each line that ends with a backslash with the next one; the result has the place of the first. */
function joinContinued(lines: readonly MlxconfigLine[]): readonly MlxconfigLine[] {
  const joined: MlxconfigLine[] = [];
  let begun: { parts: string[]; place: string } | undefined;
  for (const { text, place } of lines) {
    begun ??= { parts: [], place };
    const continues = /\\\s*$/.test(text);
    begun.parts.push(continues ? text.replace(/\\\s*$/, ' ') : text);
    if (continues) continue;
    joined.push({ text: begun.parts.join(''), place: begun.place });
    begun = undefined;
  }
  return begun === undefined ? joined : [...joined, { text: begun.parts.join(''), place: begun.place }];
}
