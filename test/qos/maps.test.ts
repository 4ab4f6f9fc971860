import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RoceError } from '../../src/errors.js';
import { classify, hostEgressMarking, hostMarkingSource } from '../../src/qos/classify.js';
import { NETWORK_PROFILES, wantsPause } from '../../src/qos/network-profiles.js';
import { QOS_DEFAULTS, type PortQos } from '../../src/qos/qos-map.js';
import { recommendedHost, recommendedPath, recommendedQos } from '../../src/qos/recommended.js';
import { validatePortQos } from '../../src/qos/validate-qos.js';

const catchError = (run: () => unknown): unknown => {
  try {
    run();
  } catch (error) {
    return error;
  }
  return undefined;
};

describe('a port with default maps', () => {
  it('uses the three upper bits of the DSCP as the priority', () => {
    const map = { ...QOS_DEFAULTS, trust: 'dscp' as const };
    for (let dscp = 0; dscp < 64; dscp++) expect(classify(map, { dscp }).priority).toBe(Math.floor(dscp / 8));
    expect(classify(map, { dscp: 26 })).toMatchObject({ priority: 3, group: 0, trafficClass: 3 });
    expect(classify(map, { dscp: 48 })).toMatchObject({ priority: 6, group: 0, trafficClass: 6 });
  });

  it('uses the PCP as the priority, and maps all priorities to group 0', () => {
    for (let pcp = 0; pcp < 8; pcp++) {
      expect(classify(QOS_DEFAULTS, { pcp, dscp: 63 })).toMatchObject({
        priority: pcp,
        group: 0,
        trafficClass: pcp,
        decidedBy: 'pcp',
      });
    }
  });

  it('uses the default priority without the trusted field, and reports the reason', () => {
    const map = { ...QOS_DEFAULTS, defaultPriority: 2 };
    expect(classify(map, { dscp: 26 })).toEqual({
      priority: 2,
      group: 0,
      trafficClass: 2,
      decidedBy: 'default',
      reason: 'trust pcp: no VLAN tag, default -> priority 2',
    });
    expect(classify({ ...map, trust: 'dscp' }, { pcp: 3 }).reason).toBe(
      'trust dscp: no IP header, default -> priority 2',
    );
  });

  it('is immutable', () => {
    expect(() => {
      (QOS_DEFAULTS.dscpToPriority as number[])[26] = 0;
    }).toThrow(TypeError);
  });
});

describe('classification', () => {
  it('applies any maps', () => {
    const priorities = (length: number) => fc.array(fc.nat(7), { minLength: length, maxLength: length });
    const maps = fc.record({
      dscpToPriority: priorities(64),
      pcpToPriority: priorities(8),
      priorityToGroup: priorities(8),
      priorityToTrafficClass: priorities(8),
    });
    fc.assert(
      fc.property(maps, fc.nat(63), fc.nat(7), fc.constantFrom('dscp' as const, 'pcp' as const),
        (lists, dscp, pcp, trust) => {
          const result = classify({ ...QOS_DEFAULTS, ...lists, trust }, { dscp, pcp });
          const priority = trust === 'dscp' ? lists.dscpToPriority[dscp] : lists.pcpToPriority[pcp];
          expect(result).toMatchObject({
            priority,
            group: lists.priorityToGroup[priority],
            trafficClass: lists.priorityToTrafficClass[priority],
            decidedBy: trust,
          });
        }),
    );
  });

  it.each([{ dscp: 64 }, { dscp: -1 }, { pcp: 8 }, { pcp: 1.5 }])('rejects the marking %j in any field', (marking) => {
    const error = catchError(() => classify(QOS_DEFAULTS, marking));
    expect(error).toBeInstanceOf(RoceError);
    expect(error).toMatchObject({ code: 'invalid-argument', where: `packet.${Object.keys(marking)[0]}` });
  });
});

describe('a sending host', () => {
  it.each([
    ['ethernet', 'pcp', 'wqe-priority', { wqePriority: 3 }, { pcp: 3 }],
    ['ud', 'pcp', 'wqe-priority', { wqePriority: 3 }, { pcp: 3 }],
    ['rc', 'pcp', 'qp-eth-priority', { qpEthPriority: 3 }, { pcp: 3 }],
    ['ethernet', 'dscp', 'wqe-tclass', { wqeTclass: 106 }, { dscp: 26 }],
    ['ud', 'dscp', 'wqe-tclass', { wqeTclass: 104 }, { dscp: 26 }],
    ['rc', 'dscp', 'qp-tclass', { qpTclass: 255 }, { dscp: 63 }],
  ] as const)('marks %s traffic under trust %s from %s', (traffic, trust, source, values, marking) => {
    expect(hostMarkingSource(traffic, trust)).toBe(source);
    expect(hostEgressMarking(traffic, trust, values)).toEqual({ source, marking });
  });

  it('requires only the value that determines the marking, and checks its range', () => {
    expect(catchError(() => hostEgressMarking('rc', 'dscp', { wqeTclass: 104, wqePriority: 3 }))).toMatchObject({
      code: 'invalid-argument',
      where: 'hostMarking.qpTclass',
    });
    expect(catchError(() => hostEgressMarking('ud', 'pcp', { wqePriority: 8 }))).toMatchObject({
      got: 8,
      where: 'hostMarking.wqePriority',
    });
    expect(catchError(() => hostEgressMarking('ud', 'dscp', { wqeTclass: 256 }))).toMatchObject({ got: 256 });
  });
});

