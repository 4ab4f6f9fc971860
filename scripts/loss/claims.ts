/** Claims of the IRN paper (SIGCOMM 2018, sections 1, 4.2 and 4.3), each as two ways to run one traffic. */
import { caseOf, LOSSLESS, LOSSY_1, scenarioOf, WAYS, type Configuration, type Way } from './cases.js';
import type { AlgorithmSpec, ScenarioSpec } from '../../src/sim/scenario/spec.js';

const LOAD = caseOf('load 0.8', 'lossless', 'irn').load;
/** Beyond any flow. */
const NO_CAP = 2 ** 32 - 1;
const [GO_BACK_N, , , IRN] = WAYS as readonly [Way, Way, Way, Way];
const UNCAPPED: Configuration = {
  ...LOSSY_1,
  hosts: { irn: { windowBytes: NO_CAP }, reorderingWindowPackets: 65_536 },
};

/** One way to run the traffic. */
export interface Side {
  readonly name: string;
  readonly configuration: Configuration;
  readonly way: Way;
}

export const SIDES = {
  roce: { name: 'go-back-n with PFC', configuration: LOSSLESS, way: GO_BACK_N },
  roceLossy: { name: 'go-back-n without PFC', configuration: LOSSY_1, way: GO_BACK_N },
  irnPfc: { name: 'irn with PFC', configuration: LOSSLESS, way: IRN },
  irn: { name: 'irn without PFC', configuration: LOSSY_1, way: IRN },
  noCap: { name: 'irn without cap, without PFC', configuration: UNCAPPED, way: IRN },
  capAlone: {
    name: 'go-back-n with a window of a BDP, without PFC',
    configuration: LOSSY_1,
    way: { ...GO_BACK_N, window: 'fixed' },
  },
} as const satisfies Record<string, Side>;

/** The paper says that the first does better than the second, or as well. */
export interface Claim {
  readonly words: string;
  readonly better: keyof typeof SIDES;
  readonly worse: keyof typeof SIDES;
}

export const CLAIMS: readonly Claim[] = [
  { words: 'IRN without PFC does better than RoCE (go-back-N) with PFC', better: 'irn', worse: 'roce' },
  { words: 'IRN needs no PFC: with it, it does no better', better: 'irn', worse: 'irnPfc' },
  { words: 'RoCE needs PFC', better: 'roce', worse: 'roceLossy' },
  { words: 'The BDP cap matters: IRN without it does worse', better: 'irn', worse: 'noCap' },
  { words: 'Selective retransmission matters: go-back-N with the cap does worse', better: 'irn', worse: 'capAlone' },
];

export function scenarioOfSide({ name, configuration, way }: Side, algorithm: AlgorithmSpec): ScenarioSpec {
  return { ...scenarioOf({ ...configuration, way, load: LOAD, algorithm }), name };
}
