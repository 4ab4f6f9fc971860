/**
 * First line of SimAI's workload text (docs/specs/workloads.md, 4.3): the parallelism, followed by `key: value` pairs.
 * `checkpoints` and `checkpoint_initiates` have a count and that many layer numbers; `pp_comm` may lack its colon.
 */
import { LeftOut, workloadNote, type WorkloadNote } from '../notes.js';
import { wordsOf } from '../read-lines.js';
import { rejectWorkload } from '../workload-error.js';

const TRANSFORMERS = ['HYBRID_TRANSFORMER_FWD_IN_BCKWD', 'HYBRID_TRANSFORMER'];
const OTHERS = ['DATA', 'MICRO'];
const KEYS = [
  'model_parallel_NPU_group',
  'ep',
  'pp',
  'vpp',
  'ga',
  'all_gpus',
  'checkpoints',
  'checkpoint_initiates',
  'pp_comm',
  'expert_parallel_npu_group',
];
const LISTS = ['checkpoints', 'checkpoint_initiates'];
/** Maximum number of ranks, more than the possible number of hosts. */
const RANKS_MAX = 2 ** 20;

/** Contents of the file's first line. */
export interface SimaiHeader {
  readonly kind: 'transformer' | 'data' | 'micro';
  /** Number of ranks that run; only those of one stage if a single stage is run. */
  readonly ranks: number;
  /** Sizes of the tensor-parallel and expert-parallel groups. */
  readonly tensor: number;
  readonly expert: number;
  /** Number of pipeline stages, among which the ranks are divided. */
  readonly stages: number;
  /** Number of parts of a stage's layers; a micro-batch visits the other stages between them. */
  readonly virtualStages: number;
  /** Number of micro-batches, whose gradients add up; the file has their rows one after another. */
  readonly microBatches: number;
  /** Bytes that a rank sends to its counterpart in the next stage per micro-batch and part. */
  readonly stageBytes: number;
  readonly notes: readonly WorkloadNote[];
}

/** Settings that are not in the file. */
export interface SimaiContext {
  /** Number of GPUs, used if the file does not state it. */
  readonly ranks: number | undefined;
  /** Whether only one of several pipeline stages is run. */
  readonly oneStage: boolean;
}

type Values = ReadonlyMap<string, number>;

/** Parses the first line. @throws RoceError `invalid-workload`. */
export function readHeader(line: string, where: string, context: SimaiContext): SimaiHeader {
  const [name = '', ...words] = wordsOf(line);
  if (!TRANSFORMERS.includes(name) && !OTHERS.includes(name)) {
    const allowed = [...TRANSFORMERS, ...OTHERS];
    rejectWorkload('UNKNOWN_PARALLELISM', { what: 'the parallelism', got: name, allowed, where });
  }
  const values = valuesOf(words, where);
  const kind = TRANSFORMERS.includes(name) ? 'transformer' : name === 'DATA' ? 'data' : 'micro';
  if (kind === 'transformer' && !values.has('model_parallel_NPU_group')) missing('model_parallel_NPU_group', where);
  const all = values.get('all_gpus') ?? context.ranks ?? missing('all_gpus', where);
  const stated = groupsOf(values);
  if (kind !== 'transformer' && !context.oneStage) requireOneStage(name, stated.stages, where);
  requireGroups(stated, all, context.oneStage, where);
  const header = {
    kind,
    ...stated,
    ...(context.oneStage ? { ranks: all / stated.stages, stages: 1 } : { ranks: all }),
  } as const;
  return { ...header, notes: notesOf(values, stated.stages, header, where) };
}

type Groups = Pick<SimaiHeader, 'tensor' | 'expert' | 'stages' | 'virtualStages' | 'microBatches' | 'stageBytes'>;

function groupsOf(values: Values): Groups {
  const value = (key: string): number => values.get(key) ?? 1;
  return {
    tensor: value('model_parallel_NPU_group'),
    expert: value('ep'),
    stages: value('pp'),
    virtualStages: value('vpp'),
    microBatches: value('ga'),
    stageBytes: values.get('pp_comm') ?? 0,
  };
}

