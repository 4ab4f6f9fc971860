/** Explanations of results: the reason for each kind of run, with its figures. */
import { describe, expect, it } from 'vitest';
import { explainResult, type ExplanationTopic } from '../../src/sim/explain/explain.js';
import { bytesWords, countWords, percentWords, rateWords, timeWords, wereWords,
  listWords } from '../../src/sim/explain/text.js';
import { headroomBytes, markingThresholds, switchPorts } from '../../src/sim/explain/settings.js';
import type { FlowResult, PortResult, SimResult } from '../../src/sim/result.js';
import { incastResult, type ResultChanges } from '../support/sim-result.js';

const about = (result: SimResult, topic: ExplanationTopic) => explainResult(result).find((one) => one.topic === topic);
const answerTo = (topic: ExplanationTopic, changes: ResultChanges) => about(incastResult(changes), topic)?.answer ?? '';

const NO_DROPS = { buffer: 0, noRoute: 0, linkDown: 0, loss: 0, corrupt: 0 };
const QUIET = { cnps: 0, fastCnps: 0, marks: 0, dataMarks: 0 };
const NO_SERIES = { intervalPs: 1e6, timesPs: [], queueBytes: {}, utilization: {}, rateBps: {}, fairness: [] };
const quietFlow = (): Partial<FlowResult> => ({ cnps: 0, fastCnps: 0, firstNotificationPs: null });
/** Without optional members of the result. */
const without = <T extends object>(value: T, names: readonly string[]): T =>
  Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name))) as T;
const untold = (port: PortResult): PortResult =>
  without(port, ['maxIngressBytes', 'minPauseThresholdBytes', 'kminBytes', 'kmaxBytes']);
const bare = (result: SimResult): SimResult => ({
  ...result,
  ports: result.ports.map(untold),
  flows: result.flows.map((flow) => without(flow, ['path', 'windowBytes'])),
});

describe('Each explanation', () => {
  const runs: SimResult[] = [
    incastResult(),
    bare(incastResult()),
    incastResult({ flow: quietFlow, totals: QUIET }),
    incastResult({ flow: () => ({ completionPs: null, slowdown: null }), result: { simulatedPs: 1e8, ended: 'time' } }),
    incastResult({ totals: { pauses: 3 }, scenario: { switches: { fastCnp: { enabled: true } } } }),
  ];

  it('has a question, sentences, and numbers with units', () => {
    for (const one of runs.flatMap((result) => explainResult(result))) {
      expect(one.question).toMatch(/^[A-Z].*\?$/);
      expect(one.answer).toMatch(/^[A-Z\d].*\.$/s);
      expect(one.answer).not.toMatch(/NaN|undefined|Infinity|null/);
      expect(one.because.length).toBeGreaterThan(0);
      for (const { value, unit } of one.because) {
        expect(typeof value === 'number' ? Number.isFinite(value) && unit !== '' : true).toBe(true);
      }
    }
  });

  it('has its own topic, and leaves the result unchanged', () => {
    const result = incastResult();
    const before = JSON.stringify(result);
    const topics = explainResult(result).map(({ topic }) => topic);
    expect(topics).toEqual(['pause', 'notification', 'work', 'slow', 'loss', 'settings']);
    expect(JSON.stringify(result)).toBe(before);
  });

  it('covers a run that never started, without dividing by 0', () => {
    const nothing = incastResult({
      senders: 1,
      flow: () => ({ ...quietFlow(), completionPs: null, slowdown: null, deliveredBytes: 0 }),
      totals: { ...QUIET, dataPackets: 0 },
      result: { simulatedPs: 0, ended: 'cancelled' },
    });
    for (const { answer } of explainResult(nothing)) expect(answer).not.toMatch(/NaN|Infinity/);
    expect(about(nothing, 'notification')!.answer).toBe('No data was sent.');
    expect(explainResult({ ...nothing, flows: [], ports: [] }).length).toBeGreaterThan(3);
  });
});

