import { describe, expect, it } from 'vitest';
import type { AlgorithmParameters } from '../../src/config/algorithms/registry.js';
import { hpccNs3, hpccSigcomm19 } from '../../src/config/algorithms/hpcc-presets.js';
import { hpccPintNs3 } from '../../src/config/algorithms/hpcc-pint.js';
import { hpccPpDraft } from '../../src/config/algorithms/hpcc-pp.js';
import { swiftSigcomm20 } from '../../src/config/algorithms/swift.js';
import { timelyNs3 } from '../../src/config/algorithms/timely.js';
import { dcqcnSigcomm15, gbps, us, type EngineOptions } from '../../src/index.js';
import { Seeded } from '../support/seeded.js';
import { cnpPacket, fastCnpPacket } from './support/network.js';
import { SortedEvents } from './support/sorted-events.js';

const LINE = { lineRateBps: gbps(100) };
const RTT = { ...LINE, baseRttPs: us(10) };
/** DCQCN is neither the first algorithm nor the only one with several parameter sets. */
const SETS: readonly AlgorithmParameters[] = [
  hpccSigcomm19(RTT),
  timelyNs3(LINE),
  dcqcnSigcomm15(LINE),
  hpccPpDraft(RTT),
  hpccNs3('run.py', RTT),
  dcqcnSigcomm15({ ...LINE, minRateBps: 1e9 }),
  hpccSigcomm19({ ...RTT, primary: 'rate', aiRateBps: 5e7, aiWindowBytes: 0 }),
  swiftSigcomm20(LINE),
  hpccPintNs3(RTT),
  hpccNs3('multirate', RTT),
];
const named = (count: number): Record<string, AlgorithmParameters> =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`set ${i}`, SETS[i % SETS.length]!]));
const FAST_CNP = { enabled: true, defaultAction: 'allow', duplicateWindowPs: us(15) } as const;
const PACKETS = 8;

type Case = readonly [what: string, qps: number, batches: number, options: Omit<EngineOptions, 'backend' | 'hashSeed'>];

const CASES: readonly Case[] = [
  ['batches of one event', 20, 200, { parameterSets: named(16), capacity: { qps: 32, events: 1, packets: 1 } }],
  ['batches of 257 events of 16 parameter sets', 40, 25, {
    parameterSets: named(16),
    capacity: { qps: 64, events: 257, packets: PACKETS },
  }],
  ['batches of 900 events with Fast CNPs between', 30, 10, {
    parameterSets: named(10),
    fastCnp: FAST_CNP,
    capacity: { qps: 64, events: 900, packets: PACKETS },
  }],
  ['late events clamped', 30, 20, {
    parameterSets: named(10),
    lateEvents: 'clamp',
    fastCnp: FAST_CNP,
    capacity: { qps: 64, events: 300, packets: PACKETS },
  }],
  ['rate actions off', 30, 20, {
    parameterSets: named(10),
    rateActions: false,
    fastCnp: FAST_CNP,
    capacity: { qps: 64, events: 300, packets: PACKETS },
  }],
  ['rates traced', 20, 10, {
    parameterSets: named(10),
    trace: true,
    capacity: { qps: 64, events: 300, packets: PACKETS },
  }],
  ['enough QPs for prefetching', 60, 10, {
    parameterSets: named(16),
    capacity: { qps: 4096, events: 300, packets: PACKETS },
  }],
];

describe('batches of several algorithms', () => {
  it.each(CASES)('agree between the backends, with actions in order: %s', (_, qps, batches, options) => {
    const stream = new SortedEvents(options, qps, new Seeded(qps + batches));
    const { pair } = stream;
    for (let batch = 0; batch < batches; batch++) {
      stream.batch();
      if (batch % 3 !== 0) continue;
      // Frames and events share scratch memory.
      const frames = [cnpPacket(), fastCnpPacket()].slice(0, pair.first.packets.capacity);
      pair.step((engine) => {
        frames.forEach((frame) => {
          engine.packets.add(stream.timePs, frame, undefined, 'raw-ip');
        });
      });
      pair.step((engine) => engine.applyPackets());
      pair.check();
      if (batch % 9 === 0) pair.restore();
    }
    const { outcomes } = pair.first.stats();
    for (
      const outcome of ['ack-applied', 'ack-not-used', 'cnp-handled', 'sent', 'unknown-qp', 'unknown-kind'] as const
    ) {
      expect(outcomes[outcome], outcome).toBeGreaterThan(0);
    }
  });

  it('agree between the backends without HPCC, when QPs keep no hops', () => {
    const parameterSets = { dcqcn: dcqcnSigcomm15(LINE), swift: swiftSigcomm20(LINE), timely: timelyNs3(LINE) };
    const stream = new SortedEvents({ parameterSets, capacity: { qps: 16, events: 300 } }, 12, new Seeded(1), 0);
    for (let batch = 0; batch < 10; batch++) stream.batch();
    expect(stream.pair.first.stats().outcomes['ack-applied']).toBeGreaterThan(0);
  });
});
