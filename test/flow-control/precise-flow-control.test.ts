import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arnFor } from '../../src/flow-control/arn-for.js';
import type { FlowControlMode } from '../../src/flow-control/pause-table.js';
import type { FlowControlSettings, FlowControlState } from '../../src/flow-control/precise-flow-control.js';
import { ARN_REJECTIONS, applyArn, createFlowControl, expirePauses, isPaused, listPauses, nextExpiryPs,
  pausedUntilPs } from '../../src/flow-control/precise-flow-control.js';
import { us } from '../../src/units.js';
import { Arn, type FiveTuple } from '../../src/wire/arn/arn.js';
import { parseIpAddress } from '../../src/wire/ip/ip-address.js';

/** Flow number `n` between two hosts. */
const flow = (n: number): FiveTuple => ({
  source: parseIpAddress('2001:db8::1'),
  destination: parseIpAddress('2001:db8::2'),
  protocol: 17,
  sourcePort: n,
  destinationPort: 4791,
});
const PE = parseIpAddress('2001:db8:aaaa::c0');
const SERVICE: FiveTuple = { ...flow(0), source: PE, protocol: 41, destinationPort: 0 };
const KEYS = { outer: SERVICE, inner: flow(1), priorityId: 3 };

const HEAD = { version: 0, reserved4: 0, metric: 0 };
const pauseArn = (subject: Partial<Arn>, compressionTime: number): Arn => ({
  ...HEAD,
  type: 1,
  ...subject,
  compressionTime,
});
const eliminatedArn = (subject: Partial<Arn>): Arn => ({ ...HEAD, type: 2, ...subject });
const nodeOf = (mode: FlowControlMode, more: Partial<FlowControlSettings> = {}): FlowControlState =>
  createFlowControl({ modes: [mode], ...more });

/** The subject that each mode matches, and keys that differ only in it. */
const MODES = [
  { mode: 'service', subject: { flow: SERVICE }, others: { ...KEYS, outer: { ...SERVICE, sourcePort: 1 } } },
  { mode: 'flow', subject: { flow: KEYS.inner }, others: { ...KEYS, inner: flow(2) } },
  { mode: 'priority', subject: { priorityId: 3 }, others: { ...KEYS, priorityId: 4 } },
] as const;

function expectBalanced({ counters, pauses }: FlowControlState): void {
  const rejected = ARN_REJECTIONS.reduce((sum, reason) => sum + counters.rejected[reason], 0);
  const { arns, paused, refreshed, resumed, notPaused, expired } = counters;
  expect(paused + refreshed + resumed + notPaused + rejected).toBe(arns);
  expect(resumed + expired + pauses.byKey.size).toBe(paused);
  expect(pauses.heap).toHaveLength(pauses.byKey.size);
}

