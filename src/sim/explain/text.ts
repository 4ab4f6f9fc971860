/** Text in parts, some of which name a port, a flow or an instant. */
import { number } from '../../error-text.js';

/** A part of an explanation and what it names, so that a page can link it. */
export interface TextPart {
  /** A part of a finding, in plain English. */
  readonly text: string;
  /** Name of the port. */
  readonly port?: string;
  /** Index of the flow. */
  readonly flow?: number;
  /** The instant, picoseconds. */
  readonly timePs?: number;
}

/** Plain words, or parts. */
export type Text = string | readonly TextPart[];

/** A template whose values may be text in parts. */
export function text(words: TemplateStringsArray, ...values: readonly (Text | number)[]): readonly TextPart[] {
  return joined(words.flatMap((word, index) => [word, asText(values[index] ?? '')]));
}

export const portText = (port: string): readonly TextPart[] => [{ text: port, port }];

/** Text that names a flow. @param word capitalized at the beginning of a sentence. */
export const flowText = (flow: number, word: 'flow' | 'Flow' = 'flow'): readonly TextPart[] => [
  { text: `${word} ${flow}`, flow },
];

export const instantText = (timePs: number): readonly TextPart[] => [{ text: timeWords(timePs), timePs }];

/** `a`, `a and b`, `a, b and c`. */
export function listText(texts: readonly Text[]): readonly TextPart[] {
  return joined(texts.flatMap((one, index) => [index === 0 ? '' : index === texts.length - 1 ? ' and ' : ', ', one]));
}

export const listWords = (words: readonly string[]): string => plainText(listText(words));

/** Joins sentences into one text; `false` ones are omitted. */
export function sentences(...texts: readonly (Text | false)[]): readonly TextPart[] {
  return joined(applicable(texts).flatMap((one, index) => [index === 0 ? '' : ' ', one]));
}

export function plainText(words: Text): string {
  return typeof words === 'string' ? words : words.map((part) => part.text).join('');
}

function applicable(texts: readonly (Text | false)[]): Text[] {
  return texts.filter((one) => one !== false && one.length > 0) as Text[];
}

const asText = (value: Text | number): Text => (typeof value === 'number' ? `${value}` : value);

/** Joins texts; adjacent parts that name nothing are merged. */
export function joined(texts: readonly Text[]): readonly TextPart[] {
  const parts: TextPart[] = [];
  let plain = '';
  const endPlain = (): void => {
    if (plain !== '') parts.push({ text: plain });
    plain = '';
  };
  for (const one of texts.flat()) {
    if (typeof one === 'string') plain += one;
    else if (Object.keys(one).length === 1) plain += one.text;
    else {
      endPlain();
      parts.push(one);
    }
  }
  endPlain();
  return parts;
}

/* Numbers and counts in words. */

const PS_UNITS = [[1e12, 's'], [1e9, 'ms'], [1e6, 'µs'], [1e3, 'ns'], [1, 'ps']] as const;
const BYTE_UNITS = [[1e9, 'GB'], [1e6, 'MB'], [1e3, 'kB'], [1, 'bytes']] as const;
const BPS_UNITS = [[1e12, 'Tb/s'], [1e9, 'Gb/s'], [1e6, 'Mb/s'], [1, 'b/s']] as const;
const PERCENT = 100;

export const timeWords = (timePs: number): string => scaled(timePs, PS_UNITS);
export const bytesWords = (bytes: number): string => scaled(bytes, BYTE_UNITS);
export const rateWords = (rateBps: number): string => scaled(rateBps, BPS_UNITS);
export const percentWords = (share: number): string => `${threeDigits(PERCENT * share)} %`;

/** `1 flow`, `2 flows`. */
export function countWords(count: number, noun: string): string {
  return `${wholeWords(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** `1,234,567`: as in the tables. */
export function wholeWords(count: number): string {
  return number(count);
}

/** `1 packet was`, `2 packets were`. */
export function wereWords(count: number, noun: string): string {
  return `${countWords(count, noun)} ${count === 1 ? 'was' : 'were'}`;
}

function scaled(value: number, units: readonly (readonly [number, string])[]): string {
  const [size, name] = units.find(([least]) => value >= least) ?? units[units.length - 1];
  return `${threeDigits(value / size)} ${name}`;
}

function threeDigits(value: number): string {
  return value >= 100 ? value.toFixed(0) : String(Number(value.toPrecision(3)));
}
