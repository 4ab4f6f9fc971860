/** For each kind of error that the linter names and the simulator can show: a scenario that has it, and one that has not. */
import type { LintRule } from '../../src/qos/lint-rules.js';
import type { ScenarioSpec } from '../../src/sim/scenario/spec.js';

/** Eight hosts to one over two switches; little memory. */
const INCAST: ScenarioSpec = {
  name: 'incast',
  durationUs: 5000,
  topology: { kind: 'dumbbell', left: 8, right: 1 },
  workload: { kind: 'incast', senders: 8, sizeBytes: 500_000 },
  network: 'lossless',
  switches: { bufferBytes: 1_500_000 },
};
/** One host over a slower link. */
const SINGLE: ScenarioSpec = {
  ...INCAST,
  name: 'single',
  topology: { kind: 'dumbbell', left: 1, right: 1, bottleneck: { rateGbps: 25 } },
  workload: { kind: 'incast', senders: 1, sizeBytes: 2_000_000 },
};

/** An error of the linter in a run. */
export interface LintExample {
  readonly rule: LintRule;
  /** What is set, in words. */
  readonly words: string;
  readonly good: ScenarioSpec;
  readonly bad: ScenarioSpec;
  /** What it does harm to, and whether that grows or falls. */
  readonly harm: 'drops' | 'pauses' | 'marks';
}

const S0 = ['s0'];

export const LINT_EXAMPLES: readonly LintExample[] = [
  {
    rule: 'pause-one-sided',
    words: '`s0` sends no pauses',
    good: INCAST,
    bad: { ...INCAST, overrides: [{ nodes: S0, switch: { pfc: false } }] },
    harm: 'drops',
  },
  {
    rule: 'priority-differs',
    words: '`s0` maps DSCP 26 to priority 0',
    good: INCAST,
    bad: { ...INCAST, discovery: { routers: [{ nodes: S0, rocePriority: 0 }] } },
    harm: 'drops',
  },
  {
    rule: 'pause-without-headroom',
    words: '`switches.headroomBytes` 0',
    good: INCAST,
    bad: { ...INCAST, switches: { ...INCAST.switches, headroomBytes: 0 } },
    harm: 'drops',
  },
  {
    rule: 'ecn-off',
    words: '`s0` does not mark',
    good: INCAST,
    bad: { ...INCAST, overrides: [{ nodes: S0, switch: { ecn: { enabled: false } } }] },
    harm: 'pauses',
  },
  {
    rule: 'ecn-starts-above-xoff',
    words: 'marks from 4 MB on at 100 Gb/s; one sender, a link of 25 Gb/s',
    good: { ...SINGLE, switches: { ...SINGLE.switches, ecn: { kminKB: 100, kmaxKB: 400 } } },
    bad: { ...SINGLE, switches: { ...SINGLE.switches, ecn: { kminKB: 4000, kmaxKB: 5000 } } },
    harm: 'marks',
  },
  {
    rule: 'reaction-point-off',
    words: 'senders without congestion control',
    good: INCAST,
    bad: { ...INCAST, algorithms: { off: { preset: 'none' } } },
    harm: 'pauses',
  },
];

/** Errors of the linter that no scenario can have, and why. */
export const NOT_SHOWN: Readonly<Partial<Record<LintRule, string>>> = {
  'trusted-field-missing': 'ports classify by the class of the flow; a map that differs is `priority-differs`',
  'marking-misplaced': 'as above',
  'lossless-group-shared': 'flows in several classes have groups of their own',
  'pause-missing': 'every port obeys pauses: a link without PFC is `pause-one-sided`',
  'pause-other-priority': 'a switch has PFC for all classes of data, or for none',
  'pause-without-buffer': 'a switch with PFC has lossless buffers',
  'pause-without-xoff': 'xoff is a share of the free memory, never 0',
  'global-pause-with-pfc': 'there is no global pause',
  'ecn-inverted': 'refused: "Kmin must not exceed Kmax"',
  'notification-point-off': 'receivers answer marks; `hosts.cnpIntervalUs` only makes CNPs rare',
  'cnp-shares-traffic-class': 'CNPs go first in any case',
  'ets-sum': 'classes have no weights',
};
