/**
 * Parses the output of `mlnx_qos -i INTERFACE` line by line, without interpreting it. A text may hold several outputs.
 *
 *   DCBX mode: OS controlled
 *   Priority trust state: dscp
 *   dscp2prio mapping:
 *           prio:0 dscp:07,06,05,04,03,02,01,00,
 *   default priority:
 *   Receive buffer size (bytes): 20016,156096,0,0,0,0,0,0,total_size=1027728
 *   Cable len: 7
 *   PFC configuration:
 *           priority    0   1   2   3   4   5   6   7
 *           enabled     0   0   0   1   0   0   0   0
 *           buffer      0   0   0   1   0   0   0   0
 *   tc: 0 ratelimit: unlimited, tsa: ets, bw: 20%
 *            priority:  0
 *
 * Older versions leave out the default priority, the buffer sizes, or the buffer row.
 *
 * Sources: mlnx-tools, `mlnx_qos` (several versions); Mellanox, DOC-2792.
 */
import { RoceError, type Allowed } from '../../errors.js';
import { DSCP_COUNT, PRIORITY_COUNT } from '../qos-map.js';

/** A traffic class, by its number. */
export interface MlnxQosClass {
  readonly tsa: string;
  /** Share of an ETS class, percent; null if it is not stated. */
  readonly weightPercent: number | null;
  readonly priorities: readonly number[];
}

/** Contents of one output; null, or an empty map, for what it lacks. */
export interface MlnxQosOutput {
  interfaceName: string;
  trust: string | null;
  readonly dscpToPriority: Map<number, number>;
  /** Whether a row of the map was shortened by hand: `07,...,00`. */
  isMapShortened: boolean;
  defaultPriority: number | null;
  bufferSizes: readonly number[] | null;
  cableLength: number | null;
  pfcEnabled: readonly number[] | null;
  priorityToBuffer: readonly number[] | null;
  readonly classes: Map<number, MlnxQosClass>;
}

interface Rule {
  readonly pattern: RegExp;
  readonly read: (output: MlnxQosOutput, match: readonly string[], place: string) => void;
}

const CLASS = /^tc:\s?(\d+)\s(?:ratelimit:\s?[^,]+,\s)?tsa:\s?(\w+)(?:,\sbw:\s?(\d+)%)?/;

const RULES: readonly Rule[] = [
  { pattern: /^Priority trust state:\s?(\w+)/, read: readTrust },
  { pattern: /^prio:\s?(\d)\sdscp:\s?(\S+)/, read: readMapping },
  {
    pattern: /^prio:\s?(\d)$/,
    read: (output, [prio], place) => {
      output.defaultPriority = whole(prio, PRIORITY_COUNT - 1, 'the default priority', place);
    },
  },
  {
    pattern: /^Receive buffer size \(bytes\):\s?(\S+)/,
    read: (output, [sizes], place) => {
      const values = sizes.split(',').filter((word) => !word.includes('=') && word !== '');
      output.bufferSizes = eight(values, Number.MAX_SAFE_INTEGER, 'the sizes of the receive buffers', place);
    },
  },
  {
    pattern: /^Cable len:\s?(\d+)/,
    read: (output, [length], place) => {
      output.cableLength = whole(length, 0xffff, 'the cable length', place);
    },
  },
  {
    pattern: /^enabled:?\s(.+)/,
    read: (output, [flags], place) => {
      output.pfcEnabled = eight(flags.split(' '), 1, 'the priorities with PFC', place);
    },
  },
  {
    pattern: /^buffer:?\s(.+)/,
    read: (output, [buffers], place) => {
      output.priorityToBuffer = eight(buffers.split(' '), PRIORITY_COUNT - 1, 'the buffers of the priorities', place);
    },
  },
];

/** Whether the text is output of mlnx_qos. */
export function isMlnxQos(text: string): boolean {
  return /^[ \t]*(?:Priority trust state|PFC configuration|dscp2prio mapping):/m.test(text);
}

