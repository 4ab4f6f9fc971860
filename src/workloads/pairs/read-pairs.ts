/** Reads lists of messages: `FROM TO BYTES` per line, by rank; all messages start together. */
import { checkGraph } from '../graph/check-graph.js';
import { GraphBuilder } from '../graph/graph-builder.js';
import { NO_LANE, RECEIVE, SEND, type WorkloadGraph } from '../graph/workload-graph.js';
import { readLines, type WorkloadSource } from '../read-lines.js';
import { rejectWorkload } from '../workload-error.js';

interface Pair {
  readonly from: number;
  readonly to: number;
  readonly sizeBytes: number;
  readonly line: number;
}

const LINE_PATTERN = /^(\d{1,7}) (\d{1,7}) (\d{1,15})$/;

/**
 * Reads a list of messages (`.pairs`); gzip is decompressed.
 *
 * @param options `name` of the file in errors.
 * @throws RoceError `invalid-workload`, with the fault, the line, the value found and the values allowed.
 */
export async function readPairs(source: WorkloadSource,
  { name = 'pairs' }: { readonly name?: string } = {}): Promise<WorkloadGraph> {
  const pairs: Pair[] = [];
  let number = 0;
  await readLines(source, name, (text) => {
    const line = ++number;
    const found = LINE_PATTERN.exec(text.trim());
    if (found === null) {
      rejectWorkload('PAIRS_SYNTAX', {
        what: 'the message',
        got: text,
        allowed: 'FROM TO BYTES',
        where: `${name}, line ${line}`,
      });
    }
    const [from = 0, to = 0, sizeBytes = 0] = found.slice(1).map(Number);
    pairs.push({ from, to, sizeBytes, line });
  });
  const builder = new GraphBuilder(name);
  const ranks = pairs.reduce((count, { from, to }) => Math.max(count, from + 1, to + 1), 0);
  for (let rank = 0; rank < ranks; rank++) {
    builder.beginRank(rank);
    pairs.forEach(({ from, to, sizeBytes, line }, index) => {
      if (from === rank) builder.addRow(SEND, sizeBytes, to, index, NO_LANE, 0, line);
      if (to === rank) builder.addRow(RECEIVE, sizeBytes, from, index, NO_LANE, 0, line);
    });
  }
  return checkGraph(builder.finish(ranks), 'STUCK');
}
