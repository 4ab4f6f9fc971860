/**
 * Reads htsim's connection matrices into graphs: a connection is a send and a receive; oneshot triggers and barriers
 * are dependencies. The k-th activation of a multishot trigger starts the k-th flow that names it: activations are
 * messages of one rank to itself, which match receives in order, without using the network.
 */
import { FILE_DEFAULTS } from '../file-defaults.js';
import { checkField, checkRecord, oneOf, reject } from '../../config/field-rules.js';
import type { WorkloadSource } from '../byte-source.js';
import { checkGraph } from '../graph/check-graph.js';
import { GraphBuilder } from '../graph/graph-builder.js';
import type { WorkloadGraph } from '../graph/workload-graph.js';
import { readLines } from '../read-lines.js';
import { MatrixGraph } from './matrix-graph.js';
import { MatrixLines } from './matrix-lines.js';

/** Options for reading a matrix. */
export interface MatrixOptions {
  /** Name of the file in errors. Default `matrix`. */
  readonly name?: string;
  /** Unit of `start`, on which htsim's programs disagree. Default `ps`. */
  readonly startUnit?: 'ps' | 'us';
  /**
   * Whether failing links (`graph.failures`) are applied by a topology file, or only reported in a note. Default
   * `noted`.
   */
  readonly failures?: 'noted' | 'in-topology';
  /**
   * Connections without a size, or of size 0, never end: rejected, or sent until the run ends, which then needs
   * `durationUs`. Default `rejected`.
   */
  readonly endless?: 'rejected' | 'sent';
}

/**
 * Reads a connection matrix (`.cm`); gzip is decompressed.
 *
 * @throws RoceError `invalid-workload`, with the fault, the line, the value found and the values allowed.
 */
export async function readConnectionMatrix(source: WorkloadSource,
  options: MatrixOptions = {}): Promise<WorkloadGraph> {
  checkRecord(options, 'options');
  const { name = 'matrix', startUnit = FILE_DEFAULTS.startUnit, failures = FILE_DEFAULTS.failures } = options;
  const { endless = 'rejected' } = options;
  if (typeof name !== 'string') reject({ got: name, allowed: 'a string', where: 'options.name' });
  checkField(startUnit, oneOf('ps', 'us'), 'options.startUnit');
  checkField(failures, oneOf('noted', 'in-topology'), 'options.failures');
  checkField(endless, oneOf('rejected', 'sent'), 'options.endless');
  const matrix = new MatrixLines(name, endless);
  await readLines(source, name, (line) => {
    matrix.read(line);
  });
  matrix.finish();
  const builder = new GraphBuilder(name);
  const psPerStart = startUnit === 'us' ? 1e6 : 1;
  return checkGraph(new MatrixGraph(matrix, builder, { psPerStart, failures }).build(), 'STUCK');
}
