import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RoceError } from '../../src/errors.js';
import { intentOf, describeFinding } from '../../src/qos/lint-context.js';
import { lintPath, type LintOptions } from '../../src/qos/lint-path.js';
import { LINT_RULES, LINT_RULE_NAMES } from '../../src/qos/lint-rules.js';
import type { NetworkProfileName } from '../../src/qos/network-profiles.js';
import { reversePath, type HostQos, type NodeQos, type SwitchQos } from '../../src/qos/path.js';
import { ALL_TO_GROUP_0, IDENTITY_MAP, QOS_DEFAULTS, type LosslessGroup, type PortQos,
  type TrafficClassQos } from '../../src/qos/qos-map.js';
import { recommendedPath, recommendedQos } from '../../src/qos/recommended.js';

const PROFILES = ['lossless', 'semi-lossless', 'lossy-1', 'lossy-2'] as const;

/** The path hostA - switch1 - switch2 - hostB with recommended settings, and methods that change them. */
class Scene {
  readonly hops: NodeQos[];
  constructor(readonly profile: NetworkProfileName = 'lossless') {
    this.hops = recommendedPath(2, { profile });
  }

  port(hop: number, side: 'upstream' | 'downstream' | 'port', change: (port: PortQos) => Partial<PortQos>): this {
    const node = this.hops[hop] as unknown as Record<string, PortQos>;
    this.hops[hop] = { ...node, [side]: { ...node[side], ...change(node[side]) } } as unknown as NodeQos;
    return this;
  }

  host(hop: number, change: Partial<HostQos>): this {
    this.hops[hop] = { ...(this.hops[hop] as HostQos), ...change };
    return this;
  }

  everyPort(change: Partial<PortQos>): this {
    this.hops.forEach((node, hop) => {
      for (const side of node.kind === 'host' ? (['port'] as const) : (['upstream', 'downstream'] as const)) {
        this.port(hop, side, () => change);
      }
    });
    return this;
  }

  findings(options: LintOptions = {}): string[] {
    return lintPath(this.hops, { profile: this.profile, ...options }).map(({ severity, rule, hop, port, flow }) =>
      `${severity} ${rule} ${hop}.${port} ${flow}`
    );
  }
}

const replaceClass = (index: number, change: Partial<TrafficClassQos>) => ({ trafficClasses }: PortQos) => ({
  trafficClasses: trafficClasses.with(index, { ...trafficClasses[index], ...change }),
});
const replaceGroup = (change: Partial<LosslessGroup>) => ({ groups }: PortQos) => ({
  groups: groups.with(3, { ...(groups[3] as LosslessGroup), ...change }),
});
const ecn = (minBytes: number, maxBytes: number) => replaceClass(3, { ecn: { minBytes, maxBytes, probability: 0.2 } });
const xoffBytes = (recommendedQos().groups[3] as LosslessGroup).xoffBytes;

