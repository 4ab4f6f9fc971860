/** Explanations of a result, cut where they name a port, a flow or an instant, so that the page can lead there. */
import { explainResult, type Explanation, type SimResult } from '../../src/sim/index.js';
import type { Answer, AnswerPart } from '../protocol/run-protocol.js';

const PS_OF: Readonly<Record<string, number>> = { ps: 1, ns: 1e3, µs: 1e6, ms: 1e9, s: 1e12 };
/** A port by its name, a flow by its number, an instant; each with what can follow it. */
const NAMED =
  /(?<![\w.:-])([A-Za-z][\w.-]{0,63}:[\w.-]{0,63}\w(?:#\d{1,5})?)|\bflow (\d{1,8})\b|\b(?:at|from|until|after|since) ([\d.]{1,20}) (ps|ns|µs|ms|s)(?!\w)/g;

/** What did not happen. */
const ABSENCES: ReadonlySet<Explanation['code']> = new Set(['no-pauses', 'no-cnps', 'no-fast-cnps'] as const);

export function answersOf(result: SimResult): Answer[] {
  const ports = new Set(result.ports.map(({ name }) => name));
  // What happened comes before what did not.
  const all = explainResult(result).toSorted((a, b) => Number(isAbsence(a)) - Number(isAbsence(b)));
  return all.map(({ topic, question, answer }) => ({
    topic,
    question,
    parts: partsOf(answer, ports, result.flows.length),
  }));
}

function isAbsence({ code }: Explanation): boolean {
  return ABSENCES.has(code);
}

/** The text in parts, in order: joined they are the text. */
export function partsOf(text: string, ports: ReadonlySet<string>, flows: number): AnswerPart[] {
  const parts: AnswerPart[] = [];
  let from = 0;
  for (const match of text.matchAll(NAMED)) {
    const target = targetOf(match, ports, flows);
    if (target === undefined) continue;
    if (match.index > from) parts.push({ text: text.slice(from, match.index) });
    parts.push({ text: match[0], ...target });
    from = match.index + match[0].length;
  }
  if (from < text.length) parts.push({ text: text.slice(from) });
  return parts;
}

function targetOf(match: RegExpExecArray, ports: ReadonlySet<string>, flows: number): Omit<AnswerPart, 'text'>
  | undefined {
  const [, port, flow, amount, unit] = match as readonly (string | undefined)[];
  if (port !== undefined) return ports.has(port) ? { port } : undefined;
  if (flow !== undefined) return Number(flow) < flows ? { flow: Number(flow) } : undefined;
  return { timePs: Number(amount) * (PS_OF[unit ?? ''] ?? 1) };
}