describe('the four network profiles', () => {
  it('differ in PFC, ECN and retransmission as in the slides', () => {
    expect(
      Object.values(NETWORK_PROFILES).map((
        { name, pfc, ecn, drops, recovery, signal },
      ) => [name, pfc, ecn, drops, recovery.join(), signal]),
    ).toEqual([
      ['lossless', 'both-directions', true, 'rare', 'go-back-n,selective-repeat', 'ecn'],
      ['semi-lossless', 'nic-to-switch', true, 'occasional', 'go-back-n,selective-repeat', 'ecn'],
      ['lossy-1', 'none', true, 'expected', 'selective-repeat', 'ecn'],
      ['lossy-2', 'none', false, 'expected', 'selective-repeat', 'loss'],
    ]);
  });

  it('require PFC on every link if lossless, only from host to switch if semi-lossless, and nowhere if lossy', () => {
    const pauses = (name: keyof typeof NETWORK_PROFILES) =>
      ([['host', 'switch'], ['switch', 'host'], ['switch', 'switch']] as const).map(([receiver, transmitter]) =>
        wantsPause(NETWORK_PROFILES[name], receiver, transmitter)
      );
    expect(wantsPause(NETWORK_PROFILES['semi-lossless'], 'host', 'host')).toBe(false);
    expect(pauses('lossless')).toEqual([true, true, true]);
    expect(pauses('semi-lossless')).toEqual([true, false, false]);
    expect(pauses('lossy-1')).toEqual([false, false, false]);
    expect(pauses('lossy-2')).toEqual([false, false, false]);
  });
});

describe('the recommended settings', () => {
  it('isolate RoCE and CNPs in separate queues and buffers', () => {
    const port = recommendedQos();
    expect(classify(port, { dscp: 26 })).toMatchObject({ priority: 3, group: 3, trafficClass: 3 });
    expect(classify(port, { dscp: 48 })).toMatchObject({ priority: 6, group: 6, trafficClass: 6 });
    expect(classify(port, { dscp: 0 })).toMatchObject({ priority: 0, group: 0, trafficClass: 0 });
    expect(port.priorityToGroup).toEqual([0, 0, 0, 3, 0, 0, 6, 0]);
    expect(port.trafficClasses.map(({ scheduler }) => (scheduler.kind === 'ets' ? scheduler.weightPercent : 'strict')))
      .toEqual([10, 10, 10, 40, 10, 10, 'strict', 10]);
  });

  it('place Kmin below Kmax and Kmax below xoff, one control loop apart, with headroom above', () => {
    const { groups, trafficClasses } = recommendedQos({ linkRateBps: 100e9 });
    expect(trafficClasses[3].ecn).toEqual({ minBytes: 400_000, maxBytes: 1_600_000, probability: 0.2 });
    // xoff is Kmax plus 275,000 bytes: 22 us at 12.5 GB/s.
    expect(groups[3]).toEqual({
      kind: 'lossless',
      reservedBytes: 0,
      alpha: 1,
      xoffBytes: 1_875_000,
      xonBytes: 1_871_928,
      headroomBytes: 101_648,
    });
    expect(groups.filter(({ kind }) => kind === 'lossless')).toHaveLength(1);
  });

  it('enable PFC from host to switch only if semi-lossless, and not at all if lossy', () => {
    const pfc = (profile: 'semi-lossless' | 'lossy-1', node: 'host' | 'switch', peer: 'host' | 'switch') => {
      const { sendPriorities, honourPriorities } = recommendedQos({ profile }, { node, peer }).pfc;
      return [sendPriorities, honourPriorities];
    };
    expect(pfc('semi-lossless', 'host', 'switch')).toEqual([[3], []]);
    expect(pfc('semi-lossless', 'switch', 'host')).toEqual([[], [3]]);
    expect(pfc('semi-lossless', 'switch', 'switch')).toEqual([[], []]);
    expect(pfc('lossy-1', 'host', 'switch')).toEqual([[], []]);
  });

  it('have a lossless buffer only at ports that send pauses', () => {
    const kind = (profile: 'lossless' | 'semi-lossless' | 'lossy-1', node: 'host' | 'switch') =>
      recommendedQos({ profile }, { node, peer: 'switch' }).groups[3].kind;
    expect([kind('lossless', 'switch'), kind('semi-lossless', 'host')]).toEqual(['lossless', 'lossless']);
    expect([kind('semi-lossless', 'switch'), kind('lossy-1', 'host')]).toEqual(['lossy', 'lossy']);
  });

  it('turn off ECN, and reaction to it, in lossy-2', () => {
    const host = recommendedHost('a', { profile: 'lossy-2' });
    expect(host.port.trafficClasses.every(({ ecn }) => ecn === null)).toBe(true);
    expect(host).toMatchObject({ reactionPriorities: [], notificationPriorities: [], recovery: 'selective-repeat' });
  });

  it('reject an invalid option by name', () => {
    expect(catchError(() => recommendedQos({ linkRateBps: 0 }))).toMatchObject({
      code: 'invalid-config',
      where: 'recommendedQos.linkRateBps',
    });
    expect(catchError(() => recommendedHost('a', { profile: 'lossy' as never }))).toMatchObject({
      where: 'recommendedQos.profile',
    });
    expect(catchError(() => recommendedPath(0))).toMatchObject({ where: 'recommendedPath.switchCount' });
  });
});