/** Paths with one fault each, and all findings that it causes. */
const FAULTS: readonly [string, () => Scene, readonly string[]][] = [
  ['a switch that trusts the PCP of untagged frames', () => new Scene().port(1, 'upstream', () => ({ trust: 'pcp' })), [
    'warning trust-differs switch1.upstream port',
    'error trusted-field-missing switch1.upstream data',
  ]],
  [
    'a switch that trusts the PCP of tagged frames',
    () => new Scene().host(0, { data: { dscp: 26, pcp: 3 } }).port(1, 'upstream', () => ({ trust: 'pcp' })),
    [
      'warning trust-differs switch1.upstream port',
    ],
  ],
  ['a switch that trusts the PCP on the way back', () => new Scene().port(2, 'downstream', () => ({ trust: 'pcp' })), [
    'warning trust-differs switch2.downstream port',
    'error trusted-field-missing switch2.downstream cnp',
  ]],
  ['a host that marks DSCP 0', () => new Scene().host(0, { data: { dscp: 0 } }), [
    'error marking-misplaced hostA.port data',
  ]],
  ['a host that marks another DSCP of the same priority', () => new Scene().host(0, { data: { dscp: 24 } }), [
    'warning marking-unexpected hostA.port data',
  ]],
  ['CNPs marked as data', () => new Scene().host(3, { cnp: { dscp: 26 } }), ['error marking-misplaced hostB.port cnp']],
  [
    'another map from DSCP to priority',
    () => new Scene().port(2, 'upstream', ({ dscpToPriority }) => ({ dscpToPriority: dscpToPriority.with(26, 4) })),
    [
      'error priority-differs switch2.upstream data',
    ],
  ],
  [
    'another map from DSCP to priority for CNPs',
    () => new Scene().port(2, 'downstream', ({ dscpToPriority }) => ({ dscpToPriority: dscpToPriority.with(48, 0) })),
    [
      'error priority-differs switch2.downstream cnp',
    ],
  ],
  [
    'the default map to groups before a lossless buffer',
    () =>
      new Scene().port(1, 'upstream',
        ({ groups }) => ({ priorityToGroup: ALL_TO_GROUP_0, groups: groups.with(0, groups[3]) })),
    [
      'error lossless-group-shared switch1.upstream data',
    ],
  ],
  [
    'the default map to groups in a lossy network',
    () => new Scene('lossy-1').port(1, 'upstream', () => ({ priorityToGroup: ALL_TO_GROUP_0 })),
    [
      'warning group-shared switch1.upstream data',
    ],
  ],
  [
    'another group',
    () =>
      new Scene().port(1, 'upstream', ({ priorityToGroup, groups }) => ({
        priorityToGroup: priorityToGroup.with(3, 5),
        groups: groups.with(5, groups[3]),
      })),
    [
      'warning group-differs switch1.upstream data',
    ],
  ],
  [
    'another group for CNPs',
    () => new Scene().port(1, 'downstream', ({ priorityToGroup }) => ({ priorityToGroup: priorityToGroup.with(6, 0) })),
    [
      'warning group-differs switch1.downstream cnp',
    ],
  ],
  [
    'background traffic in the class of RoCE',
    () => new Scene().port(1, 'downstream', () => ({ priorityToTrafficClass: IDENTITY_MAP.with(0, 3) })),
    [
      'warning traffic-class-shared switch1.downstream data',
    ],
  ],
  [
    'another traffic class',
    () => new Scene().port(1, 'downstream', () => ({ priorityToTrafficClass: IDENTITY_MAP.with(3, 5).with(5, 3) })),
    [
      'warning traffic-class-differs switch1.downstream data',
    ],
  ],
  [
    'PFC nowhere on a link',
    () =>
      new Scene().port(1, 'downstream', () => ({ pfc: { sendPriorities: [], honourPriorities: [] } })).port(2,
        'upstream', () => ({ pfc: { sendPriorities: [], honourPriorities: [] } })),
    [
      'error pause-missing switch2.upstream data',
    ],
  ],
  [
    'a host that does not honour PFC',
    () => new Scene().port(0, 'port', () => ({ pfc: { sendPriorities: [3], honourPriorities: [] } })),
    [
      'error pause-one-sided hostA.port data',
    ],
  ],
  [
    'a host that does not send PFC',
    () => new Scene().port(3, 'port', () => ({ pfc: { sendPriorities: [], honourPriorities: [3] } })),
    [
      'error pause-one-sided hostB.port data',
    ],
  ],
  [
    'a semi-lossless switch that does not honour PFC',
    () =>
      new Scene('semi-lossless').port(2, 'downstream', () => ({ pfc: { sendPriorities: [], honourPriorities: [] } })),
    [
      'error pause-one-sided switch2.downstream data',
    ],
  ],
  [
    'PFC for another priority at both ends',
    () =>
      new Scene().port(0, 'port', () => ({ pfc: { sendPriorities: [3], honourPriorities: [4] } })).port(1, 'upstream',
        () => ({ pfc: { sendPriorities: [4], honourPriorities: [3] } })),
    [
      'error pause-other-priority switch1.upstream data',
    ],
  ],
  [
    'PFC between semi-lossless switches',
    () =>
      new Scene('semi-lossless').port(1, 'downstream', () => ({ pfc: { sendPriorities: [], honourPriorities: [3] } }))
        .port(2, 'upstream', () => ({ pfc: { sendPriorities: [3], honourPriorities: [] } })),
    [
      'warning pause-not-in-profile switch2.upstream data',
    ],
  ],
  [
    'global pause in a lossy network',
    () =>
      new Scene('lossy-1').port(0, 'port', () => ({ globalPause: { send: false, honour: true } })).port(1, 'upstream',
        () => ({ globalPause: { send: true, honour: false } })),
    [
      'warning pause-not-in-profile switch1.upstream data',
    ],
  ],
  [
    'PFC before a lossy buffer',
    () => new Scene().port(1, 'upstream', ({ groups }) => ({ groups: groups.with(3, groups[0]) })),
    [
      'error pause-without-buffer switch1.upstream data',
    ],
  ],
  ['PFC without xoff', () => new Scene().port(1, 'upstream', replaceGroup({ xoffBytes: 0, xonBytes: 0 })), [
    'error pause-without-xoff switch1.upstream data',
  ]],
  ['PFC without headroom', () => new Scene().port(3, 'port', replaceGroup({ headroomBytes: 0 })), [
    'error pause-without-headroom hostB.port data',
  ]],
  [
    'global pause together with PFC',
    () => new Scene().port(2, 'downstream', () => ({ globalPause: { send: false, honour: true } })),
    [
      'error global-pause-with-pfc switch2.downstream port',
    ],
  ],
  [
    'PFC for CNPs',
    () => new Scene().port(2, 'downstream', () => ({ pfc: { sendPriorities: [3, 6], honourPriorities: [3] } })),
    [
      'warning cnp-paused switch2.downstream cnp',
    ],
  ],
  [
    'CNPs in a lossless buffer',
    () => new Scene().port(0, 'port', ({ groups }) => ({ groups: groups.with(6, groups[3]) })),
    ['warning cnp-paused hostA.port cnp'],
  ],
  ['ECN off at one hop', () => new Scene().port(2, 'downstream', replaceClass(3, { ecn: null })), [
    'error ecn-off switch2.downstream data',
  ]],
  ['ECN in a network without', () => new Scene('lossy-2').port(2, 'downstream', ecn(1, 2)), [
    'info ecn-not-in-profile switch2.downstream data',
  ]],
  ['a minimum above the maximum', () => new Scene().port(1, 'downstream', ecn(2, 1)), [
    'error ecn-inverted switch1.downstream data',
  ]],
  ['a minimum at the maximum', () => new Scene().port(1, 'downstream', ecn(1, 1)), [
    'warning ecn-step switch1.downstream data',
  ]],
  ['a Kmin at xoff', () => new Scene().port(1, 'downstream', ecn(xoffBytes, xoffBytes + 1)), [
    'error ecn-starts-above-xoff switch1.downstream data',
  ]],
  ['a Kmax at xoff', () => new Scene().port(1, 'downstream', ecn(xoffBytes - 1, xoffBytes)), [
    'warning ecn-ends-above-xoff switch1.downstream data',
  ]],
  ['a sender that ignores CNPs', () => new Scene().host(0, { reactionPriorities: [4] }), [
    'error reaction-point-off hostA.port cnp',
  ]],
  ['a receiver that sends none', () => new Scene().host(3, { notificationPriorities: [] }), [
    'error notification-point-off hostB.port data',
  ]],
  [
    'CNPs in the class of data',
    () => new Scene().port(1, 'upstream', () => ({ priorityToTrafficClass: IDENTITY_MAP.with(6, 3) })),
    [
      'error cnp-shares-traffic-class switch1.upstream cnp',
    ],
  ],
  [
    'CNPs by weight',
    () => new Scene().port(1, 'upstream', replaceClass(6, { scheduler: { kind: 'ets', weightPercent: 0 } })),
    [
      'warning cnp-not-strict switch1.upstream cnp',
    ],
  ],
  ['a strict class above the CNPs', () =>
    new Scene().port(3, 'port', ({ trafficClasses }) => ({
      trafficClasses: trafficClasses.with(7, { scheduler: { kind: 'strict' }, ecn: null }).with(0, {
        scheduler: { kind: 'ets', weightPercent: 20 },
        ecn: null,
      }),
    })), ['warning cnp-not-highest hostB.port cnp']],
  [
    'weights that do not sum to 100',
    () => new Scene().port(0, 'port', replaceClass(0, { scheduler: { kind: 'ets', weightPercent: 11 } })),
    ['error ets-sum hostA.port port'],
  ],
  ['go-back-N where drops are normal', () => new Scene('lossy-1').host(0, { recovery: 'go-back-n' }), [
    'warning recovery-too-weak hostA.port data',
  ]],
];

