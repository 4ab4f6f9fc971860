/** Text in parts, of which some name a port, a flow or an instant. */
import { timeWords, type TextPart } from './explanation.js';

/** Words that name nothing, or parts. */
export type Text = string | readonly TextPart[];

/** A template whose values may be text in parts. */
export function text(words: TemplateStringsArray, ...values: readonly (Text | number)[]): readonly TextPart[] {
  return joined(words.flatMap((word, index) => {
    const value = values[index] ?? '';
    return [word, typeof value === 'number' ? String(value) : value];
  }));
}

export function portText(port: string): readonly TextPart[] {
  return [{ text: port, port }];
}

/** `flow 3`. */
export function flowText(flow: number): readonly TextPart[] {
  return [{ text: `flow ${flow}`, flow }];
}

/** `Flow 3`: at the start of a sentence. */
export function leadingFlowText(flow: number): readonly TextPart[] {
  return [{ text: `Flow ${flow}`, flow }];
}

export function instantText(timePs: number): readonly TextPart[] {
  return [{ text: timeWords(timePs), timePs }];
}

/** `a`, `a and b`, `a, b and c`. */
export function listText(texts: readonly Text[]): readonly TextPart[] {
  return joined(texts.flatMap((one, index) => [index === 0 ? '' : index === texts.length - 1 ? ' and ' : ', ', one]));
}

/** The sentences that apply, as one text. */
export function sentences(...texts: readonly (Text | false)[]): readonly TextPart[] {
  return joined(applicable(texts).flatMap((one, index) => [index === 0 ? '' : ' ', one]));
}

/** The texts that apply: each is a finding of an explanation, and all of them its answer. */
export function findingsOf(...texts: readonly (Text | false)[]): {
  readonly answer: string;
  readonly findings: readonly (readonly TextPart[])[];
} {
  const findings = applicable(texts).map((one) => joined([one]));
  return { answer: findings.map(plainText).join(' '), findings };
}

export function plainText(words: Text): string {
  return typeof words === 'string' ? words : words.map((part) => part.text).join('');
}

function applicable(texts: readonly (Text | false)[]): Text[] {
  return texts.filter((one) => one !== false && one.length > 0) as Text[];
}

/** Neighbours that name nothing become one part. */
function joined(texts: readonly Text[]): readonly TextPart[] {
  const parts: TextPart[] = [];
  for (const part of texts.flatMap((one) => (typeof one === 'string' ? [{ text: one }] : one))) {
    const last = parts.at(-1);
    if (part.text === '') continue;
    if (last !== undefined && isPlain(last) && isPlain(part)) parts[parts.length - 1] = { text: last.text + part.text };
    else parts.push(part);
  }
  return parts;
}

function isPlain({ port, flow, timePs }: TextPart): boolean {
  return port === undefined && flow === undefined && timePs === undefined;
}
