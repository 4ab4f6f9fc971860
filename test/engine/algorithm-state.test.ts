import { describe, expect, it } from 'vitest';
import { createEngineSync, dcqcnSigcomm15, dctcpNs3, gbps, hpccNs3, hpccPintNs3, hpccPpDraft, hpccSigcomm19,
  restoreEngineSync, swiftSigcomm20, timelySigcomm15, us, type AlgorithmParameters,
  type Engine } from '../../src/index.js';
import { referenceBackend } from '../../src/reference/index.js';
import type { BackendOption } from '../support/backends.js';

const PATH = { lineRateBps: gbps(100), baseRttPs: us(10) };
const PARAMETER_SETS: Readonly<Record<string, AlgorithmParameters>> = {
  dcqcn: dcqcnSigcomm15({ lineRateBps: PATH.lineRateBps }),
  hpcc: hpccSigcomm19(PATH),
  int: hpccNs3('multirate', PATH),
  plus: hpccPpDraft(PATH),
  pint: hpccPintNs3(PATH),
  timely: timelySigcomm15({ lineRateBps: PATH.lineRateBps }),
  dctcp: dctcpNs3({ lineRateBps: PATH.lineRateBps }),
  swift: swiftSigcomm20({ lineRateBps: PATH.lineRateBps }),
};
const NAMES = Object.keys(PARAMETER_SETS);

/** One QP per parameter set, each after three ACKs with the fields of every algorithm. */
function driven(backend: BackendOption): { engine: Engine; qps: ReadonlyMap<string, number> } {
  const engine = createEngineSync({ backend, parameterSets: PARAMETER_SETS });
  const qps = new Map(NAMES.map((parameterSet, i) => [parameterSet, engine.openQp({ localQpn: i + 1, parameterSet })]));
  for (const step of [1, 2, 3]) for (const [name, qp] of qps) acknowledge(engine, name, qp, step);
  engine.applyEvents();
  return { engine, qps };
}

function acknowledge(engine: Engine, name: string, qp: number, step: number): void {
  const timePs = us(20 * step);
  const hops = [{ timePs, txBytes: 125_000 * step, qlenBytes: 12_500, lineRateBps: gbps(100), hopId: 7, portId: 3 }];
  const raw = [{ lineRateCode: 2, time: 10_000 * step, bytes: 976 * step, qlen: 156 }];
  const telemetry = name === 'int' ?
    { kind: 'int64' as const, hopCount: 1, hops: raw } :
    { kind: 'exact' as const, hops };
  const fields = {
    ackSeq: 4000 * step,
    sndNxt: 4000 * step + 3000,
    ecnEcho: step === 3,
    sentTimePs: timePs - us(10 + step),
    pintPower: 130,
  };
  engine.events.ack(timePs, qp, { ...fields, telemetry });
}

describe('the state of an algorithm', () => {
  const { engine, qps } = driven('wasm');
  const stateOf = (name: string) => engine.qp(qps.get(name)!).algorithmState();

  it.each(NAMES)('is the same on both backends (%s)', (name) => {
    const other = driven(referenceBackend);
    expect(stateOf(name)).toEqual(other.engine.qp(other.qps.get(name)!).algorithmState());
  });

  it('contains the values that determine the rate', () => {
    // 125,000 B in 20 us are half of the line rate, and 0.1 W0 is queued; ACKs two round trips apart replace all of u.
    const state = stateOf('hpcc');
    expect(state).toMatchObject({ algorithm: 'hpcc', incStage: 2, lastUpdateSeq: 15_000, hopCount: 1 });
    if (state.algorithm !== 'hpcc') throw new Error('not HPCC');
    expect(state.utilization).toBeCloseTo(0.6, 12);
    expect(state.hops[0]).toMatchObject({ time: us(60), txBytes: 375_000, qlen: 12_500, hopId: 7 });
    expect(stateOf('timely')).toMatchObject({ algorithm: 'timely', lastRttNs: 13_000, incStage: 0 });
    expect(stateOf('dctcp')).toMatchObject({
      algorithm: 'dctcp',
      reduced: true,
      reducedUntilSeq: 15_000,
      lastUpdateSeq: 15_000,
    });
    expect(stateOf('swift')).toMatchObject({ algorithm: 'swift', rttPs: us(13), timeouts: 0 });
  });

  it('contains at most the hops that its record type can hold', () => {
    expect(['hpcc', 'int', 'plus', 'pint'].map((name) => (stateOf(name) as { hops?: unknown[] }).hops?.length)).toEqual(
      [16, 5, 15, undefined],
    );
  });

  it('contains only state of the same algorithm', () => {
    const own = { dcqcn: 'targetBps', hpcc: 'committed', plus: 'nextRecoveryPs', timely: 'rttDiffNs', swift: 'cwnd' };
    for (const [name, field] of Object.entries(own)) expect(stateOf(name)).toHaveProperty(field);
    expect(NAMES.filter((name) => 'targetBps' in stateOf(name))).toEqual(['dcqcn']);
    expect(NAMES.filter((name) => 'cwnd' in stateOf(name))).toEqual(['swift']);
  });

  it('has the same rate and window as the view', () => {
    for (const [name, qp] of qps) {
      const { rateBps, windowBytes, lastEventPs, nextSendPs } = engine.qp(qp);
      expect(stateOf(name)).toMatchObject({ rateBps, lastEventPs, nextSendPs });
      expect(windowBytes).toBe((stateOf(name) as { windowBytes?: number }).windowBytes ?? 0);
    }
  });

  it('is a copy, and is restored from a snapshot', () => {
    const before = stateOf('timely');
    const copy = structuredClone(before);
    const other = restoreEngineSync(engine.snapshot());
    acknowledge(other, 'timely', qps.get('timely')!, 4);
    other.applyEvents();
    expect(before).toEqual(copy);
    expect(other.qp(qps.get('timely')!).algorithmState()).not.toEqual(copy);
    expect(other.qp(qps.get('hpcc')!).algorithmState()).toEqual(stateOf('hpcc'));
  });
});