describe('a path with the recommended settings', () => {
  it.each(PROFILES)('has no findings under %s in either direction, for any number of switches', (profile) => {
    for (const count of [1, 2, 5]) {
      const hops = recommendedPath(count, { profile, linkRateBps: 400e9 });
      expect(lintPath(hops, { profile })).toEqual([]);
      expect(lintPath(reversePath(hops), { profile })).toEqual([]);
    }
  });

  it('has findings under another profile', () => {
    const rules = (made: NetworkProfileName, judged: NetworkProfileName) => [
      ...new Set(new Scene(made).findings({ profile: judged }).map((line) => line.split(' ')[1])),
    ];
    expect(rules('lossy-1', 'lossless')).toEqual(['pause-missing']);
    expect(rules('lossless', 'lossy-1')).toEqual(['pause-not-in-profile']);
    expect(rules('lossless', 'lossy-2')).toEqual(['pause-not-in-profile', 'ecn-not-in-profile']);
    // The receiving host sends pauses, but its switch ignores them; no other link has PFC.
    expect(rules('semi-lossless', 'lossless')).toEqual(['pause-missing']);
    // NICs that do not react to CNPs are no fault while no switch marks.
    expect(rules('lossy-2', 'lossy-1')).toEqual(['ecn-off']);
  });
});

