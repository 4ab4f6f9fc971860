/** Orders the explanations of a result for the page. */
import { explainResult, type Explanation, type SimResult } from '../../src/sim/index.js';
import type { Answer } from '../protocol/run-protocol.js';

/** Explanations of things that did not happen. */
const ABSENCES: readonly Explanation['code'][] = ['no-pauses', 'no-cnps', 'no-fast-cnps'];

/** Explanations of events come before those of their absence. */
export function answersOf(result: SimResult): readonly Answer[] {
  const all = explainResult(result);
  const isAbsent = ({ code }: Explanation): boolean => ABSENCES.includes(code);
  return [...all.filter((one) => !isAbsent(one)), ...all.filter(isAbsent)].map(({ topic, question, findings }) => ({
    topic,
    question,
    findings: findings.map(({ parts }) => parts),
  }));
}