describe('The reason that no pause was sent', () => {
  it('is that PFC is off', () => {
    expect(answerTo('pause', { scenario: { switches: { pfc: false } } })).toBe(
      'PFC is off at the only switch: switches.pfc is false.',
    );
    const off = { overrides: [{ nodes: ['s0'], switch: { pfc: false } }] };
    expect(answerTo('pause', { scenario: off })).toMatch(/PFC is off/);
    expect(answerTo('pause', { scenario: { overrides: [{ nodes: ['s9'], switch: { pfc: false } }] } })).toMatch(
      /PFC is on/,
    );
  });

  it('is that no port reached its threshold, with the margin of the nearest one', () => {
    const port = (
      { name }: PortResult,
    ) => (name === 's0:h2' ? { maxIngressBytes: 3_000_000, minPauseThresholdBytes: 4_000_000 } : {});
    const found = about(incastResult({ port }), 'pause')!;
    expect(found.answer).toMatch(
      /nearest was s0:h2, whose incoming frames held at most 3 MB of shared memory, 75 % of the lowest threshold there, 4 MB\./,
    );
    expect(found.answer).toMatch(/notified of congestion 18 times/);
    expect(found.missing).toEqual([]);
    expect(found.because).toContainEqual({
      code: 'lowest-pause-threshold',
      figures: { port: 's0:h2' },
      what: 'lowest pause threshold at s0:h2',
      value: 4_000_000,
      unit: 'bytes',
    });
  });

  it('is a bound from memory and queues if no thresholds are recorded, with the fields to record', () => {
    const result = bare(incastResult({ scenario: { switches: { bufferBytes: 10e6, headroomBytes: 0 } } }));
    const found = about(result, 'pause')!;
    const threshold = (10e6 - 5 * 4096 - 420_500) / 8;
    expect(found.because).toContainEqual(
      expect.objectContaining({ code: 'least-pause-threshold', value: threshold, unit: 'bytes' }),
    );
    expect(found.answer).toMatch(/add up to 421 kB.*1\.19 MB, so none can have been reached/);
    expect(found.missing).toEqual(['ports[].maxIngressBytes', 'ports[].minPauseThresholdBytes', 'flows[].windowBytes']);
  });

  it('is inconclusive if the bound is', () => {
    expect(
      about(bare(incastResult({ scenario: { switches: { bufferBytes: 1e6, headroomBytes: 0 } } })), 'pause')!.answer,
    ).toMatch(/which alone does not rule it out/);
  });

  it('is that windows keep the queue short', () => {
    const found = answerTo('pause', { flow: () => ({ windowBytes: 104_000 }) });
    expect(found).toMatch(/Windows hold the 4 flows through s0:h4 to 416 kB of payload in flight together/);
    expect(answerTo('pause', { flow: ({ index }) => ({ windowBytes: index === 0 ? 0 : 104_000 }) })).not.toMatch(
      /Windows/,
    );
  });

  it('is replaced by the senders of pauses and the port paused longest, if any were sent', () => {
    const port = (
      { name }: PortResult,
    ) => (name === 's0:h0' ? { pausesSent: 7 } : name === 'h0:s0' ? { pausedPs: 25e6 } : {});
    const found = about(incastResult({ port, totals: { pauses: 7 }, result: { simulatedPs: 100e6 } }), 'pause')!;
    expect(found.question).toBe('Why were pause frames sent?');
    expect(found.answer).toMatch(
      /7 pauses in all\. s0:h0 sent most, 7 pauses, to h0\. As the switch filled up, the threshold there fell to 3\.9 MB at its lowest\. h0:s0 was paused longest, 25 µs \(25 % of the run\)/,
    );
    expect(found.missing).toEqual(['pauses']);
  });
});

