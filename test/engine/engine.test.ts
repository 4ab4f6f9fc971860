import { describe, expect, it } from 'vitest';
import { createEngine, createEngineSync, restoreEngineSync } from '../../src/engine/create.js';
import type { EngineOptions } from '../../src/config/engine-config.js';
import { dcqcnSigcomm15 } from '../../src/config/algorithms/dcqcn/preset-sigcomm15.js';
import { RoceError } from '../../src/errors.js';
import { gbps, us } from '../../src/units.js';
import { Cnp } from '../../src/wire/roce/cnp.js';
import { LINE_RATE_BPS, RECEIVER, RECEIVER_QPN, SENDER, SENDER_QPN, applyPackets, cnpPacket, fastCnpPacket,
  senderEngine } from './support/network.js';
import { createCongestionPointSync, type CongestionPointOptions } from '../../src/engine/congestion-point.js';
import { referenceBackend } from '../../src/reference/index.js';
import { BACKENDS } from '../support/backends.js';

const parameterSets = { default: dcqcnSigcomm15({ lineRateBps: gbps(100) }) };
const ALLOWED = { enabled: true, accessList: [{ prefix: '::/0', action: 'allow' }] } as const;

function errorOf(action: () => unknown): RoceError {
  try {
    action();
  } catch (error) {
    if (error instanceof RoceError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

describe('options', () => {
  const bad: readonly (readonly [string, Partial<Record<keyof EngineOptions | 'speed', unknown>>])[] = [
    ['options.backend', { backend: 'native' }],
    ['options.backend', { backend: 'js' }],
    ['options.speed', { speed: 11 }],
    ['options.lateEvents', { lateEvents: 'ignore' }],
    ['options.rateActions', { rateActions: 1 }],
    ['options.hashSeed', { hashSeed: -1 }],
    ['parameterSets', { parameterSets: {} }],
    ['parameterSets.default.alphaGain', { parameterSets: { default: { ...parameterSets.default, alphaGain: 2 } } }],
    ['capacity.qps', { capacity: { qps: 0 } }],
    ['capacity.qps', { capacity: { qps: 2 ** 24 } }],
    ['capacity.frameBytes', { capacity: { frameBytes: 1.5 } }],
    ['notificationPoint.scope', { notificationPoint: { scope: 'rack' } }],
    ['fastCnp.optionType1', { fastCnp: { optionType1: 0x1e } }],
    ['parser.mode', { parser: { mode: 'lax' } }],
  ];

  it.each(bad)('are rejected by name: %s', (where, options) => {
    const error = errorOf(() => createEngineSync({ parameterSets, ...options } as EngineOptions));
    expect(error).toMatchObject({ code: 'invalid-config', where });
    expect(error.allowed).not.toBe('');
  });

  it("with the former backend 'js' are rejected with the import of the reference backend", () => {
    const error = errorOf(() => createEngineSync({ parameterSets, backend: 'js' } as unknown as EngineOptions));
    expect(error.message).toContain("import { referenceBackend } from 'roce-cc/reference'");
    const ofSwitch = { ports: 1, flows: 1, backend: 'js' } as unknown as CongestionPointOptions;
    expect(errorOf(() => createCongestionPointSync(ofSwitch)).message).toContain('roce-cc/reference');
  });

  it('must select the backend that made a snapshot to restore it', () => {
    const snapshot = senderEngine({ backend: referenceBackend }).engine.snapshot();
    expect(restoreEngineSync(snapshot, { backend: referenceBackend }).snapshot()).toEqual(snapshot);
    expect(errorOf(() => restoreEngineSync(snapshot)).code).toBe('snapshot-mismatch');
  });

  it('that require more memory than is available are rejected with the code capacity', () => {
    const capacity = {
      qps: 2 ** 24 - 1,
      addresses: 2 ** 24 - 1,
      events: 2 ** 20,
      packets: 2 ** 20,
      frameBytes: 2 ** 30,
    };
    const error = errorOf(() =>
      createEngineSync({ parameterSets, capacity, notificationPoint: { scope: 'destination' } })
    );
    expect(error.code).toBe('capacity');
  });
});

describe.each(BACKENDS)('the %s engine', (_, backend) => {
  it('is created by the asynchronous function', async () => {
    const engine = await createEngine({ parameterSets, backend });
    expect(engine.openQp({ localQpn: 1 })).toBe(0);
    expect(engine.rateBps(0)).toBe(gbps(100));
  });

  it('rejects a single event with an error that names the QP or the argument', () => {
    const { engine, qp } = senderEngine({ backend });
    engine.cnp(us(10), qp);
    expect(errorOf(() => engine.sent(us(9), qp, 1000))).toMatchObject({
      code: 'invalid-argument',
      where: 'QP 0',
      got: us(9),
    });
    expect(errorOf(() => engine.cnp(NaN, qp)).message).toMatch(/bad-time/);
    expect(errorOf(() => engine.cnp(us(11), 1)).code).toBe('unknown-qp');
    expect(errorOf(() => engine.sent(us(11), qp, -1)).where).toBe('lenBytes');
    expect(engine.rateBps(qp)).toBe(LINE_RATE_BPS / 2);
  });

  it('applies the valid events of a batch, and counts the applied and rejected ones', () => {
    const { engine, qp } = senderEngine({ backend });
    engine.events.cnp(us(10), qp);
    engine.events.cnp(us(9), qp);
    engine.events.cnp(us(11), 999_999);
    engine.events.sent(Infinity, qp, 10);
    engine.events.sent(us(12), qp, 10);
    engine.applyEvents();
    expect(engine.events.length).toBe(0);
    const { outcomes, eventsIn, handled, rejected } = engine.stats();
    expect(outcomes).toMatchObject({ 'cnp-handled': 1, 'time-backwards': 1, 'unknown-qp': 1, 'bad-time': 1, sent: 1 });
    expect([eventsIn, handled, rejected]).toEqual([5, 2, 3]);
  });

  it('moves late events to the time of the last event and counts them when configured', () => {
    const { engine, qp } = senderEngine({ backend, lateEvents: 'clamp' });
    engine.cnp(us(10), qp);
    engine.cnp(us(9), qp);
    expect(engine.qp(qp).lastEventPs).toBe(us(10));
    expect(engine.stats()).toMatchObject({ lateClamped: 1, rp_cnp_handled: 2 });
  });

  it('reports when a QP may send its next packet', () => {
    const { engine, qp } = senderEngine({ backend });
    expect(engine.sent(us(1), qp, 1250)).toBe(0);
    engine.cnp(us(2), qp);
    expect(engine.sent(us(3), qp, 1250)).toBe(us(3) + 200_000);
  });

  it('reports the deadline of the next rate change', () => {
    const { engine, qp } = senderEngine({ backend });
    expect(engine.nextDeadlinePs(qp)).toBe(Infinity);
    engine.cnp(us(1), qp);
    const deadlinePs = engine.nextDeadlinePs(qp);
    expect(deadlinePs).toBe(us(56));
    expect(engine.touch(deadlinePs - 1, qp)).toBe(LINE_RATE_BPS / 2);
    expect(engine.touch(deadlinePs, qp)).toBe(LINE_RATE_BPS * 0.75);
  });

  it('advances all QPs, and resumes where a full action ring stopped it', () => {
    const engine = createEngineSync({
      backend,
      parameterSets,
      capacity: { qps: 100, events: 4, packets: 1, frameBytes: 64 },
    });
    for (let i = 1; i <= 100; i++) engine.cnp(us(1), engine.openQp({ localQpn: i }));
    const rates: number[] = [];
    let from: number | undefined = 0;
    let calls = 0;
    while (from !== undefined) {
      from = engine.advance(us(60), from);
      for (const action of engine.actions) if (action.kind === 'rate') rates.push(action.rateBps);
      calls++;
    }
    expect(rates).toEqual(new Array(100).fill(gbps(75)));
    expect(calls).toBeGreaterThan(1);
  });

  it('applies only the first of a Fast CNP and a CNP for the same congestion', () => {
    const { engine, qp } = senderEngine({ backend, fastCnp: ALLOWED });
    applyPackets(engine, us(100), fastCnpPacket(), cnpPacket());
    expect(engine.stats().outcomes).toMatchObject({ 'fast-cnp-accepted': 1, 'cnp-duplicate': 1 });
    expect(engine.stats().rp_cnp_ignored).toBe(1);
    applyPackets(engine, us(200), cnpPacket(), fastCnpPacket());
    expect(engine.stats().outcomes).toMatchObject({ 'cnp-handled': 1, 'fast-cnp-duplicate': 1 });
    applyPackets(engine, us(300), fastCnpPacket(RECEIVER));
    expect([...engine.actions][0]).toMatchObject({ kind: 'rate', cause: 'fast-cnp', qp });
    expect([...engine.actions][1]).toMatchObject({ kind: 'fast-cnp-accepted', origin: 'receiver', qp, index: 0 });
  });

  it('sends one trailing CNP for the marks of a window when configured', () => {
    const { engine, qp } = senderEngine({ backend, notificationPoint: { window: 'trailing' } });
    engine.marked(us(0), qp, 1);
    engine.marked(us(10), qp, 2);
    engine.marked(us(20), qp, 3);
    expect(engine.advance(us(60))).toBeUndefined();
    expect([...engine.actions]).toEqual([{ kind: 'cnp', timePs: us(50), qp, pKey: 3 }]);
  });

  it('returns the fields from which the configured CNP is written', () => {
    const cnp = { dscp: 46, ecn: 'ect0', becn: false } as const;
    const { engine, qp } = senderEngine({ backend, notificationPoint: { cnp } });
    expect(engine.flowOf(qp)).toEqual({
      endpoint: 0,
      localQpn: SENDER_QPN,
      peerAddress: RECEIVER,
      peerQpn: RECEIVER_QPN,
    });
    engine.marked(us(1), qp, 0x8001);
    const [action] = engine.actions;
    if (action?.kind !== 'cnp') throw new Error('no CNP is due');
    const packet = Cnp.write(engine.cnpFields(action, SENDER));
    const expected = {
      source: SENDER,
      destination: RECEIVER,
      destQpn: RECEIVER_QPN,
      pKey: 0x8001,
      dscp: 46,
      ecn: 2,
      becn: false,
    };
    expect(Cnp.read(packet)).toMatchObject({ ...expected, icrc: 'right' });
  });

  it.each([['port', 1], ['destination', 2], ['qp', 3]] as const)('coalesces CNPs per %s', (scope, due) => {
    const { engine, qp } = senderEngine({ backend, notificationPoint: { scope } });
    const sameHost = engine.openQp({ localQpn: 2, peerAddress: RECEIVER, peerQpn: 3 });
    const otherHost = engine.openQp({ localQpn: 3, peerAddress: '2001:db8:3::1', peerQpn: 3 });
    const answers = [qp, sameHost, otherHost].map((marked) => engine.marked(us(1), marked));
    expect(answers.filter(Boolean).length).toBe(due);
  });

  it('starts a new window for a destination after its last QP is closed', () => {
    const { engine, qp } = senderEngine({ backend, notificationPoint: { scope: 'destination' } });
    const sameHost = engine.openQp({ localQpn: 2, peerAddress: RECEIVER, peerQpn: 3 });
    expect(engine.marked(us(1), qp)).toBe(true);
    engine.closeQp(qp);
    expect(engine.marked(us(2), sameHost)).toBe(false);
    engine.closeQp(sameHost);
    const again = engine.openQp({ localQpn: 4, peerAddress: RECEIVER, peerQpn: 5 });
    expect(engine.marked(us(3), again)).toBe(true);
  });

  it('has a window for each destination after any number of earlier destinations', () => {
    const { engine, qp } = senderEngine({ backend, capacity: { qps: 8 }, notificationPoint: { scope: 'destination' } });
    engine.closeQp(qp);
    for (let host = 1; host <= 40; host++) {
      const peerAddress = `2001:db8:4::${host.toString(16)}`;
      const both = [2, 3].map((localQpn) => engine.openQp({ localQpn, peerAddress, peerQpn: localQpn }));
      expect(both.map((one) => engine.marked(us(host), one))).toEqual([true, false]);
      for (const one of both) engine.closeQp(one);
    }
  });

  it('resumes from a snapshot without any difference', () => {
    const { engine, qp } = senderEngine({ backend });
    engine.cnp(us(1), qp);
    const snapshot = engine.snapshot();
    engine.cnp(us(60), qp);
    const hash = engine.stateHash();
    engine.restore(snapshot);
    expect(engine.stateHash()).not.toBe(hash);
    engine.cnp(us(60), qp);
    expect(engine.stateHash()).toBe(hash);
    const copy = restoreEngineSync(snapshot, { backend });
    copy.cnp(us(60), qp);
    expect(copy.stateHash()).toBe(hash);
    expect(copy.openQp({ localQpn: 99, peerAddress: RECEIVER, peerQpn: 99 })).toBe(qp + 1);
  });

  it('rejects invalid snapshots and those of another configuration, and stays unchanged', () => {
    const { engine, qp } = senderEngine({ backend });
    engine.cnp(us(1), qp);
    const hash = engine.stateHash();
    const snapshot = engine.snapshot();
    const other = senderEngine({ backend, lateEvents: 'clamp' }).engine.snapshot();
    const foreign = snapshot.slice();
    foreign[0] = 0;
    const otherBackend = senderEngine({ backend: backend === 'wasm' ? referenceBackend : 'wasm' }).engine.snapshot();
    for (
      const bad of [
        snapshot.subarray(0, 8),
        snapshot.subarray(0, 40),
        snapshot.subarray(0, -1),
        foreign,
        other,
        otherBackend,
      ]
    ) {
      expect(errorOf(() => engine.restore(bad)).code).toBe('snapshot-mismatch');
      expect(engine.stateHash()).toBe(hash);
    }
  });

  it('can be disposed of twice, and throws when used afterwards', () => {
    const { engine } = senderEngine({ backend });
    engine[Symbol.dispose]();
    engine.dispose();
    expect(errorOf(() => engine.applyEvents()).code).toBe('disposed');
    expect(errorOf(() => engine.stats()).code).toBe('disposed');
  });

  it('rejects a full batch, a bad length and a bad QP number when they are added', () => {
    const engine = createEngineSync({ backend, parameterSets, capacity: { events: 1, packets: 1, frameBytes: 64 } });
    expect(errorOf(() => engine.events.sent(0, 0, 2 ** 28)).code).toBe('invalid-argument');
    expect(errorOf(() => engine.events.cnp(0, 2 ** 32)).code).toBe('invalid-argument');
    engine.events.cnp(0, 0);
    expect(errorOf(() => engine.events.cnp(0, 0)).code).toBe('capacity');
    expect(errorOf(() => engine.packets.add(0, new Uint8Array(65))).code).toBe('capacity');
  });

  it('rejects descriptors that point outside the arena', () => {
    const { engine } = senderEngine({ backend });
    const { byteCapacity } = engine.packets;
    const beyond = [[byteCapacity, 1], [0xffffffff, 0xffffffff], [0, 2 ** 32], [-8, 8], [0.5, 8], [8, -1]] as const;
    for (const [offset, captured] of beyond) {
      expect(errorOf(() => {
        engine.packets.addInPlace(0, offset, captured, 64);
      }).code).toBe('invalid-argument');
    }
    engine.packets.addInPlace(0, 0, 20, 10);
    engine.applyPackets();
    expect(engine.stats()).toMatchObject({ packetsIn: 1, rejected: 1, outcomes: { 'bad-descriptor': 1 } });
  });
});
