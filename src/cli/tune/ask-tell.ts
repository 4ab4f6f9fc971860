/**
 * Lets an external optimiser drive the search over lines of JSON: we send the parameters, then a score for each line of
 * values.
 *
 *   out  {"parameters":[{"path":…,"from":…,"to":…}],"minimise":"slowdown.p99","seeds":3}
 *   in   {"id":1,"values":{"algorithms.dcqcn.parameters.alphaGain":0.01}}
 *   out  {"id":1,"objective":4.2,"violation":0,"runs":9}
 *
 * An invalid line gets the reply {"id":…,"error":"…"}, and reading continues.
 */
import { createInterface } from 'node:readline';
import { RoceError } from '../../errors.js';
import { describeError } from '../describe-error.js';
import { type Output, writeOut } from '../output.js';
import { printableJson } from '../printable.js';
import { scoresOf, type ParameterValues, type Score, type Trial } from './search.js';
import { DEFAULT_SEEDS } from './tune-spec.js';

/** Replies to lines until the input ends. */
export async function askTell(trial: Trial, input: NodeJS.ReadableStream, output: Output): Promise<void> {
  const { parameters, minimise, cases, seeds = DEFAULT_SEEDS } = trial.spec;
  const say = (message: unknown): Promise<void> =>
    writeOut(output.stdout, `${printableJson(JSON.stringify(message))}\n`);
  await say({ parameters, minimise, seeds });
  for await (const line of createInterface({ input })) {
    if (line.trim() === '') continue;
    let id: unknown = null;
    try {
      const asked = parseAsked(line, trial);
      id = asked.id;
      const [score] = await scoresOf([asked.values], cases, seeds, trial);
      await say({ id, ...score === undefined ? {} : finite(score) });
    } catch (error) {
      if (!(error instanceof RoceError)) throw error;
      await say({ id, error: describeError(error) });
    }
  }
}

/** Replaces Infinity, which JSON lacks, by null. */
function finite({ objective, violation, runs }: Score): Record<string, number | null> {
  return {
    objective: Number.isFinite(objective) ? objective : null,
    violation: Number.isFinite(violation) ? violation : null,
    runs,
  };
}

function parseAsked(line: string, { spec }: Trial): { readonly id: unknown; readonly values: ParameterValues } {
  let asked: unknown;
  try {
    asked = JSON.parse(line) as unknown;
  } catch (error) {
    throw new RoceError('invalid-argument', { what: 'the line', problem: 'is not JSON', cause: error });
  }
  const { id = null, values } = (asked ?? {}) as { readonly id?: unknown; readonly values?: unknown };
  const known = spec.parameters.map(({ path }) => path);
  const given = typeof values === 'object' && values !== null ? Object.keys(values) : [];
  const odd = given.find((path) => !known.includes(path)) ?? known.find((path) => !given.includes(path));
  if (odd !== undefined || given.length === 0)
    throw new RoceError('invalid-argument', {
      what: 'the values',
      got: values,
      allowed: `a number for each of ${known.join(', ')}`,
    });
  return { id, values: values as ParameterValues };
}