describe('The reason that no CNP was sent', () => {
  const quiet = (changes: ResultChanges = {}) =>
    answerTo('notification', { ...changes, flow: quietFlow, totals: { ...QUIET, ...changes.totals } });
  const queueOf = (bytes: number) => ({ name }: PortResult) => (name === 's0:h4' ? { maxClassQueueBytes: bytes } : {});

  it.each([
    ['hpcc-sigcomm19', /hpcc by telemetry in ACKs/],
    ['hpcc-pint-ns3', /hpcc-pint by telemetry/],
    ['timely-ns3', /timely by round-trip times/],
    ['dctcp-ns3', /dctcp by marks/],
    ['swift-sigcomm20', /swift by delays/],
  ])('is that %s uses none', (preset, words) => {
    expect(quiet({ scenario: { algorithms: { default: { preset } } } })).toMatch(words);
  });

  it('is that ECN is off', () => {
    expect(quiet({ scenario: { switches: { ecn: { enabled: false } } } })).toBe(
      'No switch marks: ECN is off at all of them (1).',
    );
  });

  it('is that the queue never passed Kmin, scaled to the rate of its port', () => {
    expect(quiet({ port: queueOf(80_000) })).toBe(
      'No packet was marked: the longest queue, 80 kB at s0:h4, never passed Kmin, 100 kB there.',
    );
    const result = incastResult({
      port: (port) => ({ ...queueOf(80_000)(port), rateBps: 25e9 }),
      flow: quietFlow,
      totals: QUIET,
    });
    expect(about(bare(result), 'notification')!.answer).toMatch(
      /reached 80 kB, above Kmin, 25 kB: up to Kmax, 100 kB, marking is random/,
    );
  });

  it('is that marking is random between Kmin and Kmax, and that queues above Kmax held no data', () => {
    expect(quiet({ port: queueOf(150_000) })).toMatch(
      /reached 150 kB, above Kmin, 100 kB: up to Kmax, 400 kB, marking is random/,
    );
    expect(quiet({ port: queueOf(500_000) })).toMatch(
      /above Kmax, 400 kB: the packets that saw it can't have been data/,
    );
  });

  it('is that only ACKs were marked', () => {
    expect(quiet({ totals: { marks: 1 } })).toBe(
      '1 packet was marked, but none with data: marks on ACKs and other control packets notify no sender.',
    );
  });

  it('is that marked data was lost, or that its CNP was still delayed', () => {
    const answer = quiet({
      totals: { marks: 9, dataMarks: 9, packetsDropped: 4 },
      scenario: { hosts: { cnpDelayUs: 55 } },
      result: { fidelity: 'reference' },
    });
    expect(answer).toMatch(
      /9 data packets were marked, yet no sender was notified.*out of order get none.*4 packets were dropped.*by 55 µs/s,
    );
  });

  it('is that receivers had no notification point', () => {
    const hosts = { notificationPoint: false };
    expect(quiet({ totals: { marks: 9, dataMarks: 9 }, scenario: { hosts } })).toMatch(
      /9 data packets were marked, yet no sender was notified.*hosts\.notificationPoint is false/s,
    );
  });

  it('is replaced by the number of notifications, which under reference are marks that ACKs repeat', () => {
    expect(answerTo('notification', {})).toMatch(
      /^4 of 4 flows were notified, 18 times in all: 36 data packets marked, 18 CNPs, 0 Fast CNPs\. The first arrived 12 µs/,
    );
    expect(answerTo('notification', { result: { fidelity: 'reference' } })).toMatch(/marks that ACKs repeat/);
    expect(answerTo('notification', { flow: () => ({ duplicateNotifications: 2 }) })).toMatch(
      /8 were for congestion already reported/,
    );
  });
});

describe('The explanation of Fast CNPs', () => {
  const enabled = { switches: { fastCnp: { enabled: true } } };

  it('is present only if a switch may send them', () => {
    expect(about(incastResult(), 'fast-cnp')).toBeUndefined();
    expect(answerTo('fast-cnp', { scenario: enabled, totals: { fastCnps: 3 }, flow: () => ({ fastCnps: 0 }) })).toBe(
      '3 Fast CNPs were sent; senders reacted to 0.',
    );
    expect(answerTo('fast-cnp', { scenario: { ...enabled, hosts: { acceptFastCnp: false } }, totals: { fastCnps: 1 } }))
      .toMatch(/1 Fast CNP was sent.*acceptFastCnp is false/);
  });

  it('names a short queue or empty token buckets if none was sent', () => {
    const port = () => ({ maxClassQueueBytes: 10_000 });
    expect(answerTo('fast-cnp', { scenario: enabled, totals: QUIET, flow: quietFlow, port })).toMatch(
      /No switch sent one: the longest queue, 10 kB/,
    );
    expect(answerTo('fast-cnp', { scenario: enabled })).toMatch(/buckets hold them all back/);
  });
});

