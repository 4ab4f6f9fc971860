/** `roce-cc explain`: from a result's file to words. */
import { readFile } from 'node:fs/promises';
import { text as readText } from 'node:stream/consumers';
import { EXIT_OK, type Output } from '../output.js';
import { heading, textColumns, wrap, type TextStyle } from '../replay/text-layout.js';
import { explainResult, parseResultJson } from '../run/simulator.js';

export interface ExplainFlags {
  readonly json?: boolean;
}

type Explanation = ReturnType<typeof explainResult>[number];

const STANDARD_INPUT = '-';
const INDENT = 2;

/**
 * Prints questions and answers.
 *
 * @param file the result; `-` = standard input.
 * @throws RoceError INVALID_ARGUMENT if it isn't a result; errors of the system.
 */
export async function runExplain(file: string, flags: ExplainFlags, { stdout }: Output): Promise<number> {
  const result = parseResultJson(file === STANDARD_INPUT ? await readText(process.stdin) : await readFile(file, 'utf8'),
    file);
  const explanations = explainResult(result);
  if (flags.json === true) {
    stdout.write(`${JSON.stringify(explanations, undefined, INDENT)}\n`);
    return EXIT_OK;
  }
  const isTerminal = stdout.isTTY === true;
  const style = {
    columns: textColumns(isTerminal ? stdout.columns : undefined),
    isBold: isTerminal && process.env.NO_COLOR === undefined,
  };
  stdout.write(`${explanationLines(result.scenario.name, explanations, style).join('\n')}\n`);
  return EXIT_OK;
}

function explanationLines(name: string, explanations: readonly Explanation[], style: TextStyle): string[] {
  const [, ...title] = heading(`roce-cc explain: ${name}`, style);
  if (explanations.length === 0) return [...title, ...wrap('Nothing here needs an explanation.', style)];
  return [
    ...title,
    ...explanations.flatMap(({ question, answer }) => [...heading(question, style), ...wrap(answer, style)]),
  ];
}
