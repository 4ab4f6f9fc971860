/** Text in parts, some of which name a port, a flow or an instant. */
import { timeWords } from './words.js';

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