describe('The mechanism that controlled the queues', () => {
  const paused = (pausedPs: number) => ({
    port: ({ name }: PortResult) => (name === 'h0:s0' ? { pausedPs } : {}),
    result: { simulatedPs: 1e9 },
  });

  const atLineRate = {
    flow: () => ({ ...quietFlow(), finalRateBps: incastResult().ports[0].rateBps }),
    result: { series: NO_SERIES, simulatedPs: 1e9 },
  };

  it.each<[string, ResultChanges, RegExp]>([
    [
      'congestion control alone',
      {},
      /^Congestion control did the work; PFC never fired\. 18 notifications, 0 pauses, 0 NAKs/,
    ],
    [
      'pauses up to 1 % of the run',
      { ...paused(10e6), totals: { pauses: 2 } },
      /^Congestion control did the work; PFC hardly fired.*for 1 % of the run/,
    ],
    ['pauses above 1 % of the run', { ...paused(11e6), totals: { pauses: 2 } }, /both did the work\. /],
    [
      'pauses alone',
      { ...paused(11e6), totals: { ...QUIET, pauses: 2 }, ...atLineRate },
      /^PFC alone: no sender was notified of congestion/,
    ],
    [
      'pauses, although senders have an algorithm that listens to ACKs',
      {
        ...paused(11e6),
        totals: { ...QUIET, pauses: 2 },
        flow: atLineRate.flow,
        result: { simulatedPs: 1e9, series: NO_SERIES },
        scenario: { algorithms: { default: { preset: 'hpcc-ns3' } } },
      },
      /^PFC alone: congestion control \(hpcc\) lowered the rate of no sender/,
    ],
    [
      'neither mechanism',
      { totals: QUIET, ...atLineRate },
      /^Neither was needed: no sender was slowed down\. 0 notifications, 0 pauses/,
    ],
    ['acknowledgements', {
      totals: QUIET,
      flow: quietFlow,
      scenario: { algorithms: { default: { preset: 'hpcc-ns3' } } },
    }, /^Congestion control by acknowledgements \(hpcc\) did the work/],
    [
      'losses for lack of memory',
      { totals: { drops: { ...NO_DROPS, buffer: 4 } } },
      /^Neither kept queues short enough.*4 buffer-overflow drops/,
    ],
    ['other losses', { totals: { naks: 1 } }, /PFC never fired, but packets were lost otherwise.*1 NAK,/],
  ])('is recognized: %s', (_, changes, words) => {
    expect(answerTo('work', changes)).toMatch(words);
  });
});

describe('The reason that flows are unfinished', () => {
  const unfinished = (flow: Partial<FlowResult>, changes: ResultChanges = {}) =>
    answerTo('unfinished', {
      ...changes,
      flow: ({ index }) => (index === 0 ? { completionPs: null, slowdown: null, ...flow } : {}),
      result: { simulatedPs: 400e6, ended: 'time', ...changes.result },
    });

  it('is not asked for if all flows are done', () => {
    expect(about(incastResult(), 'unfinished')).toBeUndefined();
  });

  it('is the end of the run, with the rate of the flow and the time that it still needs', () => {
    expect(unfinished({ deliveredBytes: 262_144 })).toMatch(
      /its time was up.*delivered 262 kB of 1\.05 MB \(25 %\)\. It ran at 5\.24 Gb\/s on average; at that pace it needs 1\.2 ms more/,
    );
    expect(unfinished({ deliveredBytes: 0 })).toMatch(/Nothing of it had arrived yet/);
    expect(unfinished({ startPs: 500e6 })).toMatch(/had not begun: it starts at 500 µs, the run ended at 400 µs/);
  });

  it.each<[string, Partial<FlowResult>, ResultChanges, RegExp]>([
    [
      'no route',
      { deliveredBytes: 0 },
      { totals: { drops: { ...NO_DROPS, noRoute: 3 } } },
      /had no route to h4 or to others: 3 packets/,
    ],
    [
      'a link that was down',
      { deliveredBytes: 10, timeouts: 2 },
      { totals: { drops: { ...NO_DROPS, linkDown: 6 } } },
      /Links were down: 6 packets lost/,
    ],
    ['timeouts', { timeouts: 4, retransmittedPackets: 80 }, {}, /4 timeouts and retransmitted 80 packets/],
    ['that no host retransmits', {}, {
      totals: { packetsDropped: 1 },
      scenario: { hosts: { retransmitTimeoutUs: 0 } },
      result: { ended: 'stuck' },
    }, /without a retransmission timeout/],
    ['stuck', {}, { result: { ended: 'stuck' } }, /waits for an ACK/],
    ['cancelled', { deliveredBytes: 1000 }, { result: { ended: 'cancelled' } }, /The run was cancelled/],
  ])('is recognized: %s', (_, flow, changes, words) => {
    expect(unfinished(flow, changes)).toMatch(words);
  });

  it('is given for five flows, and the others are counted', () => {
    const answer = answerTo('unfinished', {
      senders: 8,
      flow: () => ({ completionPs: null, slowdown: null }),
      result: { simulatedPs: 1e8, ended: 'time' },
    });
    expect(answer).toMatch(/Flow 4 .*3 more flows likewise/s);
    expect(answer).not.toMatch(/Flow 5/);
  });
});

