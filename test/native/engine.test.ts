/** The C library equals the npm package's engine to the bit: in random events and frames, presets and snapshots. */
import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { stateHashesBy } from '../../bench/support/state-hashes.js';
import { hpccPpFastCnp } from '../../src/config/algorithms/hpcc-pp.js';
import { createEngineSync, dcqcnConnectx, dcqcnIrdma, dcqcnNs3, dcqcnSigcomm15, dctcpNs3, gbps, hpccNs3, hpccPintNs3,
  hpccPpDraft, hpccSigcomm19, ns, nsccMrc, nsccUet, rcccUet, swiftSigcomm20, timelyNs3, timelySigcomm15, us,
  type Engine, type EngineOptions } from '../../src/index.js';
import { ackFields, BATCH, Chance as EventChance, EVERY_ALGORITHM, nackFields, openAll, playEvents, pullNumber,
  QPS } from '../engine/support/every-algorithm.js';
import { frameByChance, introduce, localFrames, markCe } from '../engine/support/frames-at-hand.js';
import type { Herd } from '../engine/support/herd.js';
import { randomSetup } from '../engine/support/random-setup.js';
import { Player, randomCodes } from '../engine/support/random-stream.js';
import { Chance } from '../parser/support/random-frames.js';
import { describeNeeding } from '../support/foreign-tools.js';
import { ensureLibrary, MISSING } from './support/library.js';

const STREAMS = 30;
const STREAM_STEPS = 600;
const FRAMES = 4000;
const EVENTS = 20_000;
const BATCH_FRAMES = 96;
const SEED = Number(process.env['ROCE_SEED'] ?? 42);
const TIME_LIMIT_MS = 600_000;
const LINE = { lineRateBps: gbps(100) };
const RTT = { ...LINE, baseRttPs: us(13) };

/** Presets and overrides in C, and the parameter sets that they give. */
const SETS = [
  ['dcqcn-sigcomm15', '', dcqcnSigcomm15(LINE)],
  ['dcqcn-ns3', '', dcqcnNs3('dcqcn', LINE)],
  ['dcqcn-ns3', 'set=config.txt', dcqcnNs3('config.txt', LINE)],
  ['dcqcn-connectx', 'aiRateBps=7000000', dcqcnConnectx({ ...LINE, aiRateBps: 7_000_000 })],
  ['dcqcn-irdma', 'mssBytes=4096 rttPs=20000000', dcqcnIrdma({ ...LINE, mssBytes: 4096, rttPs: us(20) })],
  ['hpcc-sigcomm19', 'baseRttPs=13000000', hpccSigcomm19(RTT)],
  [
    'hpcc-sigcomm19',
    'baseRttPs=13000000 primary=rate expectedFlows=7',
    hpccSigcomm19({ ...RTT, primary: 'rate', expectedFlows: 7 }),
  ],
  ['hpcc-ns3', 'baseRttPs=13000000 set=paper-stage5', hpccNs3('paper-stage5', RTT)],
  ['hpcc-pint-ns3', 'baseRttPs=13000000', hpccPintNs3(RTT)],
  [
    'hpcc-pp-draft',
    'baseRttPs=13000000 signalSources=acks+cnps',
    hpccPpDraft({ ...RTT, signalSources: ['acks', 'cnps'] }),
  ],
  ['hpcc-pp-fast-cnp', 'baseRttPs=13000000', hpccPpFastCnp(RTT)],
  ['timely-sigcomm15', '', timelySigcomm15(LINE)],
  ['timely-ns3', '', timelyNs3(LINE)],
  ['dctcp-ns3', '', dctcpNs3(LINE)],
  ['swift-sigcomm20', 'minCwnd=0.01', swiftSigcomm20({ ...LINE, minCwnd: 0.01 })],
  ['nscc-uet', 'baseRttPs=13000000', nsccUet(RTT)],
  ['nscc-mrc', 'baseRttPs=13000000', nsccMrc(RTT)],
  [
    'nscc-mrc',
    'baseRttPs=12345679 targetDelayPs=9259259 adaptTargets=0 adaptGate=16 proportionalGain=0.3 fairGain=0.7 fastGain=1e-3',
    nsccMrc({
      ...LINE,
      baseRttPs: 12_345_679,
      targetDelayPs: 9_259_259,
      adaptTargets: 0,
      adaptGate: 16,
      proportionalGain: 0.3,
      fairGain: 0.7,
      fastGain: 1e-3,
    }),
  ],
  ['rccc-uet', 'baseRttPs=13000000', rcccUet(RTT)],
  [
    'rccc-uet',
    'baseRttPs=1000 initialCreditBytes=4000 timeoutCredit=none',
    rcccUet({ ...LINE, baseRttPs: 1000, initialCreditBytes: 4000, timeoutCredit: 'none' }),
  ],
] as const;

/** A snapshot without its header, in which the order of keys can differ. */
function stateOf(snapshot: Uint8Array): Uint8Array {
  return snapshot.subarray(16 + new DataView(snapshot.buffer, snapshot.byteOffset).getUint32(12, true));
}

