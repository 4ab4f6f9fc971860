/** Single events have the same effect as batches of one on both backends; `maySend` applies the window. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createEngineSync, dcqcnSigcomm15, dctcpNs3, gbps, hpccPpDraft, hpccSigcomm19, swiftSigcomm20, timelySigcomm15,
  us, type AckFields, type Action, type Engine, type FastCnpFields } from '../../src/index.js';
import { createEngineSync as createDcqcnEngine } from '../../src/dcqcn.js';
import { BACKENDS, type BackendOption } from '../support/backends.js';

const LINE = { lineRateBps: gbps(100) };
const ROUND_TRIP = { ...LINE, baseRttPs: us(8) };
const SETS = {
  dcqcn: dcqcnSigcomm15(LINE),
  hpcc: hpccSigcomm19(ROUND_TRIP),
  'hpcc-pp': hpccPpDraft({ ...ROUND_TRIP, signalSources: ['acks', 'fast-cnps'] }),
  swift: swiftSigcomm20(LINE),
  timely: timelySigcomm15(LINE),
  dctcp: dctcpNs3(LINE),
};
const NAMES = Object.keys(SETS);
const PEER = '2001:db8::9';

function engineOn(backend: BackendOption): Engine {
  const engine = createEngineSync({
    backend,
    parameterSets: SETS,
    hashSeed: 1,
    fastCnp: { enabled: true, accessList: [{ prefix: '2001:db8:bad::/48', action: 'deny' }], defaultAction: 'allow' },
  });
  engine.addEndpoint(['2001:db8::1']);
  NAMES.forEach((parameterSet, index) => {
    engine.openQp({ localQpn: index + 1, peerAddress: PEER, peerQpn: index + 1, parameterSet });
  });
  return engine;
}

type Event = { readonly kind: 'sent'; readonly lenBytes: number } | { readonly kind: 'cnp' | 'marked' | 'touch' } | {
  readonly kind: 'ack';
  readonly fields: AckFields;
} | { readonly kind: 'loss'; readonly found: 'fast' | 'timeout' } | {
  readonly kind: 'fastCnp';
  readonly fields: FastCnpFields;
};

const hop = fc.record({
  timePs: fc.integer({ min: 0, max: us(1000) }),
  txBytes: fc.integer({ min: 0, max: 1e7 }),
  qlenBytes: fc.integer({ min: 0, max: 1e6 }),
  lineRateBps: fc.constantFrom(gbps(100), gbps(400), 0),
});
const telemetry = fc.record({ kind: fc.constant('exact' as const), hops: fc.array(hop, { maxLength: 3 }) });
const event: fc.Arbitrary<Event> = fc.oneof(
  fc.record({ kind: fc.constant('sent' as const), lenBytes: fc.integer({ min: 0, max: 9000 }) }),
  fc.record({ kind: fc.constantFrom('cnp' as const, 'marked' as const, 'touch' as const) }),
  fc.record({
    kind: fc.constant('ack' as const),
    fields: fc.record({
      ackSeq: fc.nat(1000),
      sndNxt: fc.nat(1000),
      ecnEcho: fc.boolean(),
      sentTimePs: fc.nat(us(1000)),
      telemetry,
    }),
  }),
  fc.record({ kind: fc.constant('loss' as const), found: fc.constantFrom('fast' as const, 'timeout' as const) }),
  fc.record({
    kind: fc.constant('fastCnp' as const),
    fields: fc.record({
      endpoint: fc.constant(0),
      source: fc.constantFrom(PEER, '2001:db8:5::1', '2001:db8:bad::1'),
      originalDestination: fc.constantFrom(PEER, PEER, '2001:db8::8'),
      destQpn: fc.integer({ min: 1, max: NAMES.length + 1 }),
      telemetry,
    }),
  }),
);
const stream = fc.array(fc.record({ qp: fc.nat(NAMES.length - 1), gapPs: fc.constantFrom(0, 1, us(3), us(60)), event }),
  { maxLength: 60 });

/** Applies the event as a batch of one. */
function applyBatch(engine: Engine, timePs: number, qp: number, one: Event): void {
  const { events } = engine;
  if (one.kind === 'sent') events.sent(timePs, qp, one.lenBytes);
  else if (one.kind === 'ack') events.ack(timePs, qp, one.fields);
  else if (one.kind === 'loss') events.loss(timePs, qp, one.found);
  else if (one.kind === 'fastCnp') events.fastCnp(timePs, one.fields);
  else events[one.kind](timePs, qp);
  engine.applyEvents();
}