describe.each(MODES)('precise flow control, mode $mode', ({ mode, subject, others }) => {
  it('pauses only the subject of the message, for exactly its time', () => {
    const node = nodeOf(mode);
    expect(isPaused(node, KEYS, 0)).toBe(false);
    expect(applyArn(node, pauseArn(subject, 500), 1000)).toEqual({
      action: 'paused',
      level: mode,
      untilPs: 1000 + us(500),
    });
    const times = [1000, 1000 + us(500) - 1, 1000 + us(500)];
    expect(times.map((now) => isPaused(node, KEYS, now))).toEqual([true, true, false]);
    expect(pausedUntilPs(node, KEYS, 1000)).toBe(1000 + us(500));
    expect(pausedUntilPs(node, KEYS, us(600))).toBe(us(600));
    expect(isPaused(node, others, 1000)).toBe(false);
    expect(isPaused(node, {}, 1000)).toBe(false);
    expectBalanced(node);
  });

  it('resets the timer with each message, to a later or earlier end', () => {
    const node = nodeOf(mode);
    applyArn(node, pauseArn(subject, 100), 0);
    expect(applyArn(node, pauseArn(subject, 100), us(60))).toEqual({
      action: 'refreshed',
      level: mode,
      untilPs: us(160),
    });
    expect([us(100), us(160) - 1, us(160)].map((now) => isPaused(node, KEYS, now))).toEqual([true, true, false]);
    applyArn(node, pauseArn(subject, 10), us(70));
    expect([us(80) - 1, us(80)].map((now) => isPaused(node, KEYS, now))).toEqual([true, false]);
    expect(listPauses(node)).toMatchObject([{ sincePs: 0, untilPs: us(80) }]);
    expect(node.counters).toMatchObject({ arns: 3, paused: 1, refreshed: 2 });
    expectBalanced(node);
  });

  it('resumes on compression time 0 and on type 2, which needs no time', () => {
    const withTime = { ...eliminatedArn(subject), compressionTime: 9 };
    for (const arn of [pauseArn(subject, 0), eliminatedArn(subject), withTime]) {
      const node = nodeOf(mode);
      expect(applyArn(node, arn, 0)).toEqual({ action: 'not-paused', level: mode });
      applyArn(node, pauseArn(subject, 500), 0);
      expect(applyArn(node, arn, 10)).toEqual({ action: 'resumed', level: mode });
      expect(isPaused(node, KEYS, 10)).toBe(false);
      expect(nextExpiryPs(node)).toBe(Infinity);
      expect(node.counters).toMatchObject({ arns: 3, paused: 1, resumed: 1, notPaused: 1, expired: 0 });
      expectBalanced(node);
    }
  });

  it('starts a new pause at the instant at which the previous one ends', () => {
    const node = nodeOf(mode);
    applyArn(node, pauseArn(subject, 1), 0);
    expect(applyArn(node, pauseArn(subject, 1), us(1))).toMatchObject({ action: 'paused', untilPs: us(2) });
    expect(listPauses(node)).toMatchObject([{ sincePs: us(1) }]);
    expect(node.counters).toMatchObject({ paused: 2, refreshed: 0, expired: 1 });
    expect(applyArn(node, eliminatedArn(subject), us(2))).toMatchObject({ action: 'not-paused' });
    expectBalanced(node);
  });

  it('applies the encoded messages of arnFor', () => {
    const request = { kind: 'pause', timePs: us(2) - 1 } as const;
    const node = nodeOf(mode);
    const deliver = (arn: Arn, nowPs: number) => applyArn(node, Arn.read(Arn.write(arn)), nowPs);
    expect(arnFor(mode, KEYS, request)).toEqual(pauseArn(subject, 2));
    expect(deliver(arnFor(mode, KEYS, request), 0)).toEqual({ action: 'paused', level: mode, untilPs: us(2) });
    for (const resumeBy of ['eliminated', 'zero-time'] as const) {
      deliver(arnFor(mode, KEYS, request), 0);
      expect(deliver(arnFor(mode, KEYS, { kind: 'resume' }, { resumeBy }), 1)).toMatchObject({ action: 'resumed' });
    }
    expect(arnFor(mode, KEYS, { kind: 'resume' })).toEqual(eliminatedArn(subject));
    expectBalanced(node);
  });

  it('rejects a message without the subject that the mode needs', () => {
    const node = nodeOf(mode);
    const wrong = mode === 'priority' ? { flow: flow(1), pathId: 3 } : { priorityId: 3, pathId: 3 };
    const reason = mode === 'priority' ? 'no-priority' : 'no-flow';
    for (const arn of [pauseArn(wrong, 5), eliminatedArn({})]) {
      expect(applyArn(node, arn, 0)).toEqual({ action: 'rejected', reason });
    }
    expect(node.counters.rejected[reason]).toBe(2);
    expectBalanced(node);
    const { outer, inner } = KEYS;
    const without = mode === 'service' ? { inner } : mode === 'flow' ? { outer } : { outer, inner };
    expect(() => arnFor(mode, without, { kind: 'resume' })).toThrow(
      /^keys\.\w+: packet lacks the key that the mode needs\.$/,
    );
  });

  it('rejects a message without a time, of another type, or beyond the range of time', () => {
    const node = nodeOf(mode);
    const outcomes = [
      applyArn(node, { ...HEAD, type: 1, ...subject }, 0),
      ...[0, 3, 4, 255].map((type) => applyArn(node, { ...pauseArn(subject, 5), type }, 0)),
      applyArn(node, pauseArn(subject, 1), Number.MAX_SAFE_INTEGER - us(1) + 1),
    ];
    expect(outcomes.map((outcome) => outcome.action === 'rejected' && outcome.reason)).toEqual([
      'no-time',
      'other-type',
      'other-type',
      'other-type',
      'other-type',
      'time-out-of-range',
    ]);
    expect(node.counters.rejected).toMatchObject({ 'no-time': 1, 'other-type': 4, 'time-out-of-range': 1 });
    expect(applyArn(node, pauseArn(subject, 1), Number.MAX_SAFE_INTEGER - us(1)).action).toBe('paused');
    expectBalanced(node);
  });
});