/** Parses the output. @throws RoceError `invalid-settings`, naming the line. */
export function readMlnxQosOutputs(text: string): readonly MlnxQosOutput[] {
  const outputs: MlnxQosOutput[] = [];
  let current: number | undefined;
  text.split('\n').forEach((line, index) => {
    const place = `line ${index + 1}`;
    const words = line.trim().replace(/\s+/g, ' ');
    if (beginsOutput(words, outputs.at(-1))) outputs.push(emptyOutput(interfaceOf(words)));
    const output = outputs.at(-1);
    if (output === undefined) return;
    current = readClass(output, words, current, place);
    for (const { pattern, read } of RULES) {
      const match = pattern.exec(words);
      if (match !== null) read(output, match.slice(1), place);
    }
  });
  return outputs;
}

/** An output begins at a command line, or at its first line if the previous output already has that line. */
function beginsOutput(line: string, last: MlnxQosOutput | undefined): boolean {
  if (interfaceOf(line) !== '') return true;
  if (last === undefined) return line !== '';
  return (line.startsWith('DCBX mode:') || line.startsWith('Priority trust state:')) && last.trust !== null;
}

function interfaceOf(line: string): string {
  return /\bmlnx_qos\b.*?\s(?:-i|--interface)[ =]?(\S+)/.exec(line)?.[1] ?? '';
}

function emptyOutput(interfaceName: string): MlnxQosOutput {
  return {
    interfaceName,
    trust: null,
    dscpToPriority: new Map(),
    isMapShortened: false,
    defaultPriority: null,
    bufferSizes: null,
    cableLength: null,
    pfcEnabled: null,
    priorityToBuffer: null,
    classes: new Map(),
  };
}

function readTrust(output: MlnxQosOutput, [trust]: readonly string[]): void {
  output.trust = trust;
}

/** Reads a list of DSCPs such as `07,06,05,`. */
function readMapping(output: MlnxQosOutput, [prio, list]: readonly string[], place: string): void {
  const priority = whole(prio, PRIORITY_COUNT - 1, 'the priority', place);
  for (const word of list.split(',').filter((part) => part !== '')) {
    if (/^(?:\.+|…)$/.test(word)) output.isMapShortened = true;
    else output.dscpToPriority.set(whole(word, DSCP_COUNT - 1, 'the DSCP', place), priority);
  }
}

/** Reads the line of a class, or the line of its priorities; returns the class number. */
function readClass(output: MlnxQosOutput, line: string, current: number | undefined, place: string): number
  | undefined {
  const begun = CLASS.exec(line);
  if (begun !== null) {
    const number = whole(begun[1], PRIORITY_COUNT - 1, 'the traffic class', place);
    const weightPercent = begun[3] === undefined ? null : whole(begun[3], 100, 'the share of the class', place);
    output.classes.set(number, { tsa: begun[2], weightPercent, priorities: [] });
    return number;
  }
  const found = /^priority:\s?(\d)$/.exec(line);
  const own = current === undefined ? undefined : output.classes.get(current);
  if (found === null || own === undefined || current === undefined) return line === '' ? current : undefined;
  const priority = whole(found[1], PRIORITY_COUNT - 1, 'the priority', place);
  output.classes.set(current, { ...own, priorities: [...own.priorities, priority] });
  return current;
}

function eight(words: readonly string[], max: number, what: string, place: string): readonly number[] {
  if (words.length === PRIORITY_COUNT) return words.map((word) => whole(word, max, what, place));
  throw settingError(what, words.length, `${PRIORITY_COUNT} values`, place);
}

function whole(word: string, max: number, what: string, place: string): number {
  const value = /^\d{1,15}$/.test(word) ? Number(word) : NaN;
  if (value <= max) return value;
  throw settingError(what, word, { min: 0, max }, place);
}

function settingError(what: string, got: unknown, allowed: Allowed, where: string): RoceError {
  return new RoceError('invalid-settings', { what, got, allowed, where });
}
