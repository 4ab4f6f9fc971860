/**
 * Layers of SimAI's workload text: name, dependency (-1, not used), then compute time in ns, collective and bytes of
 * the forward pass, the input gradient and the weight gradient, and a delay in ns after each of its collectives.
 */
import type { CollectiveKind } from '../collectives/algorithms.js';
import type { LeftOut } from '../notes.js';
import { wordsOf } from '../read-lines.js';
import { rejectWorkload } from '../workload-error.js';
import { plainNumber, plainWhole, type SimaiHeader } from './simai-header.js';

const COLUMNS = 12;
const KINDS: Readonly<Record<string, CollectiveKind>> = {
  ALLREDUCE: 'all-reduce',
  ALLGATHER: 'all-gather',
  REDUCESCATTER: 'reduce-scatter',
  ALLTOALL: 'all-to-all',
};
/** Appears in public files; SimAI does not know this collective and sends nothing. */
const UNSENT = 'BROADCAST';
const GROUPS = ['', 'EP', 'DP_EP'] as const;
const DURATION_MAX_NS = Number.MAX_SAFE_INTEGER / 1000;
/** Smaller forward sizes are raised to this. */
const FORWARD_LEAST_BYTES = 4096;

/** Ranks that take part in a collective, as determined by the column or by the collective's suffix. */
export type SimaiGroup = 'tensor' | 'data' | 'expert' | 'data-expert';

/** A collective of a layer. */
export interface SimaiCollective {
  readonly kind: CollectiveKind;
  readonly group: SimaiGroup;
  readonly sizeBytes: number;
}

/** A compute, and the collective after it. */
export interface SimaiPhase {
  readonly computePs: number;
  readonly collective: SimaiCollective | undefined;
}

/** A layer, as given in one line of the file. */
export interface SimaiLayer {
  readonly line: number;
  readonly name: string;
  readonly forward: SimaiPhase;
  readonly inputGradient: SimaiPhase;
  readonly weightGradient: SimaiPhase;
  /** Delay after each collective of the layer. */
  readonly delayPs: number;
}

/** Place of a layer, and the counter of unused items. */
export interface LayerPlace {
  readonly line: number;
  /** File and line. */
  readonly where: string;
  readonly left: LeftOut;
}

/** Parses the line of a layer. @throws RoceError `invalid-workload`. */
export function readLayer(text: string, place: LayerPlace): SimaiLayer {
  const { line, where, left } = place;
  const words = wordsOf(text);
  if (words.length !== COLUMNS) {
    rejectWorkload('SIMAI_SYNTAX', { what: 'the number of columns', got: words.length, allowed: COLUMNS, where });
  }
  if (!/^-?\d{1,10}$/.test(words[1])) {
    rejectWorkload('SIMAI_SYNTAX', { what: 'the dependency', got: words[1], allowed: 'a whole number', where });
  }
  if (words[1] !== '-1') {
    left.add('dependencies', where, 1);
  }
  const phase = (column: number, own: SimaiGroup, leastBytes = 0): SimaiPhase => ({
    computePs: durationPs(words[column], where),
    collective: collectiveOf(words[column + 1], words[column + 2], own, { leastBytes, where, left }),
  });
  return {
    line,
    name: words[0],
    forward: phase(2, 'tensor', FORWARD_LEAST_BYTES),
    inputGradient: phase(5, 'tensor'),
    weightGradient: phase(8, 'data'),
    delayPs: durationPs(words[11], where),
  };
}

/** Parses nanoseconds with at most three decimals. */
function durationPs(text: string, where: string): number {
  const durationNs = plainNumber(text, DURATION_MAX_NS);
  const ps = Math.round((durationNs ?? NaN) * 1000);
  if (durationNs !== undefined && ps / 1000 === durationNs) return ps;
  return rejectWorkload('SIMAI_SYNTAX', {
    what: 'the time',
    got: text,
    allowed: 'nanoseconds, whole picoseconds',
    where,
  });
}

interface CollectivePlace extends Omit<LayerPlace, 'line'> {
  readonly leastBytes: number;
}

/** Parses `NONE`, or a kind with the suffix of its group. */
function collectiveOf(word: string, size: string, own: SimaiGroup, { leastBytes, where, left }: CollectivePlace):
  | SimaiCollective
  | undefined {
  const sizeBytes = plainWhole(size);
  if (sizeBytes === undefined) {
    rejectWorkload('BAD_SIZE', { what: 'the size', got: size, allowed: 'a whole number of bytes', where });
  }
  if (word === 'NONE') {
    if (sizeBytes > 0)
      left.add('sizes-without-collectives', where, 1);
    return undefined;
  }
  if (word === UNSENT) {
    left.add('unsent-collectives', where, 1, { word });
    return undefined;
  }
  const kindAndGroup = kindOf(word, own, where);
  if (sizeBytes === 0) {
    left.add('empty-collectives', where, 1);
    return undefined;
  }
  if (sizeBytes < leastBytes) {
    left.add('small-forward-sizes', where, 1, { leastBytes });
  }
  return { ...kindAndGroup, sizeBytes: Math.max(leastBytes, sizeBytes) };
}

function kindOf(word: string, own: SimaiGroup, where: string): Omit<SimaiCollective, 'sizeBytes'> {
  const [name, ...suffix] = word.split('_');
  const place = (GROUPS as readonly string[]).indexOf(suffix.join('_'));
  if (!Object.hasOwn(KINDS, name) || place < 0 || word.endsWith('_')) {
    const allowed = ['NONE', ...Object.keys(KINDS).flatMap((kind) => [kind, `${kind}_EP`, `${kind}_DP_EP`])];
    rejectWorkload('UNKNOWN_COLLECTIVE', { what: 'the collective', got: word, allowed, where });
  }
  return { kind: KINDS[name], group: ([own, 'expert', 'data-expert'] as const)[place] };
}

type Groups = Pick<SimaiHeader, 'ranks' | 'tensor' | 'expert' | 'stages'>;

/**
 * Number of members in a group of this kind (docs/specs/workloads.md, 4.3), each within a stage of the pipeline: tensor =
 * adjacent ranks; data = every n-th; expert = adjacent ranks within a data group; data-expert = ranks at the same position
 * in all expert groups of a data group.
 */
export function groupSize({ ranks, tensor, expert, stages }: Groups, group: SimaiGroup): number {
  const data = ranks / stages / tensor;
  return { tensor, data, expert, 'data-expert': data / expert }[group];
}

/** Members of the group that a rank is in, in ascending order. */
export function membersOf(header: Groups, group: SimaiGroup, rank: number): number[] {
  const { ranks, tensor, expert, stages } = header;
  const place = rank % (ranks / stages);
  const [row, column] = [Math.floor(place / tensor), place % tensor];
  const first = {
    tensor: place - column,
    data: column,
    expert: column + (row - (row % expert)) * tensor,
    'data-expert': column + (row % expert) * tensor,
  }[group];
  const apart = { tensor: 1, data: tensor, expert: tensor, 'data-expert': tensor * expert }[group];
  return Array.from({ length: groupSize(header, group) }, (_, index) => rank - place + first + index * apart);
}
