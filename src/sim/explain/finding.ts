/** A finding of an explanation: a code that tells what was found, figures, and the sentences made from both. */
import { CONGESTION_SENTENCES } from './sentences/congestion.js';
import { FLOW_SENTENCES } from './sentences/flows.js';
import { HAZARD_SENTENCES } from './sentences/hazards.js';
import { LOSS_SENTENCES } from './sentences/losses.js';
import { NETWORK_SENTENCES } from './sentences/network.js';
import { PAUSE_SENTENCES } from './sentences/pauses.js';
import { UET_SENTENCES } from './sentences/uet.js';
import { UNFINISHED_SENTENCES } from './sentences/unfinished.js';
import { VERDICT_SENTENCES } from './sentences/verdict.js';
import { WAN_SENTENCES } from './sentences/wan.js';
import { joined, plainText, type Text, type TextPart } from './text.js';

const SENTENCES = {
  ...CONGESTION_SENTENCES,
  ...FLOW_SENTENCES,
  ...HAZARD_SENTENCES,
  ...LOSS_SENTENCES,
  ...NETWORK_SENTENCES,
  ...PAUSE_SENTENCES,
  ...UET_SENTENCES,
  ...UNFINISHED_SENTENCES,
  ...VERDICT_SENTENCES,
  ...WAN_SENTENCES,
};

/** Identifies what was found; kebab-case. */
export type FindingCode = keyof typeof SENTENCES;

/** The codes that findings may have. */
export const FINDING_CODES = Object.freeze(Object.keys(SENTENCES) as FindingCode[]);

/** The figures of a finding, by name, with units: `port` is a name, `flow` an index. */
export type FindingFigures<Code extends FindingCode> = Parameters<(typeof SENTENCES)[Code]> extends [infer Figures] ?
  Figures :
  Readonly<Record<string, never>>;

/** One finding; the code determines the type of its figures. */
export type Finding = {
  readonly [Code in FindingCode]: {
    /** What was found. */
    readonly code: Code;
    /** Its figures by name. */
    readonly figures: FindingFigures<Code>;
    /** The finding in sentences. */
    readonly text: string;
    /** The sentences in parts, some of which name a port, a flow or an instant. */
    readonly parts: readonly TextPart[];
  };
}[FindingCode];

/** Makes a finding from its code and figures. */
export function finding<Code extends FindingCode>(code: Code,
  ...[figures]: Parameters<(typeof SENTENCES)[Code]>): Extract<Finding, { readonly code: Code }> {
  const parts = partsOf(code, figures);
  return { code, figures: figures ?? {}, text: plainText(parts), parts } as unknown as Extract<
    Finding,
    { readonly code: Code }
  >;
}

/** The sentences for a code and its figures, in parts. */
export function partsOf(code: FindingCode, figures: unknown): readonly TextPart[] {
  return joined([(SENTENCES[code] as (figures: unknown) => Text)(figures)]);
}

/** Drops the findings that don't apply (`false` or undefined) and joins the sentences of the others. */
export function answerOf(...findings: readonly (Finding | false | undefined)[]): {
  readonly answer: string;
  readonly findings: readonly Finding[];
} {
  const applicable = findings.filter((one) => one !== false && one !== undefined);
  return { answer: applicable.map((one) => one.text).join(' '), findings: applicable };
}