describe('The reason that the slowest flow was slow', () => {
  it('is that it shared a full link', () => {
    expect(answerTo('slow', {})).toMatch(
      /^It took 380 µs, 4\.32 times its ideal, 87\.9 µs\. The link at s0:h4 was 9\d[.\d]* % used, and 4 flows shared it: with equal shares up to 4 times the ideal is to be expected\. Its rate was cut by 6 notifications/,
    );
  });

  it('is that its rate was cut although the link had capacity', () => {
    const port = ({ name }: PortResult) => (name === 's0:h4' ? { utilization: 0.3 } : { utilization: 0.1 });
    expect(answerTo('slow', { port, result: { series: NO_SERIES } })).toMatch(
      /cut by 6 notifications\. Rates were cut too far or recovered too slowly\. Its fullest link, s0:h4 \(4 flows\), averaged only 30 % utilization/,
    );
  });

  it('is that it was paused and lost packets', () => {
    const answer = answerTo('slow', {
      port: ({ name }) => (name === 'h3:s0' ? { pausedPs: 100e6 } : {}),
      flow: ({ index }) => (index === 3 ? { retransmittedPackets: 5, timeouts: 1 } : {}),
    });
    expect(answer).toMatch(
      /Packets were lost: 5 packets retransmitted, 1 timeout\. h3:s0 on its path was paused for 100 µs, 26\.3 % of the time/,
    );
  });

  it('is absent for flows that shared no link', () => {
    const answer = answerTo('slow', { flow: ({ idealPs }) => ({ completionPs: idealPs * 1.1, slowdown: 1.1 }) });
    expect(answer).toMatch(/^No: the slowest, flow 0/);
  });

  it('names the first and the last link, and the field to record, if there are no paths', () => {
    const found = about(bare(incastResult()), 'slow')!;
    expect(found.answer).toMatch(/The link at s0:h4 was 9\d[.\d]* % used/);
    expect(found.missing).toEqual(['flows[].path']);
    const hidden = incastResult({ port: ({ name }) => (name === 's0:h4' ? { peer: 's1' } : { utilization: 0.2 }) });
    expect(about(bare(hidden), 'slow')!.answer).not.toMatch(/equal shares/);
  });

  it('is not asked for if no flow is done', () => {
    expect(
      about(incastResult({ flow: () => ({ completionPs: null, slowdown: null }), result: { simulatedPs: 1e8 } }),
        'slow'),
    ).toBeUndefined();
  });
});

describe('The explanation of losses', () => {
  it('states that there were none', () => {
    expect(answerTo('loss', {})).toBe('No: 0 packets dropped, 0 retransmitted, 0 NAKs, 0 timeouts.');
  });

  it('names the ports and reasons of drops, and counts retransmissions', () => {
    const totals = {
      packetsDropped: 12,
      drops: { ...NO_DROPS, buffer: 10, corrupt: 2 },
      retransmittedPackets: 40,
      naks: 3,
      timeouts: 1,
    };
    const answer = answerTo('loss', {
      totals,
      port: ({ name }) => (name === 's0:h4' ? { drops: 10 } : {}),
      scenario: { switches: { pfc: false } },
    });
    expect(answer).toBe(
      '12 packets were dropped: 10 because no memory was left and 2 because their ICRC was wrong. Most at s0:h4 (10). PFC is off at s0: nothing stops senders before memory is full. Go-back-N retransmitted 40 packets, after 3 NAKs and 1 timeout.',
    );
    expect(answerTo('loss', { totals, port: () => ({ drops: 1 }) })).toMatch(
      /PFC is on at s0, so its headroom was too small/,
    );
  });

  it('states that timeouts without a loss were too short', () => {
    expect(answerTo('loss', { totals: { timeouts: 2, retransmittedPackets: 9 } })).toMatch(
      /No packet was dropped.*timeouts were too short/,
    );
  });
});