describe('the linter', () => {
  it.each(FAULTS)('reports only %s', (_, build, expected) => {
    expect(build().findings()).toEqual(expected);
  });

  it('has a faulty path for each of its rules in this test', () => {
    const provoked = new Set(FAULTS.flatMap(([, , findings]) => findings.map((line) => line.split(' ')[1])));
    expect(LINT_RULE_NAMES.filter((rule) => !provoked.has(rule))).toEqual([]);
  });

  it('accepts one-sided PFC under a profile without PFC', () => {
    expect(
      new Scene('lossy-1').port(0, 'port', () => ({ pfc: { sendPriorities: [3], honourPriorities: [3] } })).findings(),
    ).toEqual([]);
  });

  it('accepts global pause that is enabled at one end only', () => {
    const oneEnd = (hop: number, globalPause: PortQos['globalPause']) =>
      new Scene('lossy-1').port(hop, hop === 0 ? 'port' : 'upstream', () => ({ globalPause })).findings();
    expect(oneEnd(0, { send: true, honour: true })).toEqual([]);
    expect(oneEnd(1, { send: true, honour: true })).toEqual([]);
  });

  it('accepts an unused strict class above the class of CNPs', () => {
    const strict7 = replaceClass(7, { scheduler: { kind: 'strict' } });
    const scene = new Scene().port(3, 'port', (port) => ({
      trafficClasses: strict7(port).trafficClasses.with(0, {
        scheduler: { kind: 'ets', weightPercent: 20 },
        ecn: null,
      }),
      priorityToTrafficClass: IDENTITY_MAP.with(7, 0),
    }));
    expect(scene.findings()).toEqual([]);
  });

  it('names each port at which misplaced CNPs miss their priority, from the receiver to the sender', () => {
    const [finding] = lintPath(new Scene().host(3, { cnp: { dscp: 8 } }).hops);
    expect(finding.message).toBe('CNPs carry the wrong DSCP, and miss their priority at ' +
      'hostB.port (priority 1), switch2.downstream (priority 1), switch1.downstream (priority 1), hostA.port (priority 1)');
  });

  it('accepts global pause at both ends instead of PFC', () => {
    const pause = { globalPause: { send: true, honour: true }, pfc: { sendPriorities: [], honourPriorities: [] } };
    expect(new Scene().everyPort(pause).findings()).toEqual([]);
  });

  it('ignores the ECN settings of hosts, which do not mark', () => {
    expect(new Scene().port(0, 'port', replaceClass(3, { ecn: null })).port(3, 'port', ecn(2, 1)).findings()).toEqual(
      [],
    );
  });

  it('reports all faults of a switch with default settings between recommended neighbors', () => {
    const scene = new Scene();
    for (const side of ['upstream', 'downstream'] as const) scene.port(1, side, () => QOS_DEFAULTS);
    expect(scene.findings()).toEqual([
      'warning trust-differs switch1.upstream port',
      'error trusted-field-missing switch1.upstream data',
      'warning group-shared switch1.upstream data',
      'error pause-one-sided switch1.upstream data',
      'warning cnp-not-highest switch1.upstream cnp',
      'warning trust-differs switch1.downstream port',
      'error trusted-field-missing switch1.downstream cnp',
      'warning group-differs switch1.downstream cnp',
      'error pause-one-sided switch1.downstream data',
      'error ecn-off switch1.downstream data',
    ]);
  });

  it('reports the place, the actual and expected values, and the advice', () => {
    const [finding] = lintPath(new Scene().host(0, { data: { dscp: 0 } }).hops);
    expect(finding).toEqual({
      rule: 'marking-misplaced',
      severity: 'error',
      figures: {
        field: 'dscp',
        value: 0,
        intended: 26,
        lostAt: [
          { node: 'hostA', port: 'port', priority: 0 },
          { node: 'switch1', port: 'upstream', priority: 0 },
          { node: 'switch2', port: 'upstream', priority: 0 },
          { node: 'hostB', port: 'port', priority: 0 },
        ],
      },
      hop: 'hostA',
      port: 'port',
      peer: 'switch1',
      flow: 'data',
      message: 'RoCE data packets carry the wrong DSCP, and miss their priority at ' +
        'hostA.port (priority 0), switch1.upstream (priority 0), switch2.upstream (priority 0), hostB.port (priority 0)',
      got: 'DSCP 0',
      expected: 'DSCP 26',
      advice: LINT_RULES['marking-misplaced'].advice,
    });
    expect(describeFinding(finding)).toBe(
      `error marking-misplaced at hostA.port (link to switch1, data): ${finding.message}; got DSCP 0, expected DSCP 26. ${finding.advice}`,
    );
  });

  it('names the priority of CNPs among those that share the buffer of RoCE', () => {
    const [finding] = lintPath(
      new Scene('lossy-1').port(1, 'upstream', () => ({ priorityToGroup: ALL_TO_GROUP_0 })).hops,
      { profile: 'lossy-1' },
    );
    expect(finding.message).toBe(
      'priority group 0 of RoCE also holds priorities 0 and 1 and 2 and 4 and 5 and 6 and 7 (6: CNPs)',
    );
  });

  it('compares with the intended markings of the network, if given', () => {
    const scene = new Scene();
    const dscpToPriority = QOS_DEFAULTS.dscpToPriority.with(10, 3);
    scene.everyPort({ dscpToPriority }).host(0, { data: { dscp: 10 } });
    expect(scene.findings()).toEqual(['warning marking-unexpected hostA.port data']);
    expect(scene.findings({ intent: intentOf(scene.hops[0] as HostQos) })).toEqual([]);
  });

  it('reports findings in the order of the path, for any combination of faults', () => {
    const faults = fc.subarray(FAULTS.flatMap(([, build], index) => (build().profile === 'lossless' ? [index] : [])), {
      minLength: 2,
    });
    const clean = new Scene().hops;
    fc.assert(fc.property(faults, (indices) => {
      // Each node has the settings of the last fault that changes it.
      const hops = indices.map((index) => FAULTS[index][1]().hops)
        .reduce(
          (path, broken) =>
            path.map((node, hop) => (JSON.stringify(broken[hop]) === JSON.stringify(clean[hop]) ? node : broken[hop])),
          clean,
        );
      const findings = lintPath(hops);
      const ranks = findings.map(({ hop, port, rule, flow }) =>
        hops.findIndex(({ name }) => name === hop) * 1e6 + (port === 'downstream' ? 1e5 : 0) +
        LINT_RULE_NAMES.indexOf(rule) * 10 + (flow === 'cnp' ? 1 : 0)
      );
      expect(findings.length).toBeGreaterThan(0);
      expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
      expect(lintPath(structuredClone(hops))).toEqual(findings);
    }));
  });

  const broken: readonly [string, () => unknown, string][] = [
    ['a path without a second host', () => lintPath(recommendedPath(1).slice(0, 1)), 'hops'],
    ['a path that is none', () => lintPath({} as never), 'hops'],
    ['a path that ends at a switch', () => lintPath(recommendedPath(1).slice(0, 2)), 'hops[1].kind'],
    ['a host in the middle', () => lintPath([...recommendedPath(1), recommendedPath(1)[0]]), 'hops[2].kind'],
    ['two nodes of one name', () => lintPath(recommendedPath(2).with(2, recommendedPath(2)[1])), 'hops[2].name'],
    [
      'a bad entry of a map',
      () => lintPath(new Scene().port(1, 'upstream', () => ({ pcpToPriority: IDENTITY_MAP.with(3, 9) })).hops),
      'hops[1].upstream.pcpToPriority[3]',
    ],
    ['a bad marking', () => lintPath(new Scene().host(0, { data: { dscp: 64 } }).hops), 'hops[0].data.dscp'],
    [
      'an unknown marking',
      () => lintPath(new Scene().host(0, { cnp: { tclass: 4 } as never }).hops),
      'hops[0].cnp.tclass',
    ],
    [
      'reaction priorities out of order',
      () => lintPath(new Scene().host(3, { reactionPriorities: [3, 1] }).hops),
      'hops[3].reactionPriorities[1]',
    ],
    ['an unknown profile', () => lintPath(recommendedPath(1), { profile: 'toString' as never }), 'profile'],
    [
      'an intent out of range',
      () =>
        lintPath(recommendedPath(1), { intent: { ...intentOf(recommendedPath(1)[0] as HostQos), cnp: {} as never } }),
      'intent.cnp.dscp',
    ],
    [
      'a missing port',
      () => lintPath(recommendedPath(1).with(1, { kind: 'switch', name: 's' } as SwitchQos)),
      'hops[1].upstream',
    ],
  ];
  it.each(broken)('rejects %s by name', (_, run, where) => {
    let error: unknown;
    try {
      run();
    } catch (caught) {
      error = caught;
    }
    expect(error).toBeInstanceOf(RoceError);
    expect(error).toMatchObject({ code: 'invalid-config', where });
  });
});
