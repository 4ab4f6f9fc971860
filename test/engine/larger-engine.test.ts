/** A larger engine that restores a snapshot behaves as if it had processed all events itself. */
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { engineOptions, populated, readAll, step, STEP_LIMIT } from '../../scripts/fuzz/engines.js';
import { FIXED_END } from '../../src/abi/layout.js';
import { createEngineSync, RoceError, us, type Capacity, type Engine, type EngineOptions } from '../../src/index.js';
import { updateCrc32 } from '../../src/wire/roce/crc32.js';
import { BACKENDS } from '../support/backends.js';
import { caseCount } from '../support/effort.js';
import { Seeded } from '../support/seeded.js';

const CASES = caseCount('ROCE_LARGER_ENGINES', { few: 12, all: 120 });
const FORGED = 100;
const SEED = 23;
const STEPS = 300;
/** More QPs than the steps have keys for, so that both engines always have room. */
const SMALL: Capacity = { qps: 32, endpoints: 4, addresses: 4, events: 64, packets: 16, frameBytes: 8192 };
/** Each scope of CNP windows has separate state, and cuts per period have additional state. */
const VARIANTS: readonly Partial<EngineOptions>[] = [
  {},
  { notificationPoint: { scope: 'destination', window: 'trailing' }, lateEvents: 'clamp' },
  { notificationPoint: { scope: 'port', window: 'trailing' }, trace: { records: 512 } },
  { parameterSets: withPeriodsOfCuts() },
];

function withPeriodsOfCuts(): EngineOptions['parameterSets'] {
  const { dcqcn, ...others } = engineOptions().parameterSets;
  return { dcqcn: { ...dcqcn, cutTrigger: 'per-period', cutPeriodPs: us(4) } as typeof dcqcn, ...others };
}

function grown(random: Seeded): Capacity {
  const times = (count: number): number => count * random.pick([1, 1, 2, 3, 40]) + random.pick([0, 1, 13]);
  const [qps, endpoints, addresses] = [SMALL.qps + 1, SMALL.endpoints, SMALL.addresses].map(times) as [
    number,
    number,
    number,
  ];
  return { ...SMALL, qps, endpoints, addresses, events: times(SMALL.events), frameBytes: times(SMALL.frameBytes) };
}

/** Random steps with their times. */
function stepsFrom(random: Seeded, startPs: number): readonly (readonly [code: number, timePs: number])[] {
  return Array.from({ length: STEPS },
    (_, index) => [random.whole(0, STEP_LIMIT - 1), startPs + index * us(1) + random.whole(0, 999)] as const);
}

/** Applies all batches: their sizes differ, so both engines apply them when the smaller batch is full. */
function emptyAll(...engines: readonly Engine[]): void {
  for (const engine of engines) {
    engine.applyPackets();
    engine.applyEvents();
  }
}

/** `expect` is slow for large values, so it only prints the difference. */
function expectSame(got: unknown, wanted: unknown): void {
  if (!isDeepStrictEqual(got, wanted)) expect(got).toEqual(wanted);
}

/** A snapshot with one unusual word and a correct checksum. */
function forged(good: Uint8Array, random: Seeded): Uint8Array {
  const bytes = good.slice();
  const view = new DataView(bytes.buffer);
  const stateAt = 16 + view.getUint32(12, true);
  // Half of the words are among the addresses, sizes and counters.
  const words = (random.chance(0.5) ? FIXED_END : bytes.length - stateAt - 8) >>> 2;
  const at = stateAt + 4 * random.whole(0, words - 1);
  view.setUint32(at, random.pick([0, 1, 63, 64, 0xffffffff, 0x7ff00000, 0x80000000]), true);
  view.setUint32(8, ~updateCrc32(-1, bytes, 12, bytes.length) >>> 0, true);
  return bytes;
}

function mismatchOf(run: () => void): RoceError {
  try {
    run();
  } catch (error) {
    expect(error).toBeInstanceOf(RoceError);
    expect(error).toMatchObject({ code: 'snapshot-mismatch' });
    return error as RoceError;
  }
  throw new Error('nothing was thrown');
}

