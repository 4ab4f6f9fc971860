/**
 * First line of SimAI's workload text (docs/specs/workloads.md, 4.3): the parallelism, then `key: value` pairs. `checkpoints` and
 * `checkpoint_initiates` take a count and that many layer numbers; `pp_comm` may lack its colon.
 */
import { wholeOf, wordsOf } from '../read-lines.js';
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
];
const LISTS = ['checkpoints', 'checkpoint_initiates'];
/** More ranks than there may be hosts. */
const RANKS_MAX = 2 ** 20;

/** Content of the first line. */
export interface SimaiHeader {
  readonly kind: 'transformer' | 'data' | 'micro';
  /** Ranks that run: of one stage where there are several. */
  readonly ranks: number;
  /** Of groups: tensor-parallel, expert-parallel. */
  readonly tensor: number;
  readonly expert: number;
  readonly notes: readonly string[];
}

/** Settings outside the file. */
export interface SimaiContext {
  /** GPUs, where the file doesn't say. */
  readonly ranks: number | undefined;
  /** Of several stages of a pipeline one is run. */
  readonly oneStage: boolean;
}

/** @throws RoceError `invalid-workload`. */
export function readHeader(line: string, where: string, context: SimaiContext): SimaiHeader {
  const [name = '', ...words] = wordsOf(line);
  if (!TRANSFORMERS.includes(name) && !OTHERS.includes(name)) {
    const allowed = [...TRANSFORMERS, ...OTHERS];
    rejectWorkload('UNKNOWN_PARALLELISM', { what: 'the parallelism', got: name, allowed, where });
  }
  const values = valuesOf(words, where);
  const kind = TRANSFORMERS.includes(name) ? 'transformer' : name === 'DATA' ? 'data' : 'micro';
  const value = (key: string): number => values.get(key) ?? 1;
  if (kind === 'transformer' && !values.has('model_parallel_NPU_group')) missing('model_parallel_NPU_group', where);
  const all = values.get('all_gpus') ?? context.ranks ?? missing('all_gpus', where);
  requireOne(values, 'ga', where, 'Gradients that add up over several passes are not read');
  if (!context.oneStage)
    requireOne(values, 'pp', where, "SimAI's packet simulation sends nothing between stages; one of them can be run");
  for (const key of LISTS) if ((values.get(key) ?? 0) > 0) rejectCheckpoints(key, where);
  const [tensor, expert, stages] = [value('model_parallel_NPU_group'), value('ep'), value('pp')];
  const ranks = all / stages;
  requireGroups({ ranks, tensor, expert, all }, where);
  return { kind, ranks, tensor, expert, notes: stages > 1 ? [`One of ${stages} stages of the pipeline is run.`] : [] };
}

function valuesOf(words: readonly string[], where: string): ReadonlyMap<string, number> {
  const values = new Map<string, number>();
  for (let at = 0; at < words.length; at++) {
    const key = words[at].replace(/:$/, '');
    if (!KEYS.includes(key) || (key === words[at] && key !== 'pp_comm')) {
      rejectWorkload('UNKNOWN_TOKEN', {
        what: 'the key',
        got: words[at],
        allowed: KEYS.map((one) => `${one}:`),
        where,
      });
    }
    if (values.has(key)) rejectWorkload('DUPLICATE_KEY', { what: key, problem: 'is there twice', where });
    const value = wholeOf(words[++at]);
    if (value === undefined) {
      rejectWorkload('SIMAI_SYNTAX', { what: key, got: words[at], allowed: 'a whole number', where });
    }
    values.set(key, value);
    if (LISTS.includes(key)) at += value;
  }
  return values;
}

function missing(key: string, where: string): never {
  return rejectWorkload('MISSING_KEY', { what: key, problem: 'is missing', where });
}

function requireOne(values: ReadonlyMap<string, number>, key: string, where: string, hint: string): void {
  const got = values.get(key) ?? 1;
  if (got !== 1) rejectWorkload('UNKNOWN_PARALLELISM', { what: key, got, allowed: [1], where, hint });
}

function rejectCheckpoints(key: string, where: string): never {
  return rejectWorkload('UNKNOWN_PARALLELISM', { what: key, problem: 'are not read', where });
}

function requireGroups({ ranks, tensor, expert, all }: Pick<SimaiHeader, 'ranks' | 'tensor' | 'expert'> & {
  readonly all: number;
}, where: string): void {
  const data = ranks / tensor;
  const isSound = ranks >= 2 && ranks <= RANKS_MAX && tensor >= 1 && expert >= 1 && Number.isInteger(ranks) &&
    Number.isInteger(data) && Number.isInteger(data / expert);
  if (isSound) return;
  rejectWorkload('BAD_GROUPS', {
    what: 'the groups',
    problem:
      `do not fit: all GPUs must be groups of tensor-parallel ones, and these groups of expert-parallel ones, 2 to ${RANKS_MAX}`,
    got: { all_gpus: all, model_parallel_NPU_group: tensor, ep: expert },
    where,
  });
}