describe('a table of pauses', () => {
  it('expires pauses by end time, then in the order in which their timers were set', () => {
    const node = nodeOf('flow');
    const times = [30, 10, 20, 10, 30];
    times.forEach((time, n) => applyArn(node, pauseArn({ flow: flow(n) }, time), 0));
    applyArn(node, pauseArn({ flow: flow(1) }, 10), 0);
    expect(nextExpiryPs(node)).toBe(us(10));
    const order = [3, 1, 2, 0, 4];
    expect(portsOf(listPauses(node))).toEqual(order);
    expect(expirePauses(node, us(10) - 1)).toEqual([]);
    expect(portsOf(expirePauses(node, us(10)))).toEqual([3, 1]);
    expect(nextExpiryPs(node)).toBe(us(20));
    expect(portsOf(expirePauses(node, us(100)))).toEqual([2, 0, 4]);
    expect(nextExpiryPs(node)).toBe(Infinity);
    expect(node.counters).toMatchObject({ paused: 5, refreshed: 1, expired: 5 });
    expectBalanced(node);
  });

  it('rejects new pauses but not refreshes while it is full, and accepts one after a pause has ended', () => {
    const node = nodeOf('priority', { capacity: 2 });
    applyArn(node, pauseArn({ priorityId: 1 }, 10), 0);
    applyArn(node, pauseArn({ priorityId: 2 }, 20), 0);
    expect(applyArn(node, pauseArn({ priorityId: 3 }, 10), 0)).toEqual({ action: 'rejected', reason: 'table-full' });
    expect(applyArn(node, pauseArn({ priorityId: 2 }, 20), 0).action).toBe('refreshed');
    expect(applyArn(node, pauseArn({ priorityId: 3 }, 10), us(10)).action).toBe('paused');
    expect(applyArn(node, pauseArn({ priorityId: 4 }, 10), us(10)).action).toBe('rejected');
    applyArn(node, eliminatedArn({ priorityId: 3 }), us(10));
    expect(applyArn(node, pauseArn({ priorityId: 4 }, 10), us(10)).action).toBe('paused');
    expect(node.counters.rejected['table-full']).toBe(2);
    expectBalanced(node);
  });

  it('pauses 10^4 flows, each for its own time', () => {
    const node = nodeOf('flow');
    const count = 10_000;
    // 7919 has no factor in common with 10^4, so the times are a permutation of 1..10^4.
    const timeOf = (n: number) => ((n * 7919) % count) + 1;
    for (let n = 0; n < count; n++) applyArn(node, pauseArn({ flow: flow(n) }, timeOf(n)), 0);
    expect(node.counters).toMatchObject({ arns: count, paused: count });
    const heldAt5000 = Array.from({ length: count }, (_, n) => isPaused(node, { inner: flow(n) }, us(5000)));
    expect(heldAt5000.filter(Boolean)).toHaveLength(count - 5000);
    expect(heldAt5000.every((isHeld, n) => isHeld === timeOf(n) > 5000)).toBe(true);
    expect(expirePauses(node, us(5000))).toHaveLength(5000);
    for (let ends = 5001; ends <= count; ends++) {
      expect(nextExpiryPs(node)).toBe(us(ends));
      const [pause, ...more] = expirePauses(node, us(ends));
      expect(more).toEqual([]);
      expect(timeOf(portsOf([pause!])[0]!)).toBe(ends);
    }
    expectBalanced(node);
  });

  it('matches an unordered list of pauses', () => {
    const step = fc.record({
      waitUs: fc.nat(8),
      flow: fc.nat(5),
      time: fc.nat(12),
      kind: fc.constantFrom('pause', 'eliminated'),
    });
    fc.assert(fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const node = nodeOf('flow', { capacity: 4 });
      const model = new Map<number, number>();
      let nowUs = 0;
      for (const { waitUs, flow: n, time, kind } of steps) {
        nowUs += waitUs;
        for (const [other, until] of model) if (until <= nowUs) model.delete(other);
        const arn = kind === 'pause' ? pauseArn({ flow: flow(n) }, time) : eliminatedArn({ flow: flow(n) });
        applyArn(node, arn, us(nowUs));
        if (kind === 'eliminated' || time === 0) model.delete(n);
        else if (model.has(n) || model.size < 4) model.set(n, nowUs + time);
        for (let f = 0; f <= 5; f++) expect(isPaused(node, { inner: flow(f) }, us(nowUs))).toBe(model.has(f));
        expect(nextExpiryPs(node)).toBe(us(Math.min(Infinity, ...model.values())));
        expectBalanced(node);
      }
    }));
  });

  it('is not affected by later changes to a message', () => {
    const node = nodeOf('flow');
    const named = { ...flow(1), source: flow(1).source.slice() };
    applyArn(node, pauseArn({ flow: named }, 10), 0);
    named.source.fill(9);
    expect(applyArn(node, eliminatedArn({ flow: flow(1) }), 1).action).toBe('resumed');
    expectBalanced(node);
  });

  it('is not changed by queries', () => {
    const node = nodeOf('flow');
    applyArn(node, pauseArn({ flow: flow(1) }, 10), 0);
    expect(isPaused(node, KEYS, us(50))).toBe(false);
    expect(listPauses(node)).toHaveLength(1);
    expect(nextExpiryPs(node)).toBe(us(10));
    expect(node.counters.expired).toBe(0);
  });
});

