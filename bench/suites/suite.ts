/** A suite: cases made one after another, because one with a million QPs takes half a gigabyte. */
import type { BenchCase } from '../support/interleave.js';

/** Size of the cases. */
export interface SuiteSize {
  /** Everything tiny: only whether it runs and agrees counts. */
  readonly smoke: boolean;
}

/** A case that is not made yet. */
export interface CasePlan {
  readonly title: string;
  /** Small enough for benny, which times putting the state back too. */
  readonly inBenny?: boolean;
  make(): BenchCase;
}

export interface Suite {
  readonly name: string;
  /** One line for people. */
  readonly about: string;
  /** What its cases need, such as compiled modules. */
  prepare?(): Promise<void>;
  plan(size: SuiteSize): readonly CasePlan[];
}

/** `64`, `57k`, `1M`. */
export function sizeName(count: number): string {
  if (count >= 900_000) return `${Number((count / 1e6).toFixed(1))}M`;
  return count >= 1000 ? `${Math.round(count / 1000)}k` : String(count);
}
