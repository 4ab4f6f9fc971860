/** GOAL files to graphs. */
import { checkRecord, oneOf, checkField, refuse } from '../../config/field-rules.js';
import { readChunks, type WorkloadSource } from '../byte-source.js';
import { CompleteLines } from '../complete-lines.js';
import { checkGraph } from '../graph/check-graph.js';
import type { WorkloadGraph } from '../graph/workload-graph.js';
import { GoalParser, type GoalOptions } from './goal-parser.js';

/**
 * Reads GOAL text as it arrives; gzip is unpacked. What is held is the graph, not the text.
 *
 * @param source bytes, or chunks of them cut in any way.
 * @throws RoceError `invalid-workload`, with the complaint, the line, what was got and what is allowed there.
 * @example
 * const graph = await readGoal(createReadStream('ring.goal'), { name: 'ring.goal' });
 */
export async function readGoal(source: WorkloadSource, options: GoalOptions = {}): Promise<WorkloadGraph> {
  const { parser, lines, name } = begin(options);
  await readChunks(source, name, (chunk) => {
    lines.push(chunk);
  });
  lines.finish();
  return checkGraph(parser.finish());
}

/**
 * The same of a text that is there, at once.
 *
 * @throws as `readGoal`.
 */
export function parseGoal(text: string, options: GoalOptions = {}): WorkloadGraph {
  if (typeof text !== 'string') refuse({ got: text, allowed: 'a text', where: 'text' });
  const { parser, lines } = begin(options);
  lines.push(new TextEncoder().encode(text));
  lines.finish();
  return checkGraph(parser.finish());
}

function begin(options: GoalOptions): { parser: GoalParser; lines: CompleteLines; name: string } {
  checkRecord(options, 'options');
  const { name = 'goal', zeroLengthMessages = 'refuse', selfMessages = 'refuse' } = options;
  if (typeof name !== 'string') refuse({ got: name, allowed: 'a text', where: 'options.name' });
  checkField(zeroLengthMessages, oneOf('refuse', 'one-byte'), 'options.zeroLengthMessages');
  checkField(selfMessages, oneOf('refuse', 'no-time'), 'options.selfMessages');
  const parser = new GoalParser({ name, zeroLengthMessages, selfMessages });
  return { parser, lines: new CompleteLines(parser.read, name), name };
}