describe('two levels of pauses', () => {
  it('hold a packet until the later of the two pauses ends; each ends separately', () => {
    for (const modes of [['flow', 'priority'], ['service', 'priority']] as const) {
      const node = createFlowControl({ modes });
      const named = { flow: modes[0] === 'flow' ? KEYS.inner : KEYS.outer };
      applyArn(node, pauseArn(named, 10), 0);
      applyArn(node, pauseArn({ priorityId: 3 }, 30), 0);
      expect(listPauses(node).map(({ subject }) => subject.level)).toEqual(modes);
      expect(pausedUntilPs(node, KEYS, 0)).toBe(us(30));
      expect(pausedUntilPs(node, { ...KEYS, priorityId: 4 }, 0)).toBe(us(10));
      applyArn(node, eliminatedArn({ priorityId: 3 }), us(5));
      expect(pausedUntilPs(node, KEYS, us(5))).toBe(us(10));
      expectBalanced(node);
    }
  });

  it('apply a message with both subjects to the first mode', () => {
    const both = pauseArn({ flow: flow(1), priorityId: 3 }, 10);
    const levels = ([['flow', 'priority'], ['priority', 'flow']] as const).map((modes) => {
      const node = createFlowControl({ modes });
      applyArn(node, both, 0);
      return listPauses(node).map(({ subject }) => subject);
    });
    expect(levels).toEqual([[{ level: 'flow', flow: flow(1) }], [{ level: 'priority', priorityId: 3 }]]);
  });

  it('apply the same message on two nodes to the service of one and the flow of the other', () => {
    const arn = pauseArn({ flow: SERVICE }, 10);
    const [service, inner] = [nodeOf('service'), nodeOf('flow')];
    for (const node of [service, inner]) applyArn(node, arn, 0);
    expect([service, inner].map((node) => isPaused(node, KEYS, 0))).toEqual([true, false]);
    expect([service, inner].map((node) => isPaused(node, { inner: SERVICE }, 0))).toEqual([false, true]);
  });
});

