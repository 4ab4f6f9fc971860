/** Names of the lists that `roce-cc list` prints, and its options. */
export const LISTS = ['scenarios', 'sweeps', 'tunings', 'presets', 'algorithms'] as const;
export type ListName = (typeof LISTS)[number];

export interface ListFlags {
  readonly json?: boolean;
}
