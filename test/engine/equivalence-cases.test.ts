/** Regression tests of differences between the backends that random streams found. */
import { describe, expect, it } from 'vitest';
import { TIME_MAX_PS } from '../../src/abi/codes.js';
import { createEngineSync, dcqcnNs3, dcqcnSigcomm15, gbps, ns, us, type EngineOptions } from '../../src/index.js';
import { parseIpAddress } from '../../src/wire/ip/ip-address.js';
import { BACKENDS } from '../support/backends.js';
import { dcqcnState } from '../support/dcqcn-state.js';

const PEER = parseIpAddress('2001:db8::1');
const PARAMETER_SETS = { default: dcqcnSigcomm15({ lineRateBps: gbps(100) }) };
const QP = 0;

describe.each(BACKENDS)('the %s backend', (_, backend) => {
  function open(options: Partial<EngineOptions> = {}) {
    const engine = createEngineSync({ parameterSets: PARAMETER_SETS, backend, hashSeed: 1, ...options });
    engine.openQp({ localQpn: 1, peerAddress: PEER, peerQpn: 2 });
    const fastCnp = (timePs: number): void => {
      engine.events.fastCnp(timePs, { endpoint: 0, source: PEER, originalDestination: PEER, destQpn: 2 });
    };
    return { engine, fastCnp };
  }

  it('counts stages of the byte counter up to 255', () => {
    const dcqcn = {
      ...PARAMETER_SETS.default,
      limiterRelease: 'never',
      hyperFactor: 'stage',
      byteCounterBytes: 1000,
    } as const;
    const { engine } = open({ parameterSets: { default: dcqcn } });
    engine.cnp(us(10), QP);
    for (let packet = 1; packet <= 300; packet++) {
      engine.sent(us(10) + packet, QP, 1000);
      expect(dcqcnState(engine, QP).byteStage).toBe(Math.min(packet, 255));
    }
  });

  it('checks the time of a notification before it checks for a duplicate', () => {
    const { engine, fastCnp } = open({ fastCnp: { enabled: true, defaultAction: 'allow' } });
    fastCnp(us(10));
    fastCnp(-1);
    fastCnp(us(9));
    engine.events.cnp(us(9), QP);
    engine.applyEvents();
    const { outcomes } = engine.stats();
    expect(outcomes).toMatchObject({
      'fast-cnp-accepted': 1,
      'bad-time': 1,
      'time-backwards': 2,
      'fast-cnp-duplicate': 0,
      'cnp-duplicate': 0,
    });
  });

  it('checks for duplicates at the time when a late notification takes effect', () => {
    const fastCnpSettings = { enabled: true, defaultAction: 'allow' as const, duplicateWindowPs: us(50) };
    const { engine, fastCnp } = open({ lateEvents: 'clamp', fastCnp: fastCnpSettings });
    fastCnp(us(10));
    engine.events.touch(us(100), QP);
    engine.events.cnp(us(20), QP);
    engine.applyEvents();
    expect(engine.stats().outcomes).toMatchObject({ 'cnp-handled': 1, 'cnp-duplicate': 0 });
  });

  it('skips QPs whose last event is later than an advance, even when late events are moved up', () => {
    const { engine } = open({ lateEvents: 'clamp' });
    engine.cnp(us(10), QP);
    const before = engine.stateHash();
    engine.advance(us(5));
    expect(engine.stateHash()).toBe(before);
    expect(engine.stats().lateClamped).toBe(0);
  });

  it('sends a CNP for every mark, even a late one, when the window is 0', () => {
    const { engine } = open({ notificationPoint: { minTimeBetweenCnpsPs: 0 } });
    expect(engine.marked(us(2), QP)).toBe(true);
    expect(engine.marked(us(1), QP)).toBe(true);
  });

  it.each(['qp', 'destination', 'port'] as const)('sends no trailing CNP for a closed QP, per %s', (scope) => {
    const { engine } = open({ notificationPoint: { scope, window: 'trailing', minTimeBetweenCnpsPs: us(50) } });
    engine.marked(us(1), QP);
    engine.marked(us(2), QP);
    engine.closeQp(QP);
    engine.advance(us(100));
    expect(engine.actions.length).toBe(0);
    expect(engine.stats().np_cnp_sent).toBe(1);
  });

  it('reports a rate raised by a halved byte counter while no timer is due', () => {
    const parameterSet = dcqcnSigcomm15({
      lineRateBps: gbps(100),
      fastRecoverySteps: 0,
      hyperHalvesPeriods: true,
      byteCounterBytes: 2000,
      limiterRelease: 'never',
    });
    const { engine } = open({ parameterSets: { parameterSet } });
    engine.cnp(us(1), QP);
    engine.events.sent(us(1), QP, 1000);
    expect(engine.applyEvents()).toBe(1);
    expect([...engine.actions]).toEqual([{
      kind: 'rate',
      timePs: us(1),
      qp: QP,
      rateBps: engine.rateBps(QP),
      cause: 'bytes',
    }]);
  });

  it('rounds a timer beyond the last representable time only once', () => {
    const parameterSet = dcqcnNs3('dcqcn', { lineRateBps: gbps(100), alphaGain: 0, alphaPeriodPs: ns(1) });
    const { engine } = open({ parameterSets: { parameterSet } });
    engine.cnp(TIME_MAX_PS - ns(7), QP);
    engine.touch(TIME_MAX_PS, QP);
    expect(dcqcnState(engine, QP).nextAlphaPs).toBe(TIME_MAX_PS + ns(1));
  });
});