describe('the validation of a port', () => {
  const port = recommendedQos();
  const at = <T>(list: readonly T[], index: number, value: unknown): T[] => list.with(index, value as T);
  const broken: readonly [string, Partial<Record<keyof PortQos, unknown>>, string][] = [
    ['a trust that does not exist', { trust: 'both' }, 'port.trust'],
    ['a map of the wrong length', { dscpToPriority: [0] }, 'port.dscpToPriority'],
    ['a priority above 7', { dscpToPriority: at(port.dscpToPriority, 26, 8) }, 'port.dscpToPriority[26]'],
    ['a hole in a map', { pcpToPriority: Array(8) }, 'port.pcpToPriority[0]'],
    ['a map that is none', { pcpToPriority: 3 }, 'port.pcpToPriority'],
    ['a group above 7', { priorityToGroup: at(port.priorityToGroup, 7, 8) }, 'port.priorityToGroup[7]'],
    [
      'a fraction of a class',
      { priorityToTrafficClass: at(port.priorityToTrafficClass, 1, 0.5) },
      'port.priorityToTrafficClass[1]',
    ],
    [
      'PFC for the same priority twice',
      { pfc: { sendPriorities: [3, 3], honourPriorities: [] } },
      'port.pfc.sendPriorities[1]',
    ],
    ['PFC for priority 8', { pfc: { sendPriorities: [], honourPriorities: [8] } }, 'port.pfc.honourPriorities[0]'],
    ['global pause that is no flag', { globalPause: { send: 1, honour: false } }, 'port.globalPause.send'],
    ['a buffer of a third kind', { groups: at(port.groups, 1, { kind: 'lost' }) }, 'port.groups[1].kind'],
    ['no buffer', { groups: at(port.groups, 1, null) }, 'port.groups[1]'],
    ['a negative alpha', { groups: at(port.groups, 1, { ...port.groups[1], alpha: -1 }) }, 'port.groups[1].alpha'],
    ['xon above xoff', { groups: at(port.groups, 3, { ...port.groups[3], xonBytes: 2e6 }) }, 'port.groups[3].xonBytes'],
    ['seven classes', { trafficClasses: port.trafficClasses.slice(1) }, 'port.trafficClasses'],
    [
      'a third scheduler',
      { trafficClasses: at(port.trafficClasses, 2, { scheduler: { kind: 'drr' }, ecn: null }) },
      'port.trafficClasses[2].scheduler.kind',
    ],
    ['a weight above 100', {
      trafficClasses: at(port.trafficClasses, 2, { scheduler: { kind: 'ets', weightPercent: 101 }, ecn: null }),
    }, 'port.trafficClasses[2].scheduler.weightPercent'],
    ['a probability above 1', {
      trafficClasses: at(port.trafficClasses, 0, {
        scheduler: { kind: 'strict' },
        ecn: { minBytes: 1, maxBytes: 2, probability: 2 },
      }),
    }, 'port.trafficClasses[0].ecn.probability'],
    [
      'ECN undefined',
      { trafficClasses: at(port.trafficClasses, 0, { scheduler: { kind: 'strict' } }) },
      'port.trafficClasses[0].ecn',
    ],
  ];

  it.each(broken)('rejects %s by name', (_, change, where) => {
    const error = catchError(() => validatePortQos({ ...port, ...change }));
    expect(error).toBeInstanceOf(RoceError);
    expect(error).toMatchObject({ code: 'invalid-config', where });
  });

  it('accepts the defaults and the recommended settings as they are', () => {
    expect(validatePortQos(QOS_DEFAULTS)).toBe(QOS_DEFAULTS);
    expect(validatePortQos(port)).toBe(port);
    expect(catchError(() => validatePortQos(null, 'x'))).toMatchObject({ where: 'x' });
  });
});
