/**
 * Parses lines of settings into names and values, independent of their meaning.
 */

import { RoceError, type Allowed } from '../../errors.js';
import { rejectSetting, type RawSetting } from './raw-setting.js';

/** Splits a text into lines, without line ends (LF, CRLF) and byte order mark. */
export function splitLines(text: string): string[] {
  if (typeof text !== 'string') {
    throw new RoceError('invalid-settings', { what: 'the settings', got: text, allowed: 'text', where: 'text' });
  }
  return text.replace(/^\uFEFF/, '').split(/\r?\n/);
}

/**
 * Reads lines of `name=value`, `name: value` or `name value`, the formats of `key=value` files and `grep . folder/*`.
 * Blank lines and lines that begin with `#` are skipped. The value is the last word.
 *
 * @throws RoceError `invalid-settings` for any other line.
 */
export function readKeyValues(text: string): RawSetting[] {
  return meaningfulLines(text).map(({ text: line, place }) => readKeyValue(line, place));
}

/**
 * Reads parameters of a kernel module: lines as for `readKeyValues`, and `options MODULE name=value ...` of modprobe.d.
 * Other modules' options and other commands of modprobe.d are skipped.
 *
 * @throws RoceError `invalid-settings` for any other line.
 */
export function readModuleParameters(text: string, module: string): RawSetting[] {
  return meaningfulLines(text).flatMap(({ text: line, place }) => {
    if (/^(alias|blacklist|install|remove|softdep)\s/.test(line)) return [];
    if (!/^options\s/.test(line)) return [readKeyValue(line, place)];
    const [, owner, ...words] = line.split(/\s+/);
    return owner === module ? words.map((word) => readKeyValue(word, place)) : [];
  });
}

function meaningfulLines(text: string): { text: string; place: string }[] {
  return splitLines(text).flatMap((line, index) => {
    const trimmed = line.trim();
    return trimmed === '' || trimmed.startsWith('#') ? [] : [{ text: trimmed, place: `line ${index + 1}` }];
  });
}

function readKeyValue(line: string, place: string): RawSetting {
  const [name, value] = splitKeyValue(line);
  if (name === '' || isSign(name.at(-1)) || value === '') {
    rejectSetting({ name: 'text', value: line, place }, 'name=value');
  }
  return { name, value, place };
}

const NEITHER = ['', ''] as const;

/** Splits a line into name and value, or two empty strings. A single regular expression would take quadratic time. */
function splitKeyValue(line: string): readonly [name: string, value: string] {
  const [left, middle = '', right, ...more] = line.split(/(\s+(?:[=:]\s+)?)/);
  if (right === undefined) return splitWord(left);
  if (more.length > 0) return NEITHER;
  if (middle.trim() !== '') return [left, right];
  if (isSign(left.at(-1))) return [left.slice(0, -1), right];
  return [left, isSign(right[0]) && right.length > 1 ? right.slice(1) : right];
}

/** Splits at the last `=` or `:`, because PCI addresses in paths contain colons. */
function splitWord(word: string): readonly [name: string, value: string] {
  for (let at = word.length - 2; at > 0; at--) {
    if (isSign(word[at]) && !isSign(word[at - 1])) return [word.slice(0, at), word.slice(at + 1)];
  }
  return NEITHER;
}

function isSign(character: string | undefined): boolean {
  return character === '=' || character === ':';
}

/**
 * Reads a number as drivers and mlxconfig print it: `1019`, `0x3fb`, `True(1)`, `DEVICE_DEFAULT(0)`, `Y`.
 *
 * @throws RoceError `invalid-settings` for other text, naming the setting.
 */
export function readNumber(setting: RawSetting, allowed: Allowed = 'a number'): number {
  const word = /^[^()\s]*\(([^()\s]+)\)$/.exec(setting.value)?.[1] ?? setting.value;
  if (/^\d+$/.test(word) || /^0[xX][0-9a-fA-F]+$/.test(word)) return Number(word);
  if (/^(y|yes|true)$/i.test(word)) return 1;
  if (/^(n|no|false)$/i.test(word)) return 0;
  return rejectSetting(setting, allowed);
}

/** Reads a whole number within a range; throws RoceError `invalid-settings`, naming the setting. */
export function readWholeIn(setting: RawSetting, low: number, high: number, unit: string): number {
  const allowed = { min: low, max: high, ...(unit === '' ? {} : { unit }) };
  const value = readNumber(setting, allowed);
  if (value < low || value > high) rejectSetting(setting, allowed);
  return value;
}
