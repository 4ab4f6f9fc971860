/** Runs `roce-cc explain`, which explains a result file in sentences. */
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { requireShallowText } from '../../config/json-limits.js';
import type { RateChange } from '../../engine/rate-changes.js';
import { RoceError } from '../../errors.js';
import { explainResult } from '../../sim/explain/explain.js';
import { maxBy } from '../../sim/explain/explanation.js';
import { RateReasons } from '../../sim/explain/why-rate.js';
import { parseResultJson } from '../../sim/files/result-json.js';
import type { SimResult, Explanation } from '../../sim/index.js';
import { hashResult } from '../../sim/results/result-hash.js';
import { validateScenario } from '../../sim/scenario/validate.js';
import { Failures, type Output, writeOutOr } from '../output.js';
import { keepUnshown } from '../write-file.js';
import { printableJson } from '../printable.js';
import { readText } from '../read-text.js';
import { inLocale, textStyle, heading, wrap, type TextStyle } from '../terminal.js';

export interface ExplainFlags {
  readonly json?: boolean;
  /** File of rate changes, written by `roce-cc run --trace`. */
  readonly trace?: string;
  /** The flow whose rate is explained. */
  readonly flow?: number;
}

type NamedExplanation = ReturnType<typeof explainResult>[number];

const INDENT = 2;

/**
 * Prints the questions of an explanation, each with its answer.
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

function explanationLines(name: string, explanations: readonly NamedExplanation[], style: TextStyle): string[] {
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

/** The expected format of a line, for errors. */
const LINE = 'a rate change as roce-cc run --trace writes it: { timePs, qp, fromBps, toBps, cause, reason, … }';

/**
 * "Why did the rate change?", from the rate changes that `roce-cc run --trace` wrote.
 *
 * @param file path of the file of rate changes.
 * @param flow the flow to explain. Default: the slowest flow in the file.
 * @throws RoceError `invalid-argument` naming the line, or for a flow that is not in the result; system errors.
 */
async function explainRate(file: string, result: SimResult, flow: number | undefined): Promise<Explanation> {
  if (flow !== undefined && flow >= result.flows.length) {
    const allowed = { min: 0, below: result.flows.length, multipleOf: 1 };
    throw new RoceError('invalid-argument', { what: '--flow', got: flow, allowed, where: file });
  }
  const byFlow = new Map<number, RateReasons>();
  for await (const change of changesOf(file)) {
    if (flow !== undefined && change.qp !== flow) continue;
    const reasons = byFlow.get(change.qp) ?? new RateReasons(change.qp);
    byFlow.set(change.qp, reasons);
    reasons.add(change);
  }
  const inFile = result.flows.filter(({ index }) => byFlow.has(index));
  const asked = flow ?? maxBy(inFile, ({ slowdown }) => slowdown ?? Infinity)?.index ?? 0;
  const described = result.flows.find(({ index }) => index === asked);
  const words = described && `flow ${asked} (${described.from} to ${described.to})`;
  return (byFlow.get(asked) ?? new RateReasons(asked)).explanation(words);
}

async function* changesOf(file: string): AsyncGenerator<RateChange> {
  let number = 0;
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) {
    number++;
    if (line.trim() === '') continue;
    const change = changeOf(line, `${file}, line ${number}`);
    if (change !== undefined) yield change;
  }
}

/** Parses a line; undefined for one that marks a gap in the trace. */
function changeOf(line: string, where: string): RateChange | undefined {
  const value = parsed(line, where);
  if (typeof value['lost'] === 'number') return undefined;
  const numbers = [value['timePs'], value['qp'], value['fromBps'], value['toBps']];
  const words = [value['cause'], value['reason'], value['text'] ?? ''];
  if (numbers.every(Number.isFinite) && words.every((word) => typeof word === 'string'))
    return value as unknown as RateChange;
  throw new RoceError('invalid-argument', { got: value, allowed: LINE, where });
}

function parsed(line: string, where: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  } catch {
    // Rejected below.
  }
  throw new RoceError('invalid-argument', { got: line, allowed: LINE, where });
}
