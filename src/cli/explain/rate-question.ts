/** "Why did the rate change?", from the rate changes that `roce-cc run --trace` wrote. */
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { RateChange } from '../../engine/rate-changes.js';
import { RoceError } from '../../errors.js';
import { maxBy } from '../../sim/explain/max-by.js';
import { RateReasons } from '../../sim/explain/why-rate.js';
import type { Explanation, SimResult } from '../../sim/index.js';

/** The expected format of a line, for errors. */
const LINE = 'a rate change as roce-cc run --trace writes it: { timePs, qp, fromBps, toBps, cause, reason, … }';

/**
 * @param file path of the file of rate changes.
 * @param flow the flow to explain. Default: the slowest flow in the file.
 * @throws RoceError `invalid-argument` naming the line, or for a flow that is not in the result; system errors.
 */
export async function explainRate(file: string, result: SimResult, flow: number | undefined): Promise<Explanation> {
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
