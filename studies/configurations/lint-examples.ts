/** For each kind of error that the linter names and the simulator can show: a scenario that has it, and one that has not. */
import type { LintRule } from '../../src/qos/lint-rules.js';
import type { HostQos, NodeQos, SwitchQos } from '../../src/qos/path.js';
import { ROCE_PRIORITY } from '../../src/qos/recommended.js';
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
  /** Description of the setting. */
  readonly words: string;
  readonly good: ScenarioSpec;
  readonly bad: ScenarioSpec;
  /** The settings that have this effect, where scenarios have no words for them: of the path of `good`. */
  readonly settings?: (path: readonly NodeQos[]) => NodeQos[];
  /** The metric that it affects, and whether that rises or falls. */
  readonly metric: 'drops' | 'pauses' | 'marks';
}

const S0 = ['s0'];
const SILENT: ScenarioSpec = { ...INCAST, overrides: [{ nodes: S0, switch: { pfc: false } }] };
const OTHER_PRIORITY = 4;

/** The path with other settings of the sending host, and of the port of `s0` that faces it. */
function set(host: (host: HostQos) => HostQos, port: (port: SwitchQos['upstream']) => SwitchQos['upstream']) {
  return ([sender, s0, ...others]: readonly NodeQos[]): NodeQos[] => {
    if (sender?.kind !== 'host' || s0?.kind !== 'switch') throw new Error('no path of a host and a switch');
    return [host(sender), { ...s0, upstream: port(s0.upstream) }, ...others];
  };
}

/** PFC for these priorities only, at both ends of the first link. */
function withPfcFor(...priorities: readonly number[]): NonNullable<LintExample['settings']> {
  const pfc = { sendPriorities: priorities, honourPriorities: priorities };
  return set((host) => ({ ...host, port: { ...host.port, pfc } }), (port) => ({ ...port, pfc }));
}

const same = <Item>(item: Item): Item => item;

export const LINT_EXAMPLES: readonly LintExample[] = [
  {
    rule: 'pause-one-sided',
    words: '`s0` sends no pauses',
    good: INCAST,
    bad: SILENT,
    metric: 'drops',
  },
  {
    rule: 'pause-missing',
    words: 'neither end of the link from host to `s0` has PFC: `s0` sends no pauses',
    good: INCAST,
    bad: SILENT,
    settings: withPfcFor(),
    metric: 'drops',
  },
  {
    rule: 'pause-other-priority',
    words: 'both ends of it have PFC for priority 4: `s0` sends no pauses for 3',
    good: INCAST,
    bad: SILENT,
    settings: withPfcFor(OTHER_PRIORITY),
    metric: 'drops',
  },
  {
    rule: 'pause-without-buffer',
    words: 'the priority group is lossy at `s0`: it sends no pauses',
    good: INCAST,
    bad: SILENT,
    settings: set(same, (port) => ({
      ...port,
      groups: port.groups.with(ROCE_PRIORITY, { kind: 'lossy', reservedBytes: 0, alpha: 1 }),
    })),
    metric: 'drops',
  },
  {
    rule: 'trusted-field-missing',
    words: '`s0` trusts PCP, frames have no VLAN tag: priority 0',
    good: INCAST,
    bad: { ...INCAST, discovery: { routers: [{ nodes: S0, rocePriority: 0 }] } },
    settings: set(same, (port) => ({ ...port, trust: 'pcp' })),
    metric: 'drops',
  },
  {
    rule: 'marking-misplaced',
    words: 'hosts mark data with DSCP 0: priority 0 at `s0` and `s1`',
    good: INCAST,
    bad: { ...INCAST, discovery: { routers: [{ nodes: ['s0', 's1'], rocePriority: 0 }] } },
    settings: set((host) => ({ ...host, data: { ...host.data, dscp: 0 } }), same),
    metric: 'drops',
  },
  {
    rule: 'priority-differs',
    words: '`s0` maps DSCP 26 to priority 0',
    good: INCAST,
    bad: { ...INCAST, discovery: { routers: [{ nodes: S0, rocePriority: 0 }] } },
    metric: 'drops',
  },
  {
    rule: 'pause-without-headroom',
    words: '`switches.headroomBytes` 0',
    good: INCAST,
    bad: { ...INCAST, switches: { ...INCAST.switches, headroomBytes: 0 } },
    metric: 'drops',
  },
  {
    rule: 'ecn-off',
    words: '`s0` does not mark',
    good: INCAST,
    bad: { ...INCAST, overrides: [{ nodes: S0, switch: { ecn: { enabled: false } } }] },
    metric: 'pauses',
  },
  {
    rule: 'ecn-starts-above-xoff',
    words: 'marks from 4 MB on at 100 Gb/s; one sender, a link of 25 Gb/s',
    good: { ...SINGLE, switches: { ...SINGLE.switches, ecn: { kminKB: 100, kmaxKB: 400 } } },
    bad: { ...SINGLE, switches: { ...SINGLE.switches, ecn: { kminKB: 4000, kmaxKB: 5000 } } },
    metric: 'marks',
  },
  {
    rule: 'notification-point-off',
    words: '`hosts.notificationPoint` false',
    good: INCAST,
    bad: { ...INCAST, hosts: { notificationPoint: false } },
    metric: 'pauses',
  },
  {
    rule: 'reaction-point-off',
    words: 'senders without congestion control',
    good: INCAST,
    bad: { ...INCAST, algorithms: { off: { preset: 'none' } } },
    metric: 'pauses',
  },
];

/** Errors of the linter that no scenario can have, and why. */
export const NOT_SHOWN: Readonly<Partial<Record<LintRule, string>>> = {
  'lossless-group-shared': 'flows in several classes have separate groups',
  'pause-without-xoff': 'xoff is a share of the free memory, never 0',
  'global-pause-with-pfc': 'there is no global pause',
  'ecn-inverted': 'such a scenario is rejected, as the linter rejects the path: "Kmin must not exceed Kmax"',
  'cnp-shares-traffic-class': 'CNPs are always sent first',
  'ets-sum': 'classes have no weights',
};
