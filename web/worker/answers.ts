/** Explanations of a result for the page. */
import { explainResult, type Explanation, type SimResult } from '../../src/sim/index.js';
import type { Answer } from '../protocol/run-protocol.js';

/** What did not happen. */
const ABSENCES: ReadonlySet<Explanation['code']> = new Set(['no-pauses', 'no-cnps', 'no-fast-cnps'] as const);

export function answersOf(result: SimResult): Answer[] {
  // What happened comes before what did not.
  const all = explainResult(result).toSorted((a, b) => Number(isAbsence(a)) - Number(isAbsence(b)));
  return all.map(({ topic, question, findings }) => ({ topic, question, findings }));
}

function isAbsence({ code }: Explanation): boolean {
  return ABSENCES.has(code);
}