/** Single events and queries for random QPs. */
function singleSteps(chance: EventChance, timePs: number): readonly ((engine: Engine) => unknown)[] {
  const qp = (): number => chance.below(QPS + 1);
  const [sent, acked, lost, trimmed, granted, asked] = [qp(), qp(), qp(), qp(), qp(), qp()] as const;
  const ack = ackFields(chance, timePs, chance.below(1_000_000));
  const nack = nackFields(chance, timePs);
  const pull = pullNumber(chance, timePs);
  const bytes = chance.below(300_000);
  const senders = chance.below(4);
  const found = chance.below(2) === 0 ? 'fast' : 'timeout';
  return [
    (engine) => engine.sent(timePs, sent, 4160),
    (engine) => engine.ack(timePs, acked, ack),
    (engine) => engine.loss(timePs, lost, found),
    (engine) => engine.nack(timePs, trimmed, nack),
    (engine) => engine.credit(timePs, granted, pull),
    (engine) => engine.maySend(asked, bytes),
    (engine) => engine.pullTarget(asked, bytes, senders),
    (engine) => engine.nack(timePs, trimmed, { trimmedBytes: bytes % 3 === 0 ? -1 : 0.5 }),
    (engine) => engine.credit(timePs, granted, bytes % 3 === 0 ? 2 ** 45 : NaN),
  ];
}

ensureLibrary();

describeNeeding(MISSING, 'The C library and the npm package', () => {
  it(`agree on random events, seed ${SEED}`, { timeout: TIME_LIMIT_MS }, async () => {
    const { NativePair } = await import('./support/native-pair.js');
    const agreement = fc.property(randomSetup, randomCodes(STREAM_STEPS), (setup, codes) => {
      const pair = new NativePair(setup.options);
      new Player(pair as unknown as Herd, setup).play(codes);
      const { first, native } = pair;
      expect(Buffer.compare(stateOf(native.snapshot()), stateOf(first.snapshot())), 'snapshots').toBe(0);
      native.restore(first.snapshot());
      first.restore(native.snapshot());
      pair.check();
      pair.dispose();
    });
    fc.assert(agreement, { seed: SEED, numRuns: STREAMS, endOnFailure: true });
  });

  it.each(['reject', 'clamp'] as const)(
    `agree on random events of every algorithm, in batches and one by one, seed ${SEED} (late events: %s)`,
    { timeout: TIME_LIMIT_MS },
    async (lateEvents) => {
      const { NativePair } = await import('./support/native-pair.js');
      const capacity = { qps: 64, events: BATCH };
      const pair = new NativePair({ parameterSets: EVERY_ALGORITHM, lateEvents, capacity });
      const chance = new EventChance(SEED);
      openAll(pair as unknown as Herd);
      playEvents(pair as unknown as Herd, SEED, EVENTS, (timePs) => {
        for (const step of singleSteps(chance, timePs)) pair.step(step);
        pair.check();
      });
      const { first, native } = pair;
      expect(Buffer.compare(stateOf(native.snapshot()), stateOf(first.snapshot())), 'snapshots').toBe(0);
      pair.dispose();
    },
  );

  it(`agree on raw frames, seed ${SEED}`, { timeout: TIME_LIMIT_MS }, async () => {
    const { NativePair } = await import('./support/native-pair.js');
    const frames = localFrames();
    const chance = new Chance(SEED);
    const pair = new NativePair({
      parameterSets: { default: dcqcnSigcomm15(LINE) },
      capacity: { qps: 120, endpoints: 4, addresses: 160, events: 4, packets: BATCH_FRAMES, frameBytes: 2 ** 20 },
      fastCnp: {
        enabled: true,
        accessList: [{ prefix: '2001:db8::/33', action: 'allow' }, { prefix: '2001:db8:7::/48', action: 'deny' }],
      },
      notificationPoint: { scope: 'destination', window: 'trailing', minTimeBetweenCnpsPs: ns(700) },
    });
    introduce(pair as unknown as Herd, frames);
    for (let index = 0; index < FRAMES; index++) {
      const { bytes, original } = index < frames.length ? markCe(frames[index]!) : frameByChance(chance, frames);
      pair.step((engine) => {
        engine.packets.add(ns(index * 100), bytes, original);
      });
      if (index % BATCH_FRAMES !== BATCH_FRAMES - 1) continue;
      pair.step((engine) => engine.applyPackets());
      pair.check();
      const codes = pair.native.lastReports.map((_, at) => ({
        class: pair.first.packets.classCode(at),
        qp: pair.first.packets.qpOf(at),
        outcome: pair.first.packets.outcomeCode(at),
      }));
      expect(pair.native.lastReports).toMatchObject(codes);
    }
    pair.dispose();
  });

  it('have all presets that the header lists', async () => {
    const { presetNames } = await import('./support/native-presets.js');
    const header = readFileSync(new URL('../../include/roce_cc.h', import.meta.url), 'utf8');
    const [, listed = ''] = /preset {2,}(.*?): `roce_preset_name` lists them/s.exec(header) ?? [];
    expect(listed.replaceAll(/[\s*]/g, '').split(',')).toStrictEqual(presetNames());
    expect([...new Set(SETS.map(([preset]) => preset))]).toStrictEqual(presetNames());
  });

  it.each(SETS)('have the same parameters for %s %s', async (preset, overrides, parameters) => {
    const { snapshotOf } = await import('./support/native-presets.js');
    const engine = createEngineSync({ parameterSets: { p: parameters }, hashSeed: 1 });
    expect(Buffer.compare(snapshotOf(preset, `lineRateBps=100e9 ${overrides}`), engine.snapshot())).toBe(0);
  });

  it('have the state hashes of bench/hashes.txt', { timeout: TIME_LIMIT_MS }, async () => {
    const { NativeEngine } = await import('./support/native-engine.js');
    const lines = readFileSync(new URL('../../bench/hashes.txt', import.meta.url), 'utf8').trim().split('\n');
    const create = (options: EngineOptions): never => new NativeEngine(options) as never;
    expect([...stateHashesBy(create)]).toEqual(lines.filter((line) => line.startsWith('state')));
  });
});