describe.each(BACKENDS)(`an engine that restores a smaller one (%s, seed ${SEED})`, (_, backend) => {
  // Without a seed each engine has different hash keys.
  const make = (capacity: Partial<Capacity>, variant: Partial<EngineOptions> = {}): Engine =>
    createEngineSync({
      ...engineOptions(),
      hashSeed: undefined,
      ...variant,
      backend,
      capacity: { ...SMALL, ...capacity },
    } as EngineOptions);

  it.each(VARIANTS.map((variant, index) => [index, variant] as const))(
    'behaves like an engine that had the larger capacity from the start, options %i',
    (index, variant) => {
      for (let round = 0; round < CASES; round++) {
        const random = new Seeded(SEED + 100 * round + index);
        const capacity = grown(random);
        const small = populated(make({}, variant));
        const large = populated(make(capacity, variant));
        for (const [code, timePs] of stepsFrom(random, us(10))) {
          if (small.events.isFull || small.packets.length === SMALL.packets) emptyAll(small, large);
          expectSame(step(small, code, timePs), step(large, code, timePs));
        }
        emptyAll(small, large);
        small.advance(us(400));
        large.advance(us(400));
        const moved = populated(make(capacity, variant));
        moved.restore(small.snapshot());
        expectSame(readAll(moved), readAll(large));
        for (const [code, timePs] of stepsFrom(random, us(500))) {
          expectSame(step(moved, code, timePs), step(large, code, timePs));
        }
        expectSame(readAll(moved), readAll(large));
        const again = moved.snapshot();
        moved.restore(again);
        expect(Buffer.compare(moved.snapshot(), again)).toBe(0);
      }
    },
  );

  it('keeps the indexes of QPs and endpoints, including gaps, and accepts more', () => {
    const small = make({ qps: 6 });
    for (const address of ['10.0.0.1', '10.0.0.3']) small.addEndpoint([address]);
    const flow = (number: number) => ({
      endpoint: number % 2,
      localQpn: 10 + number,
      peerAddress: '10.0.9.9',
      peerQpn: 90 + number,
    });
    for (let number = 0; number < 6; number++) expect(small.openQp(flow(number))).toBe(number);
    expect(() => small.openQp(flow(6))).toThrow(/capacity.qps/);
    small.closeQp(2);
    const moved = make({ qps: 5000, addresses: 64 });
    moved.restore(small.snapshot());
    expect(moved.stateHash()).toBe(small.stateHash());
    expect([...moved.openQps()]).toEqual([0, 1, 3, 4, 5]);
    for (const qp of moved.openQps()) {
      expect(moved.findFlow(qp % 2, '10.0.9.9', 90 + qp)).toBe(qp);
      expect(moved.findLocal(qp % 2, 10 + qp)).toBe(qp);
    }
    expect(moved.openQp(flow(2))).toBe(2);
    for (let number = 6; number < 5000; number++) expect(moved.openQp(flow(number))).toBe(number);
    expect(() => moved.addEndpoint(['10.0.0.3'])).toThrow(/no endpoint has yet/);
    expect(moved.addEndpoint(['10.0.0.4'])).toBe(2);
  });

  it('rejects a snapshot of a larger engine or of other settings, and names the difference', () => {
    const small = populated(make({}));
    const hash = small.stateHash();
    const from = (capacity: Partial<Capacity>, variant: Partial<EngineOptions> = {}): string =>
      mismatchOf(() => {
        small.restore(populated(make(capacity, variant)).snapshot());
      }).message;
    expect(from({ qps: 1000, events: 65 })).toBe(
      'snapshot: the configuration differs from that of this engine: capacity.qps is 1000 in the snapshot and 32 here; ' +
        'capacity.events is 65 in the snapshot and 64 here. ' +
        'Restore it into an engine whose capacity is at least as large in each field.',
    );
    const { dcqcn, ...others } = engineOptions().parameterSets;
    const parameterSets = { dcqcn: { ...dcqcn, minRateBps: 5_000_000 } as typeof dcqcn, ...others };
    expect(from({ qps: 8 }, { lateEvents: 'clamp', parameterSets })).toMatch(
      /: parameterSets\.dcqcn\.minRateBps is 5000000 in the snapshot and \d+ here; lateEvents is "clamp" in the snapshot and "reject" here\.$/,
    );
    expect(from({}, { notificationPoint: { scope: 'port' } })).toContain('notificationPoint.scope is "port"');
    expect(small.stateHash()).toBe(hash);
  });

  it('rejects a damaged snapshot, and stays unchanged', () => {
    const random = new Seeded(SEED);
    const small = populated(make({}, VARIANTS[1]));
    for (const [code, timePs] of stepsFrom(random, us(10))) step(small, code, timePs);
    const good = small.snapshot();
    const large = populated(make({ qps: 100 }, VARIANTS[1]));
    for (const [code, timePs] of stepsFrom(random, us(10))) step(large, code, timePs);
    emptyAll(large);
    large.advance(us(400));
    const before = large.snapshot();
    let rejected = 0;
    for (let round = 0; round < FORGED; round++) {
      try {
        large.restore(forged(good, random));
      } catch (error) {
        expect(error).toMatchObject({ code: 'snapshot-mismatch' });
        expect(Buffer.compare(large.snapshot(), before)).toBe(0);
        rejected++;
        continue;
      }
      // An accepted snapshot must be usable.
      for (const [code, timePs] of stepsFrom(random, us(500))) step(large, code, timePs);
      large.restore(before);
    }
    expect(rejected).toBeGreaterThan(0);
    expect(rejected).toBeLessThan(FORGED);
  });
});