function valuesOf(words: readonly string[], where: string): Values {
  const values = new Map<string, number>();
  for (let at = 0; at < words.length; at++) {
    const key = words[at].replace(/:$/, '');
    if (!KEYS.includes(key) || (key === words[at] && key !== 'pp_comm')) {
      const allowed = KEYS.map((one) => `${one}:`);
      rejectWorkload('UNKNOWN_TOKEN', { what: 'the key', got: words[at], allowed, where });
    }
    if (values.has(key)) rejectWorkload('DUPLICATE_KEY', { what: key, problem: 'occurs twice', where });
    const value = valueOf(key, words[++at]);
    if (value === undefined) {
      rejectWorkload('SIMAI_SYNTAX', { what: key, got: words[at], allowed: 'a whole number', where });
    }
    values.set(key, value);
    if (!LISTS.includes(key)) continue;
    requireLayers(key, value, words.slice(at + 1, at + 1 + value), where);
    at += value;
  }
  return values;
}

/** SimAI truncates fractions, which a generator may write in a number of bytes per GPU. */
function valueOf(key: string, text: string | undefined): number | undefined {
  const value = key === 'pp_comm' ? plainNumber(text, Number.MAX_SAFE_INTEGER) : plainWhole(text);
  return value === undefined ? undefined : Math.floor(value);
}

function requireLayers(key: string, count: number, layers: readonly string[], where: string): void {
  if (layers.length === count && layers.every((layer) => plainWhole(layer) !== undefined)) return;
  const allowed = `${count} layer numbers, according to its count`;
  rejectWorkload('SIMAI_SYNTAX', { what: key, got: layers.join(' '), allowed, where });
}

function missing(key: string, where: string): never {
  return rejectWorkload('MISSING_KEY', { what: key, problem: 'is missing', where });
}

function requireOneStage(name: string, got: number, where: string): void {
  if (got === 1) return;
  const hint = `${name} has no stages; oneStage runs one of them`;
  rejectWorkload('UNKNOWN_PARALLELISM', { what: 'pp', got, allowed: [1], where, hint });
}

function requireGroups({ tensor, expert, stages, virtualStages, microBatches }: Groups, all: number, oneStage: boolean,
  where: string): void {
  const data = all / stages / tensor;
  const isSound = (oneStage ? all / stages : all) >= 2 && all <= RANKS_MAX && virtualStages >= 1 && microBatches >= 1 &&
    [all / stages, data, data / expert].every((count) => Number.isInteger(count) && count >= 1);
  if (isSound) return;
  rejectWorkload('BAD_GROUPS', {
    what: 'the groups',
    problem:
      `do not fit: the GPUs must divide into pipeline stages, a stage into tensor-parallel groups, and these into expert-parallel ` +
      `groups, and 2 to ${RANKS_MAX} GPUs must run`,
    got: {
      all_gpus: all,
      model_parallel_NPU_group: tensor,
      ep: expert,
      pp: stages,
      vpp: virtualStages,
      ga: microBatches,
    },
    where,
  });
}

/** Notes on what the run does not use, with counts. */
function notesOf(values: Values, stated: number, header: Omit<SimaiHeader, 'notes'>, where: string): WorkloadNote[] {
  const left = new LeftOut();
  for (const key of LISTS) {
    const count = values.get(key) ?? 0;
    if (count > 0) left.add('layer-list', where, count, { key });
  }
  const group = values.get('expert_parallel_npu_group') ?? 1;
  if (group !== 1) left.add('expert-group', where, 1, { group });
  return [
    ...(stated > header.stages ? [workloadNote('one-stage', { stages: stated })] : []),
    ...(header.stages > 1 ? [] : withoutStages(header)),
    ...left.notes(),
  ];
}

function withoutStages({ microBatches: passes, virtualStages, stageBytes }: Groups): WorkloadNote[] {
  return [
    ...(passes > 1 ? [workloadNote('micro-batches-as-rows', { passes })] : []),
    ...(virtualStages > 1 ? [workloadNote('virtual-stages-without-pipeline', { virtualStages })] : []),
    ...(stageBytes > 0 ? [workloadNote('stage-bytes-without-pipeline', { stageBytes })] : []),
  ];
}

/**
 * Parses numbers of SimAI's workload text: whole numbers, which Python generators may write as `8388608.0` or `1e6`.
 */
const PATTERN = /^\d{1,16}(?:\.\d{0,16})?(?:[eE]\+?\d{1,2})?$/;

/** Parses a number without a sign; undefined if it is not one, or above `max`. */
export function plainNumber(text: string | undefined, max: number): number | undefined {
  const value = text !== undefined && PATTERN.test(text) ? Number(text) : NaN;
  return value <= max ? value : undefined;
}

/** Parses a whole number in any of these notations; undefined if it is not one. */
export function plainWhole(text: string | undefined, max = Number.MAX_SAFE_INTEGER): number | undefined {
  const value = plainNumber(text, max);
  return value !== undefined && Number.isInteger(value) ? value : undefined;
}