describe('The explanation of settings without effect', () => {
  it('repeats the notes of the result, and adds settings that had no effect in the run', () => {
    const answer = answerTo('settings', {
      scenario: {
        switches: { pfc: true, ecn: {}, fastCnp: { enabled: true } },
        hosts: { cnpIntervalUs: 20 },
        faults: [{ kind: 'link-down', between: ['h0', 's0'], fromUs: 1, toUs: 2 }],
      },
      flow: quietFlow,
      totals: QUIET,
      result: { notes: ['Fast CNP is enabled, but no host accepts it.'] },
    });
    for (
      const words of [
        /^Fast CNP is enabled, but no host accepts it\. Setting switches\.pfc changed nothing/,
        /switches\.ecn.*0 packets were marked/,
        /switches\.fastCnp/,
        /hosts\.cnpIntervalUs changed nothing: 0 CNPs/,
        /faults changed nothing/,
      ]
    ) {
      expect(answer).toMatch(words);
    }
  });

  it('names no settings that are unset or had an effect', () => {
    const answer = answerTo('settings', { scenario: { switches: { pfc: true, ecn: {} } }, totals: { pauses: 1 } });
    expect(answer).toMatch(/^None: every mechanism/);
    expect(answerTo('settings', { flow: quietFlow, totals: QUIET })).toMatch(/^None/);
  });
});

describe('Settings of the scenario', () => {
  it('scale thresholds with the rate unless stated otherwise, and apply overrides last', () => {
    const { scenario } = incastResult({
      scenario: {
        switches: { ecn: { kminKB: 10, kmaxKB: 20 } },
        overrides: [{ nodes: ['s1'], switch: { ecn: { scaleWithRate: false } } }],
      },
    });
    const port = { ...incastResult().ports.map(untold)[0]!, rateBps: 400e9 };
    expect(markingThresholds(scenario, { ...port, node: 's0' })).toEqual({ kminBytes: 40_000, kmaxBytes: 80_000 });
    expect(markingThresholds(scenario, { ...port, node: 's1' })).toEqual({ kminBytes: 10_000, kmaxBytes: 20_000 });
  });

  it('default the headroom to three link delays: 37,500 bytes at 100 Gb/s and 1 µs', () => {
    const { scenario, ports } = incastResult();
    expect(headroomBytes(scenario, ports[0]!)).toBe(37_500);
    expect(
      headroomBytes({ ...scenario, topology: { kind: 'dumbbell', left: 1, right: 1, bottleneck: { delayNs: 5000 } } },
        ports[0]!),
    ).toBe(187_500);
  });

  it('distinguish switches from hosts by name, and by kind in a list of edges', () => {
    const result = incastResult();
    expect(switchPorts(result).map(({ node }) => node)).toEqual(['s0', 's0', 's0', 's0', 's0']);
    const topology = {
      kind: 'edges',
      nodes: [{ name: 'h1', kind: 'switch' }, { name: 's0', kind: 'host' }],
      links: [],
    } as const;
    expect(switchPorts({ ...result, scenario: { ...result.scenario, topology } }).map(({ name }) => name)).toEqual([
      'h1:s0',
    ]);
  });
});

describe('Numbers in sentences', () => {
  it('have three digits and a fitting unit', () => {
    expect([timeWords(999), timeWords(1500), timeWords(12_345_678), timeWords(2.5e12), timeWords(0)]).toEqual([
      '999 ps',
      '1.5 ns',
      '12.3 µs',
      '2.5 s',
      '0 ps',
    ]);
    expect([bytesWords(999), bytesWords(420_500), bytesWords(1e9)]).toEqual(['999 bytes', '421 kB', '1 GB']);
    expect([rateWords(40e6), rateWords(98.76e9), percentWords(0.0123)]).toEqual(['40 Mb/s', '98.8 Gb/s', '1.23 %']);
    expect([
      countWords(1, 'flow'),
      countWords(0, 'flow'),
      wereWords(1, 'flow'),
      listWords(['a']),
      listWords(['a', 'b', 'c']),
    ]).toEqual(['1 flow', '0 flows', '1 flow was', 'a', 'a, b and c']);
  });
});
