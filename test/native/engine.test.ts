/** The library for C is the npm package's engine, to the bit: random events and frames, parameters, snapshots, the streams of bench/hashes.txt. */
import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { stateHashesBy } from '../../bench/support/state-hashes.js';
import { createEngineSync, dcqcnConnectx, dcqcnIrdma, dcqcnNs3, dcqcnSigcomm15, dctcpNs3, gbps, hpccNs3, hpccPintNs3,
  hpccPpDraft, hpccSigcomm19, ns, swiftSigcomm20, timelyNs3, timelySigcomm15, us,
  type EngineOptions } from '../../src/index.js';
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
const BATCH_FRAMES = 96;
const SEED = Number(process.env['ROCE_SEED'] ?? 42);
const TIME_LIMIT_MS = 600_000;
const LINE = { lineRateBps: gbps(100) };
const RTT = { ...LINE, baseRttPs: us(13) };

/** Parameter sets by the preset and overrides that give them in C. */
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
  ['timely-sigcomm15', '', timelySigcomm15(LINE)],
  ['timely-ns3', '', timelyNs3(LINE)],
  ['dctcp-ns3', '', dctcpNs3(LINE)],
  ['swift-sigcomm20', 'minCwnd=0.01', swiftSigcomm20({ ...LINE, minCwnd: 0.01 })],
] as const;

/** Of a snapshot without its header, in which the order of keys may differ. */
function stateOf(snapshot: Uint8Array): Uint8Array {
  return snapshot.subarray(16 + new DataView(snapshot.buffer, snapshot.byteOffset).getUint32(12, true));
}

ensureLibrary();

describeNeeding(MISSING, 'The library for C and the npm package', () => {
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

  it.each(SETS)('have the same parameters of %s %s', async (preset, overrides, parameters) => {
    const { snapshotOf } = await import('./support/native-presets.js');
    const engine = createEngineSync({ parameterSets: { p: parameters }, hashSeed: 1 });
    expect(Buffer.compare(snapshotOf(preset, `lineRateBps=100e9 ${overrides}`), engine.snapshot())).toBe(0);
  });

  it('have the states of bench/hashes.txt', { timeout: TIME_LIMIT_MS }, async () => {
    const { NativeEngine } = await import('./support/native-engine.js');
    const lines = readFileSync(new URL('../../bench/hashes.txt', import.meta.url), 'utf8').trim().split('\n');
    const create = (options: EngineOptions): never => new NativeEngine(options) as never;
    expect([...stateHashesBy(create)]).toEqual(lines.filter((line) => line.startsWith('state')));
  });
});
