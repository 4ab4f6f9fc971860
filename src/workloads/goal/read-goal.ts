/** Reads GOAL files into graphs. */
import { checkRecord, oneOf, checkField, reject } from '../../config/field-rules.js';
import { CompleteLines, readChunks, type WorkloadSource } from '../read-lines.js';
import { checkGraph } from '../graph/check-graph.js';
import type { WorkloadGraph } from '../graph/workload-graph.js';
import { GoalBinaryParser } from './goal-binary.js';
import { GoalParser, type GoalOptions } from './goal-parser.js';

/** Text has no zero byte, but the binary form's magic number has one among its first bytes. */
const MAGIC_BYTES = 8;

interface Parser {
  push(chunk: Uint8Array): void;
  finish(): WorkloadGraph;
}

/**
 * Reads GOAL, text or binary, as it arrives; gzip is decompressed. Only the graph is kept in memory, not the file.
 *
 * @param source bytes, or chunks of them of any size.
 * @throws RoceError `invalid-workload`, with the fault, the line or byte, the value found and the values allowed.
 * @example
 * const graph = await readGoal(createReadStream('ring.goal'), { name: 'ring.goal' });
 */
export async function readGoal(source: WorkloadSource, options: GoalOptions = {}): Promise<WorkloadGraph> {
  const checked = checkedOptions(options);
  let parser: Parser | undefined;
  let head = new Uint8Array(0);
  await readChunks(source, checked.name, (chunk) => {
    if (parser !== undefined) {
      parser.push(chunk);
      return;
    }
    head = Uint8Array.of(...head, ...chunk.subarray(0, MAGIC_BYTES));
    if (head.length < MAGIC_BYTES && chunk.length < MAGIC_BYTES) return;
    parser = head.subarray(0, MAGIC_BYTES).includes(0) ? new GoalBinaryParser(checked) : new GoalTextParser(checked);
    parser.push(head);
    parser.push(chunk.subarray(MAGIC_BYTES));
  });
  if (parser === undefined) {
    parser = new GoalTextParser(checked);
    parser.push(head);
  }
  return checkGraph(parser.finish());
}

/**
 * Reads GOAL from a string, synchronously.
 *
 * @throws as `readGoal`.
 */
export function parseGoal(text: string, options: GoalOptions = {}): WorkloadGraph {
  if (typeof text !== 'string') reject({ got: text, allowed: 'a string', where: 'text' });
  const parser = new GoalTextParser(checkedOptions(options));
  parser.push(new TextEncoder().encode(text));
  return checkGraph(parser.finish());
}

class GoalTextParser implements Parser {
  readonly #parser: GoalParser;
  readonly #lines: CompleteLines;

  constructor(options: Required<GoalOptions>) {
    this.#parser = new GoalParser(options);
    this.#lines = new CompleteLines(this.#parser.read, options.name);
  }

  push(chunk: Uint8Array): void {
    this.#lines.push(chunk);
  }

  finish(): WorkloadGraph {
    this.#lines.finish();
    return this.#parser.finish();
  }
}

function checkedOptions(options: GoalOptions): Required<GoalOptions> {
  checkRecord(options, 'options');
  const { name = 'goal', zeroLengthMessages = 'reject', selfMessages = 'reject' } = options;
  if (typeof name !== 'string') reject({ got: name, allowed: 'a string', where: 'options.name' });
  checkField(zeroLengthMessages, oneOf('reject', 'one-byte'), 'options.zeroLengthMessages');
  checkField(selfMessages, oneOf('reject', 'no-time'), 'options.selfMessages');
  return { name, zeroLengthMessages, selfMessages };
}
