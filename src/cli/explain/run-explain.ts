/** Runs `roce-cc explain`, which explains a result file in sentences. */
import { requireShallowText } from '../../config/json-limits.js';
import { RoceError } from '../../errors.js';
import { hashResult } from '../../sim/results/result-hash.js';
import { validateScenario } from '../../sim/scenario/validate.js';
import type { SimResult } from '../../sim/index.js';
import { explainResult } from '../../sim/explain/explain.js';
import { parseResultJson } from '../../sim/files/result-json.js';
import { explainRate } from './rate-question.js';
import { Failures } from '../failures.js';
import { keepUnshown } from '../kept-file.js';
import type { Output } from '../output.js';
import { printableJson } from '../printable.js';
import { readText } from '../read-text.js';
import { inLocale, textStyle } from '../terminal.js';
import { heading, wrap, type TextStyle } from '../text-layout.js';
import { writeOutOr } from '../write-out.js';

export interface ExplainFlags {
  readonly json?: boolean;
  /** File of rate changes, written by `roce-cc run --trace`. */
  readonly trace?: string;
  /** The flow whose rate is explained. */
  readonly flow?: number;
}

type Explanation = ReturnType<typeof explainResult>[number];

const INDENT = 2;

/**
 * Prints questions and answers.
 *
 * @param file the result; `-` = standard input.
 * @throws RoceError `invalid-argument` if it isn't a result, or was altered since it was written; system errors.
 */
export async function runExplain(file: string, flags: ExplainFlags, output: Output): Promise<number> {
  const text = await readText(file);
  requireShallowText(text, 'invalid-argument', file);
  const result = unaltered(parseResultJson(text, file), file);
  const explanations = [
    ...explainResult(result),
    ...(flags.trace === undefined ? [] : [await explainRate(flags.trace, result, flags.flow)]),
  ];
  const shown = flags.json === true ?
    printableJson(`${JSON.stringify(explanations, undefined, INDENT)}\n`) :
    inLocale(`${explanationLines(result.scenario.name, explanations, textStyle(output)).join('\n')}\n`, output.env);
  const failures = new Failures();
  await writeOutOr(output.stdout, shown, (error) => {
    keepUnshown(error, `explanation.${flags.json === true ? 'json' : 'txt'}`, shown, failures.add);
  });
  return failures.report(output);
}

/** Rejects an altered result: explaining numbers that no simulation produced would be worse than explaining nothing. */
function unaltered(result: SimResult, where: string): SimResult {
  try {
    validateScenario(result.scenario, { withoutFiles: true });
  } catch (error) {
    throw error instanceof RoceError ? error.at(`${where}, scenario, ${error.where}`) : error;
  }
  const computed = hashResult(result);
  if (result.hash === computed) return result;
  throw new RoceError('invalid-argument', {
    what: 'the hash of the result',
    got: result.hash,
    allowed: [computed],
    where,
    hint: 'The file was altered since roce-cc run wrote it: run the scenario again',
  });
}

function explanationLines(name: string, explanations: readonly Explanation[], style: TextStyle): string[] {
  const [, ...title] = heading(`roce-cc explain: ${name}`, style);
  if (explanations.length === 0) return [...title, ...wrap('There is nothing to explain in this result.', style)];
  return [
    ...title,
    ...explanations.flatMap(({ question, findings }) => [
      ...heading(question, style),
      ...findings.flatMap(({ text: sentences }) => wrap(sentences, style)),
    ]),
  ];
}
