/** Reads SimAI's workload text into a graph: one pass over its layers. */
import { checkField, checkRecord, reject, wholeIn } from '../../config/field-rules.js';
import { FILE_DEFAULTS } from '../job-formats.js';
import { checkGraph } from '../graph/check-graph.js';
import type { WorkloadGraph } from '../graph/workload-graph.js';
import { LeftOut, workloadNote } from '../notes.js';
import { readLines, wholeOf, wordsOf, type WorkloadSource } from '../read-lines.js';
import { rejectWorkload } from '../workload-error.js';
import { completeNcclSettings, type CompleteNcclSettings, type NcclSettings } from './nccl/nccl-settings.js';
import { SimaiGraph } from './simai-graph.js';
import { readHeader, type SimaiHeader, type SimaiContext } from './simai-header.js';
import { readLayer, type SimaiLayer, groupSize, type SimaiPhase } from './simai-layers.js';

/** Options for reading a workload of SimAI. */
export interface SimaiOptions extends NcclSettings {
  /** Name of the file in errors. Default `workload`. */
  readonly name?: string;
  /**
   * Number of GPUs if the file has no `all_gpus`: those of the topology. 2 to 1,048,576. Default: such a file is
   * rejected.
   */
  readonly ranks?: number;
  /** Whether to run only one stage of a pipeline with several stages. Default false: run all stages. */
  readonly oneStage?: boolean;
}

const RANKS_MAX = 2 ** 20;
const LAYERS_MAX = 100_000;

/**
 * Reads a SimAI workload; gzip is decompressed. Collectives become messages as in SimAI for `gpusPerServer`.
 *
 * @throws RoceError `invalid-workload`, with the fault, the line, the value found and the values allowed.
 */
export async function readSimai(source: WorkloadSource, options: SimaiOptions = {}): Promise<WorkloadGraph> {
  checkRecord(options, 'options');
  const { name = 'workload', ranks, oneStage = FILE_DEFAULTS.oneStage } = options;
  if (typeof name !== 'string') reject({ got: name, allowed: 'a string', where: 'options.name' });
  if (typeof oneStage !== 'boolean') reject({ got: oneStage, allowed: [true, false], where: 'options.oneStage' });
  if (ranks !== undefined) checkField(ranks, wholeIn(2, RANKS_MAX), 'options.ranks');
  const lines = new SimaiLines(name, { ranks, oneStage }, completeNcclSettings(options, 'options'));
  await readLines(source, name, (line) => {
    lines.read(line);
  });
  return checkGraph(lines.finish());
}

class SimaiLines {
  readonly #name: string;
  readonly #context: SimaiContext;
  readonly #settings: CompleteNcclSettings;
  readonly #layers: SimaiLayer[] = [];
  readonly #unused = new LeftOut();
  #header: SimaiHeader | undefined;
  #count: number | undefined;
  #line = 0;
  #left = 0;

  constructor(name: string, context: SimaiContext, settings: CompleteNcclSettings) {
    this.#name = name;
    this.#settings = settings;
    this.#context = context;
  }

  read(text: string): void {
    this.#line++;
    if (text.trim() === '') return;
    const where = `${this.#name}, line ${this.#line}`;
    if (this.#header === undefined) this.#header = readHeader(text, where, this.#context);
    else if (this.#count === undefined) this.#count = countOf(text, where);
    else if (this.#layers.length < this.#count) this.#readLayer(text, where);
    else this.#left++;
  }

  #readLayer(text: string, where: string): void {
    this.#layers.push(readLayer(text, { line: this.#line, where, left: this.#unused }));
  }

  finish(): WorkloadGraph {
    const [header, count] = [this.#header, this.#count];
    const got = this.#layers.length;
    if (header === undefined || count === undefined || got < count) {
      const problem = count === undefined ? 'ends before its layers' : `ends after ${got} of ${count} layers`;
      rejectWorkload('TRUNCATED', { what: 'the workload', problem, where: this.#name });
    }
    const left = this.#left;
    countUnused(header, this.#layers, this.#name, this.#unused);
    const notes = [
      ...(left === 0 ? [] : [workloadNote('lines-behind-layers', { lines: left, layers: count })]),
      ...this.#unused.notes(),
    ];
    return new SimaiGraph({ ...header, notes: [...header.notes, ...notes] }, this.#layers, this.#name, this.#settings)
      .build();
  }
}

function countOf(text: string, where: string): number {
  const words = wordsOf(text);
  const count = words.length === 1 ? wholeOf(words[0], LAYERS_MAX) : undefined;
  if (count !== undefined && count > 0) return count;
  const allowed = `a whole number from 1 to ${LAYERS_MAX}`;
  return rejectWorkload('SIMAI_SYNTAX', { what: 'the number of layers', got: text.trim(), allowed, where });
}

/** Counts what this kind of pass does not use of the layers, for notes. */
function countUnused(header: SimaiHeader, layers: readonly SimaiLayer[], name: string, left: LeftOut): void {
  for (const [index, layer] of layers.entries()) {
    const where = `${name}, line ${layer.line}`;
    const phases = runPhases(header.kind, layer, index === 0);
    const collectives = phases.filter(({ sends }) => sends).map(({ phase }) => phase.collective);
    const alone = collectives.filter((one) => one !== undefined && groupSize(header, one.group) === 1).length;
    const silent = phases.filter(({ phase, sends }) => !sends && phase.collective !== undefined).length;
    const idle = phases.filter(({ phase, computes }) => !computes && phase.computePs > 0).length;
    if (alone > 0) {
      left.add('groups-of-one-gpu', where, alone);
    }
    if (silent > 0) {
      left.add('collectives-of-other-passes', where, silent, { pass: header.kind });
    }
    if (idle > 0) {
      left.add('computes-of-other-passes', where, idle, { pass: header.kind });
    }
    const exchanges = collectives.filter((one) => one !== undefined).length - alone;
    if (layer.delayPs > 0 && exchanges === 0) {
      left.add('update-times', where, 1);
    }
  }
}

interface Phase {
  readonly phase: SimaiPhase;
  readonly computes: boolean;
  readonly sends: boolean;
}

function runPhases(kind: SimaiHeader['kind'], layer: SimaiLayer, isFirst: boolean): Phase[] {
  const { forward, inputGradient, weightGradient } = layer;
  const of = (phase: SimaiPhase, computes: boolean, sends: boolean): Phase => ({ phase, computes, sends });
  if (kind === 'micro')
    return [of(forward, false, false), of(inputGradient, false, false), of(weightGradient, false, true)];
  if (kind === 'data')
    return [of(forward, true, false), of(inputGradient, !isFirst, false), of(weightGradient, true, true)];
  return [forward, inputGradient, weightGradient].map((phase) => of(phase, true, true));
}
