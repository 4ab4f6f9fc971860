/** A finding of an explanation, as data with its sentence: what it says is its code, of what its figures. */
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

/** What a finding says; kebab-case. */
export type FindingCode = keyof typeof SENTENCES;

/** The codes that findings may have. */
export const FINDING_CODES = Object.freeze(Object.keys(SENTENCES) as FindingCode[]);

/** The figures of a finding, by name, with units: `port` is a name, `flow` an index. */
export type FindingFigures<Code extends FindingCode> = Parameters<(typeof SENTENCES)[Code]> extends [infer Figures] ?
  Figures :
  Readonly<Record<string, never>>;

/** One finding; its code tells its figures apart. */
export type Finding = {
  readonly [Code in FindingCode]: {
    /** What it says. */
    readonly code: Code;
    /** Its figures by name. */
    readonly figures: FindingFigures<Code>;
    /** The sentences that are made of them. */
    readonly text: string;
    /** The same in parts, of which some name a port, a flow or an instant. */
    readonly parts: readonly TextPart[];
  };
}[FindingCode];

/** A finding with the figures that its sentences take. */
export function finding<Code extends FindingCode>(code: Code,
  ...[figures]: Parameters<(typeof SENTENCES)[Code]>): Extract<Finding, { readonly code: Code }> {
  const parts = partsOf(code, figures);
  return { code, figures: figures ?? {}, text: plainText(parts), parts } as unknown as Extract<
    Finding,
    { readonly code: Code }
  >;
}

/** The sentences of a code and figures, in parts. */
export function partsOf(code: FindingCode, figures: unknown): readonly TextPart[] {
  return joined([(SENTENCES[code] as (figures: unknown) => Text)(figures)]);
}

/** The findings that apply, and the answer that they are together. */
export function answerOf(...findings: readonly (Finding | false | undefined)[]): {
  readonly answer: string;
  readonly findings: readonly Finding[];
} {
  const applicable = findings.filter((one) => one !== false && one !== undefined);
  return { answer: applicable.map((one) => one.text).join(' '), findings: applicable };
}
