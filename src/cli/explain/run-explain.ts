/** `roce-cc explain`: from a result's file to words. */
import { RoceError } from '../../errors.js';
import { hashResult, validateScenario, type SimResult } from '../../sim/index.js';
import { EXIT_OK, type Output } from '../output.js';
import { printableJson } from '../printable.js';
import { readText } from '../read-text.js';
import { inLocale, textStyle } from '../terminal.js';
import { heading, wrap, type TextStyle } from '../text-layout.js';
import { explainResult, parseResultJson } from '../run/simulator.js';

export interface ExplainFlags {
  readonly json?: boolean;
}

type Explanation = ReturnType<typeof explainResult>[number];

const INDENT = 2;

/**
 * Prints questions and answers.
 *
 * @param file the result; `-` = standard input.
 * @throws RoceError `invalid-argument` if it isn't a result, or was altered since it was written; errors of the system.
 */
export async function runExplain(file: string, flags: ExplainFlags, output: Output): Promise<number> {
  const result = unaltered(parseResultJson(await readText(file), file), file);
  const explanations = explainResult(result);
  if (flags.json === true) {
    output.stdout.write(printableJson(`${JSON.stringify(explanations, undefined, INDENT)}\n`));
    return EXIT_OK;
  }
  const lines = explanationLines(result.scenario.name, explanations, textStyle(output));
  output.stdout.write(inLocale(`${lines.join('\n')}\n`, output.env));
  return EXIT_OK;
}

/** Words about numbers that nobody simulated would be worse than none. */
function unaltered(result: SimResult, where: string): SimResult {
  try {
    validateScenario(result.scenario);
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
  if (explanations.length === 0) return [...title, ...wrap('Nothing here needs an explanation.', style)];
  return [
    ...title,
    ...explanations.flatMap(({ question, answer }) => [...heading(question, style), ...wrap(answer, style)]),
  ];
}
