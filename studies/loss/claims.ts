/** Claims of the IRN paper (SIGCOMM 2018, sections 1, 4.2 and 4.3), each as two runs of one traffic. */

/** Names of the transports and networks in claims.json. */
export const SIDES = {
  roce: 'go-back-n with PFC',
  roceLossy: 'go-back-n without PFC',
  irnPfc: 'irn with PFC',
  irn: 'irn without PFC',
  noCap: 'irn without cap, without PFC',
  capAlone: 'go-back-n with a window of a BDP, without PFC',
} as const;

/** The paper says that the first does better than the second, or as well. */
export interface Claim {
  readonly words: string;
  readonly better: keyof typeof SIDES;
  readonly worse: keyof typeof SIDES;
}

export const CLAIMS: readonly Claim[] = [
  { words: 'IRN without PFC does better than RoCE (go-back-N) with PFC', better: 'irn', worse: 'roce' },
  { words: 'IRN needs no PFC: it does no better with PFC', better: 'irn', worse: 'irnPfc' },
  { words: 'RoCE needs PFC', better: 'roce', worse: 'roceLossy' },
  { words: 'The BDP cap matters: IRN without it does worse', better: 'irn', worse: 'noCap' },
  { words: 'Selective retransmission matters: go-back-N with the cap does worse', better: 'irn', worse: 'capAlone' },
];
