/** Explanations of a result for the page. */
import { explainResult, type Explanation, type SimResult } from '../../src/sim/index.js';
import type { Answer } from '../protocol/run-protocol.js';

/** What did not happen. */
const ABSENCES: ReadonlySet<Explanation['code']> = new Set(['no-pauses', 'no-cnps', 'no-fast-cnps'] as const);

/** What happened comes before what did not. */
export function answersOf(result: SimResult): readonly Answer[] {
  return explainResult(result).toSorted((a, b) => Number(isAbsence(a)) - Number(isAbsence(b)));
}

function isAbsence({ code }: Explanation): boolean {
  return ABSENCES.has(code);
}