/** Applies the event by its single call, and compares the returned value with the getters. */
function applyAlone(engine: Engine, timePs: number, qp: number, one: Event): void {
  if (one.kind === 'sent') expect(engine.sent(timePs, qp, one.lenBytes)).toBe(engine.nextSendPs(qp));
  else if (one.kind === 'ack') expect(engine.ack(timePs, qp, one.fields)).toBe(engine.rateBps(qp));
  else if (one.kind === 'loss') expect(engine.loss(timePs, qp, one.found)).toBe(engine.rateBps(qp));
  else if (one.kind === 'marked') expect(engine.marked(timePs, qp)).toBe(lastAction(engine)?.kind === 'cnp');
  else if (one.kind === 'fastCnp') expect(engine.fastCnp(timePs, one.fields)).toBe(acceptedQp(lastAction(engine)));
  else expect(engine[one.kind](timePs, qp)).toBe(engine.rateBps(qp));
}

const lastAction = (engine: Engine): Action | undefined => [...engine.actions].at(-1);

function acceptedQp(action: Action | undefined): number | undefined {
  return action?.kind === 'fast-cnp-accepted' ? action.qp : undefined;
}

describe.each(BACKENDS)('single events on backend %s', (_, backend) => {
  it('produce the same state, actions and counters as batches of one', () => {
    let accepted = 0;
    fc.assert(fc.property(stream, (steps) => {
      const [alone, batched] = [engineOn(backend), engineOn(backend)];
      let timePs = us(1);
      for (const { qp, gapPs, event: one } of steps) {
        timePs += gapPs;
        applyBatch(batched, timePs, qp, one);
        applyAlone(alone, timePs, qp, one);
        expect([...alone.actions]).toEqual([...batched.actions]);
        accepted += Number(acceptedQp(lastAction(alone)) !== undefined);
      }
      expect(alone.stateHash()).toBe(batched.stateHash());
      expect(alone.stats()).toEqual(batched.stats());
    }), { numRuns: 150 });
    expect(accepted).toBeGreaterThan(10);
  });

  it('leave the pending events of the batch unchanged', () => {
    const [mixed, plain] = [engineOn(backend), engineOn(backend)];
    const waiting: AckFields = { ackSeq: 5, sndNxt: 9, sentTimePs: us(1), ecnEcho: true };
    mixed.events.ack(us(9), NAMES.indexOf('swift'), waiting);
    mixed.ack(us(2), NAMES.indexOf('dctcp'), { ackSeq: 1, sndNxt: 2, ecnEcho: true });
    mixed.applyEvents();
    plain.ack(us(2), NAMES.indexOf('dctcp'), { ackSeq: 1, sndNxt: 2, ecnEcho: true });
    plain.ack(us(9), NAMES.indexOf('swift'), waiting);
    expect(mixed.stateHash()).toBe(plain.stateHash());
  });

  it('are rejected with the argument name when they cannot be applied', () => {
    const engine = engineOn(backend);
    const fields = { endpoint: 0, source: PEER, originalDestination: PEER, destQpn: 1 };
    engine.cnp(us(100), 0);
    expect(() => engine.fastCnp(us(99), fields)).toThrow(/the time of the event \(time-backwards\)/);
    expect(() => engine.fastCnp(us(200), { ...fields, endpoint: 1 })).toThrow(/fastCnp\.endpoint must be/);
    expect(() => engine.ack(us(200), 99, { ackSeq: 1, sndNxt: 1 })).toThrow(/QP/);
    expect(() => engine.loss(us(200), 0, 'late' as never)).toThrow(/found must be "fast" or "timeout"/);
    expect(() => engine.maySend(0, -1)).toThrow(/inFlightBytes must be/);
    expect(engine.fastCnp(us(200), { ...fields, destQpn: 77 })).toBeUndefined();
    expect(lastAction(engine)).toMatchObject({ kind: 'fast-cnp-rejected', reason: 'fast-cnp-unknown-flow' });
  });
});

