/**
 * Reads htsim's connection matrices into graphs: a connection is a send and a receive; oneshot triggers and barriers
 * are dependencies. The k-th activation of a multishot trigger starts the k-th flow that names it: activations are
 * messages of one rank to itself, which match receives in order, without using the network.
 */
import { checkField, checkRecord, oneOf, reject } from '../../config/field-rules.js';
import { FILE_DEFAULTS } from '../job-formats.js';
import { checkGraph } from '../graph/check-graph.js';
import { GraphBuilder } from '../graph/graph-builder.js';
import { COMPUTE, NO_LANE, RECEIVE, SEND, type WorkloadGraph } from '../graph/workload-graph.js';
import { LeftOut, workloadNote } from '../notes.js';
import { readLines, type WorkloadSource } from '../read-lines.js';
import { rejectWorkload } from '../workload-error.js';
import { MatrixLines, type MatrixConnection, type MatrixTrigger } from './matrix-lines.js';

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

/** Event that fires a trigger: the end of a connection's send or receive. */
interface Activation {
  readonly connection: number;
  readonly atReceiver: boolean;
}

interface TriggerUse {
  readonly trigger: MatrixTrigger;
  readonly activations: Activation[];
  /** Connections that the trigger starts. */
  readonly started: number[];
}

const NONE = -1;

/**
 * Converts connections and triggers to operations; triggers belong to an extra rank, in addition to those of the file.
 */
class MatrixGraph {
  readonly #matrix: MatrixLines;
  readonly #builder: GraphBuilder;
  readonly #psPerStart: number;
  readonly #failures: 'noted' | 'in-topology';
  readonly #uses = new Map<number, TriggerUse>();
  readonly #sends: Int32Array;
  readonly #receives: Int32Array;

  constructor(matrix: MatrixLines, builder: GraphBuilder,
    { psPerStart, failures }: { readonly psPerStart: number; readonly failures: 'noted' | 'in-topology' }) {
    this.#matrix = matrix;
    this.#builder = builder;
    this.#psPerStart = psPerStart;
    this.#failures = failures;
    this.#sends = new Int32Array(matrix.connections.length).fill(NONE);
    this.#receives = this.#sends.slice();
  }