describe('unit of the compression time', () => {
  const QUANTA = { timeUnit: 'pfc-quanta', rateBps: 100e9 } as const;

  it('may be quanta of 512 bit times, in applyArn and arnFor', () => {
    const node = nodeOf('flow', QUANTA);
    expect(applyArn(node, pauseArn({ flow: flow(1) }, 65535), 7)).toMatchObject({ untilPs: 7 + 335_539_200 });
    expect(arnFor('flow', KEYS, { kind: 'pause', timePs: 5121 }, QUANTA)).toMatchObject({ compressionTime: 2 });
  });

  it('makes the time out of range if quanta are too long on a slow link', () => {
    const node = nodeOf('flow', { ...QUANTA, rateBps: 1 });
    expect(applyArn(node, pauseArn({ flow: flow(1) }, 0xffffffff), 0)).toEqual({
      action: 'rejected',
      reason: 'time-out-of-range',
    });
  });
});

describe('an ARN', () => {
  it('writes version, metric and path id where given', () => {
    const options = { version: 1, metric: 200, pathId: 9 };
    expect(arnFor('priority', KEYS, { kind: 'pause', timePs: 1 }, options)).toEqual({
      type: 1,
      version: 1,
      reserved4: 0,
      metric: 200,
      pathId: 9,
      priorityId: 3,
      compressionTime: 1,
    });
  });
});

describe('bad arguments', () => {
  it.each([
    ['modes', []],
    ['modes', ['service', 'flow']],
    ['modes', ['flow', 'flow']],
    ['modes', ['port']],
    ['modes', 'flow'],
    ['capacity', 0],
    ['capacity', 1.5],
    ['timeUnit', 'ms'],
  ])('rejects an invalid setting %s by name, case %#', (name, value) => {
    const attempt = () => createFlowControl({ modes: ['flow'], [name]: value });
    expect(attempt).toThrow(expect.objectContaining({ code: 'invalid-config' }) as Error);
    expect(attempt).toThrow(new RegExp(`flowControl\\.${name}`));
  });

  it('rejects quanta without a rate', () => {
    expect(() => nodeOf('flow', { timeUnit: 'pfc-quanta' })).toThrow(/flowControl\.rateBps/);
  });

  it('rejects an out-of-range field or time by name, without counting the message', () => {
    const node = nodeOf('flow');
    const badFlow = { ...flow(1), protocol: 256 };
    expect(() => applyArn(node, pauseArn({ flow: badFlow }, 5), 0)).toThrow(/arn\.flow\.protocol/);
    expect(() => applyArn(node, pauseArn({ flow: flow(1) }, 2 ** 32), 0)).toThrow(/arn\.compressionTime/);
    expect(() => applyArn(nodeOf('priority'), pauseArn({ priorityId: -1 }, 5), 0)).toThrow(/arn\.priorityId/);
    for (const nowPs of [-1, 0.5, NaN, Infinity]) {
      expect(() => applyArn(node, pauseArn({ flow: flow(1) }, 5), nowPs)).toThrow(/nowPs/);
      expect(() => isPaused(node, KEYS, nowPs)).toThrow(/nowPs/);
      expect(() => expirePauses(node, nowPs)).toThrow(/nowPs/);
    }
    expect(node.counters.arns).toBe(0);
    expectBalanced(node);
  });

  it('rejects a request with time 0, with a fraction of a picosecond, or of an unknown kind', () => {
    expect(() => arnFor('flow', KEYS, { kind: 'pause', timePs: 0 })).toThrow(/would resume/);
    expect(() => arnFor('flow', KEYS, { kind: 'pause', timePs: 0.5 })).toThrow(/timePs/);
    expect(() => arnFor('flow', KEYS, { kind: 'stop' as 'resume' })).toThrow(/request\.kind/);
    expect(() => arnFor('port' as 'flow', KEYS, { kind: 'resume' })).toThrow(/mode/);
    expect(() => arnFor('flow', KEYS, { kind: 'resume' }, { resumeBy: 'x' as 'eliminated' })).toThrow(/resumeBy/);
    expect(() => arnFor('priority', { priorityId: 2 ** 32 }, { kind: 'resume' })).toThrow(/keys\.priorityId/);
    const badKeys = { inner: { ...flow(1), sourcePort: -1 } };
    expect(() => arnFor('flow', badKeys, { kind: 'resume' })).toThrow(/inner\.source/);
  });
});

function portsOf(pauses: ReturnType<typeof listPauses>): number[] {
  return pauses.map(({ subject }) => (subject.level === 'priority' ? -1 : subject.flow.sourcePort));
}