describe.each(BACKENDS)('the window on backend %s', (_, backend) => {
  it('allows a packet while fewer whole bytes are in flight, and always with nothing in flight', () => {
    const engine = createEngineSync({
      backend,
      parameterSets: {
        tiny: hpccSigcomm19({ ...ROUND_TRIP, minRateBps: 1000, aiWindowBytes: 0.01 }),
        paper: SETS.hpcc,
      },
      capacity: { qps: 2 },
    });
    const tiny = engine.openQp({ localQpn: 1, parameterSet: 'tiny' });
    const paper = engine.openQp({ localQpn: 2, parameterSet: 'paper' });
    const seen = { fraction: 0, belowOne: 0 };
    for (let round = 1; round < 400; round++) {
      for (const qp of [tiny, paper]) {
        const congested = { timePs: us(round * 8), txBytes: round * 1e6, qlenBytes: 4e7, lineRateBps: gbps(100) };
        const quiet = { ...congested, txBytes: 0, qlenBytes: 0 };
        const hops = [qp === paper && round % 7 > 2 ? quiet : congested];
        engine.ack(us(round * 8), qp, { ackSeq: round, sndNxt: round, telemetry: { kind: 'exact', hops } });
        const window = engine.windowBytes(qp);
        const whole = Math.max(1, Math.floor(window));
        seen.fraction += Number(window !== whole);
        seen.belowOne += Number(window < 1);
        expect([0, whole - 1, whole, whole + 1].map((inFlight) => engine.maySend(qp, inFlight))).toEqual([
          true,
          true,
          false,
          false,
        ]);
      }
    }
    expect(seen.fraction).toBeGreaterThan(300);
    expect(seen.belowOne).toBeGreaterThan(10);
  });

  it('does not limit DCQCN, TIMELY and DCTCP', () => {
    const engine = engineOn(backend);
    for (const name of ['dcqcn', 'timely', 'dctcp'])
      expect(engine.maySend(NAMES.indexOf(name), 2 ** 53 - 1)).toBe(true);
    expect(engine.maySend(NAMES.indexOf('swift'), 2 ** 53 - 1)).toBe(false);
  });
});

describe('roce-cc/dcqcn', () => {
  it('applies single Fast CNPs, and has no windows', () => {
    const engine = createDcqcnEngine({
      parameterSets: { default: dcqcnSigcomm15(LINE) },
      fastCnp: { enabled: true, defaultAction: 'allow' },
    });
    const endpoint = engine.addEndpoint(['2001:db8::1']);
    const qp = engine.openQp({ endpoint, localQpn: 1, peerAddress: PEER, peerQpn: 7 });
    const fields = { endpoint, source: PEER, originalDestination: PEER, destQpn: 7 };
    expect(engine.fastCnp(us(1), fields)).toBe(qp);
    expect(engine.rateBps(qp)).toBeLessThan(gbps(100));
    expect(engine.maySend(qp, 1e9)).toBe(true);
    expect(() => engine.ack(us(2), qp, { ackSeq: 1, sndNxt: 1 })).toThrow(/needs a parameter set of an algorithm/);
  });
});