  build(): WorkloadGraph {
    const { connections, nodes, triggers, failures } = this.#matrix;
    triggers.forEach((trigger, id) => this.#uses.set(id, { trigger, activations: [], started: [] }));
    connections.forEach((connection, index) => {
      this.#noteUses(connection, index);
    });
    this.#uses.forEach((use, id) => {
      this.#checkUse(use, id);
    });
    this.#addConnections();
    if (this.#uses.size > 0) this.#builder.beginRank(nodes);
    [...this.#uses.values()].forEach((use, tag) => {
      if (use.trigger.type === 'multishot') this.#addMultishot(use, nodes, tag);
      else this.#addStatic(use);
    });
    for (const failure of failures) this.#builder.fail(failure);
    this.#note();
    return this.#builder.finish(nodes + Number(this.#uses.size > 0), nodes);
  }

  #noteUses(connection: MatrixConnection, index: number): void {
    const { trigger, sendDone, receiveDone, line } = connection;
    if (trigger >= 0) this.#useOf(trigger, line).started.push(index);
    if (sendDone >= 0) this.#useOf(sendDone, line).activations.push({ connection: index, atReceiver: false });
    if (receiveDone >= 0) this.#useOf(receiveDone, line).activations.push({ connection: index, atReceiver: true });
  }

  #useOf(id: number, line: number): TriggerUse {
    const use = this.#uses.get(id);
    if (use !== undefined) return use;
    const allowed = [...this.#uses.keys()];
    return rejectWorkload('UNKNOWN_TRIGGER', {
      what: 'the trigger',
      got: id,
      allowed,
      where: this.#matrix.where(line),
    });
  }

  /** Checks that a trigger can start all connections that name it, and does not fire too often. */
  #checkUse({ trigger, activations, started }: TriggerUse, id: number): void {
    const { type, count, line } = trigger;
    const got = activations.length;
    const where = this.#matrix.where(line);
    const needed = type === 'multishot' ? started.length : started.length === 0 ? 0 : count;
    if (got < needed) {
      const first = this.#matrix.connections[started[type === 'multishot' ? got : 0]];
      const problem = `is activated ${
        got === 1 ? 'once' : `${got} times`
      }, but needs ${needed}: the connection of line ${first.line} never starts`;
      rejectWorkload('STUCK', { what: `the trigger ${id}`, problem, where });
    }
    if (type !== 'multishot' && got > count) {
      const problem = `is activated ${got} times, but accepts only ${count}`;
      rejectWorkload('FIRED_TWICE', { what: `the trigger ${id}`, problem, where });
    }
  }

  #addConnections(): void {
    const { connections, nodes } = this.#matrix;
    const bySource = group(connections, nodes, ({ source }) => source);
    const byDestination = group(connections, nodes, ({ destination }) => destination);
    for (let node = 0; node < nodes; node++) {
      this.#builder.beginRank(node);
      for (const index of bySource[node]) this.#addSend(connections[index], index);
      for (const index of byDestination[node]) {
        const { source, sizeBytes, line } = connections[index];
        this.#receives[index] = this.#builder.addRow(RECEIVE, sizeBytes, source, index, NO_LANE, 0, line);
      }
    }
  }

  #addSend({ destination, sizeBytes, start, line }: MatrixConnection, index: number): void {
    const startPs = Math.round(start * this.#psPerStart);
    if (startPs > Number.MAX_SAFE_INTEGER) {
      const problem = 'is beyond the range of the clock';
      rejectWorkload('CM_SYNTAX', { what: 'start', problem, got: start, where: this.#matrix.where(line) });
    }
    const begin = startPs > 0 ? this.#builder.addRow(COMPUTE, startPs, 0, 0, NO_LANE, 0, line) : NONE;
    this.#sends[index] = this.#builder.addRow(SEND, sizeBytes, destination, index, NO_LANE, 0, line);
    if (begin >= 0) this.#builder.depend(this.#sends[index], begin);
  }

  #endOf({ connection, atReceiver }: Activation): number {
    return atReceiver ? this.#receives[connection] : this.#sends[connection];
  }

  /** All connections wait for one operation, which waits for all activations of the trigger. */
  #addStatic({ activations, started, trigger }: TriggerUse): void {
    const joint = this.#builder.addRow(COMPUTE, 0, 0, 0, NO_LANE, 0, trigger.line);
    for (const activation of activations) this.#builder.depend(joint, this.#endOf(activation));
    for (const connection of started) this.#builder.depend(this.#sends[connection], joint);
  }

  /** Activations beyond the number of connections have receives, but start nothing. */
  #addMultishot({ activations, started, trigger }: TriggerUse, rank: number, tag: number): void {
    for (const activation of activations) {
      const fired = this.#builder.addRow(SEND, 1, rank, tag, NO_LANE, 0, trigger.line);
      this.#builder.depend(fired, this.#endOf(activation));
    }
    activations.forEach((_, place) => {
      const taken = this.#builder.addRow(RECEIVE, 1, rank, tag, NO_LANE, 0, trigger.line);
      if (place < started.length) this.#builder.depend(this.#sends[started[place]], taken);
    });
  }

  #note(): void {
    const leftOut = new LeftOut();
    for (const connection of this.#matrix.connections) this.#noteConnection(connection, leftOut);
    for (const line of this.#failures === 'noted' ? this.#matrix.failureLines : [])
      leftOut.add('failures-not-applied', this.#matrix.where(line), 1);
    for (const note of leftOut.notes()) this.#builder.note(note);
    this.#noteStarts();
  }

  #noteConnection({ line, sizeBytes, sendDone, receiveDone, hasPriority, isMessage }: MatrixConnection,
    leftOut: LeftOut): void {
    const where = this.#matrix.where(line);
    const isEndless = sizeBytes === Infinity;
    if (isEndless) leftOut.add('endless-connections', where, 1);
    if (isEndless && sendDone + receiveDone > 2 * NONE) leftOut.add('triggers-never-set-off', where, 1);
    if (hasPriority) leftOut.add('priorities', where, 1);
    if (isMessage) leftOut.add('reused-connections', where, 1);
  }

  #noteStarts(): void {
    const last = this.#matrix.connections.reduce((latest, { start }) => Math.max(latest, start), 0);
    if (last === 0) return;
    const unit = this.#psPerStart === 1 ? 'ps' : 'us';
    this.#builder.note(workloadNote('unit-of-starts', { unit, last }));
  }
}

function group(connections: readonly MatrixConnection[], nodes: number,
  keyOf: (connection: MatrixConnection) => number): number[][] {
  const groups: number[][] = Array.from({ length: nodes }, () => []);
  connections.forEach((connection, index) => groups[keyOf(connection)].push(index));
  return groups;
}
