/** The goals of docs/internals/design.md as ratios, and what a run says about each. */
import { ratioOf, type CaseResult } from './interleave.js';
import type { SingleResult } from './single-results.js';

interface Goal {
  /** Start of the titles of the cases it is about. */
  readonly title: string;
  readonly variant: string;
  readonly base: string;
  /** `at most` this ratio of variant to base, or `at least`. */
  readonly bound: 'at most' | 'at least';
  readonly value: number;
}

export interface GoalResult {
  readonly text: string;
  readonly wanted: string;
  readonly got: number;
  readonly reached: boolean;
}

const WASM = 'wasm, batch 4096';
const NATIVE = 'native C, batch 4096';
const PREFETCHING = 'native C with prefetch, batch 4096';
const NATIVE_PACKETS = 'native C, one pass, batch 4096';
const MAP = 'Map of objects';
const ABSL = 'absl::flat_hash_map';
const BYTES_PER_QP_MAX = 128;
/** Cost of the readings of the heap statistics themselves. */
const BYTES_PER_EVENT_MAX = 0.25;

const GOALS: readonly Goal[] = [
  ...bySize('mix uniform', WASM, NATIVE, 'at most', [1, 0.75, 0.5]),
  ...bySize('cnp uniform', WASM, NATIVE, 'at most', [1.2, 1, 0.55]),
  ...bySize('mix zipf', WASM, NATIVE, 'at most', [1.2, 1.2, 1.2]),
  ...bySize('mix uniform', WASM, PREFETCHING, 'at most', [1.05, 1.25, 1.6]),
  ...bySize('mix uniform', MAP, WASM, 'at least', [4, 12, 20]),
  ...bySize('hpcc 5 hops', WASM, NATIVE, 'at most', [0.95, 0.65, 0.36]),
  ...bySize('mixed', 'wasm, mixed batches', 'wasm, pure batches', 'at most', [1.1, 1.1]),
  ...bySize('packets', WASM, NATIVE_PACKETS, 'at most', [1.05, 0.8, 0.65]),
  ...['64k load 0.5', '57k load 0.875', '1M load 0.5', '0.9M load 0.875', '4M load 0.5', '3.7M load 0.875'].flatMap((
    load,
  ) =>
    ['hit', 'miss'].map((kind): Goal => ({
      title: `lookup ${kind} ${load}`,
      variant: 'wasm',
      base: ABSL,
      bound: 'at most',
      value: kind === 'hit' ? 1 : 1.2,
    }))
  ),
];

function bySize(workload: string, variant: string, base: string, bound: Goal['bound'],
  values: readonly number[]): readonly Goal[] {
  const sizes = ['1k', '64k', '1M'];
  return values.map((value, i) => ({ title: `${workload} ${sizes[i] ?? ''}`, variant, base, bound, value }));
}

/** Goals about cases that were not run are left out. */
export function goalResults(suites: readonly { readonly cases: readonly CaseResult[] }[],
  singles: readonly SingleResult[]): readonly GoalResult[] {
  const cases = suites.flatMap((suite) => suite.cases);
  const ratios = GOALS.flatMap((goal) => {
    const result = cases.find((one) => one.title === goal.title);
    const got = result === undefined ? NaN : ratioOf(result, goal.variant, goal.base);
    if (Number.isNaN(got)) return [];
    const reached = goal.bound === 'at most' ? got <= goal.value : got >= goal.value;
    return [{
      text: `${goal.title}: ${goal.variant} / ${goal.base}`,
      wanted: `${goal.bound} ${goal.value}`,
      got,
      reached,
    }];
  });
  const bounds = [BYTES_PER_QP_MAX, BYTES_PER_EVENT_MAX];
  const numbers = singles.map(({ name, value }, i) => {
    const most = bounds[i] ?? NaN;
    return { text: `${name}, bytes`, wanted: `at most ${most}`, got: value, reached: value <= most };
  });
  return [...ratios, ...numbers];
}

export function goalsText(goals: readonly GoalResult[]): string {
  return goals.map((goal) =>
    `${goal.reached ? 'reached    ' : 'NOT reached'} ${goal.got.toFixed(3).padStart(8)}  ${
      goal.wanted.padEnd(13)
    } ${goal.text}`
  ).join('\n');
}

export function goalsTable(goals: readonly GoalResult[]): string {
  const rows = goals.map((goal) =>
    `| ${goal.text} | ${goal.wanted} | ${goal.got.toFixed(3)} | ${goal.reached ? 'yes' : 'no'} |`
  );
  return ['| measurement | goal | measured | reached |', '|---|---:|---:|---|', ...rows].join('\n');
}
