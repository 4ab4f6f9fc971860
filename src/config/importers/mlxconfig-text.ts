/**
 * Splits the text of mlxconfig (or mstconfig) by device: sections of a query, or `set` command lines.
 *
 *   Device #1:                                         one section per device, with its name, its header, its settings
 *   Configurations:              Next Boot
 *            RPG_AI_RATE_P1      5
 *
 *   mlxconfig -d DEVICE -y set RPG_AI_RATE_P1=5 CNP_DSCP_P1=48     one device per name after -d
 *
 * Command lines may have a prompt, `sudo`, options in any order, a comment, and a backslash before the end of the line. If
 * several lines set the same name, the last one counts, as on the adapter.
 */
import { splitLines } from './settings-text.js';

/** One line and its location, as shown in errors. */
export interface MlxconfigLine {
  readonly text: string;
  readonly place: string;
}

/** The lines of one device. */
export interface MlxconfigDevice {
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
export function mlxconfigDevices(text: string): readonly MlxconfigDevice[] {
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
