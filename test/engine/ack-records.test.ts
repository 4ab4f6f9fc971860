import { describe, expect, it } from 'vitest';
import { hpccNs3, hpccSigcomm19 } from '../../src/config/algorithms/hpcc-presets.js';
import { createEngineSync, gbps, us, type AckTelemetry, type Int64Hop } from '../../src/index.js';
import { BACKENDS } from '../support/backends.js';

const RTT = { lineRateBps: gbps(100), baseRttPs: us(10) };
const HOP: Int64Hop = { lineRateCode: 2, time: 5, bytes: 6, qlen: 7 };
const hops = (count: number): Int64Hop[] => Array.from({ length: count }, () => HOP);

describe.each(BACKENDS)('ACK and Fast CNP events (%s)', (_, backend) => {
  const engineOf = (parameterSet = hpccNs3('run.py', RTT)) => {
    const engine = createEngineSync({ backend, parameterSets: { default: parameterSet } });
    return { engine, qp: engine.openQp({ localQpn: 1 }) };
  };
  const add = (telemetry: AckTelemetry, parameterSet = hpccNs3('run.py', RTT)) => () => {
    const { engine, qp } = engineOf(parameterSet);
    engine.events.ack(us(1), qp, { ackSeq: 1, sndNxt: 2, telemetry });
  };

  it.each<[string, Partial<Int64Hop>, string]>([
    ['a line rate code of four bits', { lineRateCode: 8 }, 'ack.hop.lineRateCode'],
    ['a time of 25 bits', { time: 2 ** 24 }, 'ack.hop.time'],
    ['bytes of 21 bits', { bytes: 2 ** 20 }, 'ack.hop.bytes'],
    ['a queue of 18 bits', { qlen: 2 ** 17 }, 'ack.hop.qlen'],
    ['a negative time', { time: -1 }, 'ack.hop.time'],
    ['half a byte', { bytes: 0.5 }, 'ack.hop.bytes'],
    ['no queue', { qlen: NaN }, 'ack.hop.qlen'],
  ])('reject a hop record with %s and name the field', (_, field, where) => {
    expect(add({ kind: 'int64', hopCount: 2, hops: [HOP, { ...HOP, ...field }] })).toThrow(
      expect.objectContaining({ code: 'invalid-argument', where }),
    );
  });

  it('accept the largest raw fields', () => {
    expect(add({
      kind: 'int64',
      hopCount: 1,
      hops: [{ lineRateCode: 7, time: 2 ** 24 - 1, bytes: 2 ** 20 - 1, qlen: 2 ** 17 - 1 }],
    })).not.toThrow();
  });

  it.each([[1, 0], [3, 2], [5, 4], [6, 4], [65_535, 4]])(
    'reject %i hops with %i records, which would expose records of an earlier ACK',
    (hopCount, count) => {
      expect(add({ kind: 'int64', hopCount, hops: hops(count) })).toThrow(expect.objectContaining({
        code: 'invalid-argument',
        where: 'ack.telemetry.hops',
        got: count,
        allowed: { min: Math.min(hopCount, 5), max: 5 },
      }));
    },
  );

  it.each([[0, 0], [2, 5], [5, 5], [6, 5], [65_535, 5]])('accept %i hops with %i records', (hopCount, count) => {
    expect(add({ kind: 'int64', hopCount, hops: hops(count) })).not.toThrow();
  });

  it.each([65_536, -1, 1.5, NaN])('reject a hop count of %d', (hopCount) => {
    expect(add({ kind: 'int64', hopCount, hops: hops(5) })).toThrow(
      expect.objectContaining({ code: 'invalid-argument', where: 'ack.telemetry.hopCount' }),
    );
  });

  it('reject more than five raw records, even under parameter sets that keep more hops', () => {
    const rejection = expect.objectContaining({
      code: 'invalid-argument',
      where: 'ack.telemetry.hops',
      got: 6,
      allowed: { min: 5, max: 5 },
    }) as Error;
    expect(add({ kind: 'int64', hopCount: 6, hops: hops(6) })).toThrow(rejection);
    expect(add({ kind: 'int64', hopCount: 6, hops: hops(6) }, hpccSigcomm19(RTT))).toThrow(rejection);
  });

  it.each([{ kind: 'int', hops: [] }, { kind: 'exact' }, { kind: 'int64', hopCount: 1, hops: 'x' }, null, 7])(
    'reject the telemetry %j',
    (telemetry) => {
      expect(add(telemetry as never)).toThrow(expect.objectContaining({
        code: 'invalid-argument',
        where: expect.stringMatching(/^ack\.telemetry/) as string,
      }));
    },
  );

  it.each([null, undefined, 7])('reject %j instead of a hop', (hop) => {
    const rejection = expect.objectContaining({ code: 'invalid-argument', where: 'ack.telemetry.hops' }) as Error;
    expect(add({ kind: 'exact', hops: [hop as never] }, hpccSigcomm19(RTT))).toThrow(rejection);
    expect(add({ kind: 'int64', hopCount: 1, hops: [hop as never] })).toThrow(rejection);
  });

  it.each([undefined, null, 7])('reject %j instead of ACK fields and add no event', (fields) => {
    const { engine, qp } = engineOf();
    expect(() => {
      engine.events.ack(us(1), qp, fields as never);
    }).toThrow(expect.objectContaining({ code: 'invalid-argument', where: 'ack', got: fields }));
    expect(engine.events.length).toBe(0);
  });

  it.each<[string, unknown, string]>([
    ['no fields', undefined, 'fastCnp'],
    ['no source', { source: undefined }, 'fastCnp.source'],
    ['a source of four bytes', { source: new Uint8Array(4) }, 'fastCnp.source'],
    ['a destination of 17 bytes', { originalDestination: new Uint8Array(17) }, 'fastCnp.originalDestination'],
    ['a QPN of 25 bits', { destQpn: 2 ** 24 }, 'fastCnp.destQpn'],
    ['half a QPN', { destQpn: 0.5 }, 'fastCnp.destQpn'],
  ])('reject a Fast CNP with %s and add no event', (_, change, where) => {
    const { engine } = engineOf();
    const good = { endpoint: 0, source: new Uint8Array(16), originalDestination: new Uint8Array(16), destQpn: 1 };
    const fields = change === undefined ? undefined : { ...good, ...change };
    expect(() => {
      engine.events.fastCnp(us(1), fields as never);
    }).toThrow(expect.objectContaining({ code: 'invalid-argument', where }));
    expect(engine.events.length).toBe(0);
    engine.events.fastCnp(us(1), good);
    expect(engine.events.length).toBe(1);
  });

  it.each([1e-300, 0.5, -1, NaN, 2 ** 53])(
    'reject a line rate of %d b/s, with which the utilisation could become infinite',
    (lineRateBps) => {
      const hop = { timePs: 0, txBytes: 0, qlenBytes: 2 ** 53 - 1, lineRateBps };
      expect(add({ kind: 'exact', hops: [hop] }, hpccSigcomm19(RTT))).toThrow(
        expect.objectContaining({ code: 'invalid-argument', where: 'ack.hop.lineRateBps' }),
      );
    },
  );

  it('raise the rate at low load after records of the slowest and fullest possible port', () => {
    const { engine, qp } = engineOf(hpccSigcomm19({ ...RTT, maxStage: 0, windowBytes: 1, minRateBps: 1000 }));
    const ack = (i: number, lineRateBps: number, qlenBytes: number): void => {
      const hop = { timePs: us(20 * i), txBytes: 1000 * i, qlenBytes, lineRateBps };
      engine.events.ack(us(20 * i), qp, {
        ackSeq: 10 * i,
        sndNxt: 10 * i + 5,
        telemetry: { kind: 'exact', hops: [hop] },
      });
      engine.applyEvents();
    };
    for (const i of [1, 2, 3]) ack(i, 1, 2 ** 53 - 1);
    const slowest = engine.rateBps(qp);
    expect(slowest).toBeLessThan(1e9);
    for (const i of [4, 5, 6]) ack(i, gbps(100), 0);
    expect(engine.rateBps(qp)).toBeGreaterThan(slowest);
  });

  it('leave the batch unchanged when rejected', () => {
    const { engine, qp } = engineOf();
    const ack = (i: number, count: number): void => {
      const telemetry = {
        kind: 'int64',
        hopCount: 5,
        hops: hops(count).map((hop) => ({ ...hop, time: 1000 * i })),
      } as const;
      engine.events.ack(us(i), qp, { ackSeq: 1000 * i, sndNxt: 1000 * i + 500, telemetry });
    };
    ack(1, 5);
    expect(() => {
      ack(2, 3);
    }).toThrow(/number of hops must be/);
    ack(3, 5);
    expect(engine.events.length).toBe(2);
    engine.applyEvents();
    expect(engine.stats()).toMatchObject({ eventsIn: 2, outcomes: { 'ack-applied': 2 } });
  });
});
