/** A damaged or forged snapshot is rejected or restores an engine that works. */
import { describe, expect, it } from 'vitest';
import { dcqcnNs3, dcqcnSigcomm15, gbps, hpccPpDraft, hpccSigcomm19, ns, nsccUet, rcccUet, RoceError, swiftSigcomm20,
  us, type EngineOptions } from '../../src/index.js';
import { createEngineSync, restoreEngineSync } from '../../src/engine/create.js';
import { FLOW_STAMP, FLOW_TABLE_ADDRESS, QP_BYTES, REGION_END, REGION_FLOW_ENTRIES, REGION_KEPT_HOPS, REGION_QPS,
  REGIONS_ADDRESS } from '../../src/abi/layout.js';
import type { Engine } from '../../src/engine/engine.js';
import { Random } from '../../scripts/fuzz/random.js';
import { checkSnapshot, makeSnapshotInput } from '../../scripts/fuzz/snapshots.js';
import { updateCrc32 } from '../../src/wire/roce/crc32.js';
import { Seeded } from '../support/seeded.js';
import { caseCount } from '../support/effort.js';
import { CONTROLLER, NSCC_MORE, NSCC_STATE, RCCC_STATE } from '../../src/abi/records/controllers.js';

const LINE = { lineRateBps: gbps(100) };
const FORGED = caseCount('ROCE_FORGED_SNAPSHOTS', { few: 400, all: 1500 });
const QPS = 24;
const CHECKED_FROM = 12;

const parameterSets = {
  paper: dcqcnSigcomm15(LINE),
  ns3: dcqcnNs3('dcqcn', LINE),
  hpcc: hpccSigcomm19({ ...LINE, baseRttPs: us(10) }),
  'hpcc-pp': hpccPpDraft({ ...LINE, baseRttPs: us(10) }),
  swift: swiftSigcomm20(LINE),
};
const SETS = Object.keys(parameterSets);

const OPTIONS: readonly EngineOptions[] = [
  { parameterSets },
  { parameterSets, notificationPoint: { scope: 'destination', window: 'trailing' }, lateEvents: 'clamp' },
  { parameterSets, notificationPoint: { scope: 'port' }, fastCnp: { enabled: true } },
];

/** A random integer from 0 to `count` - 1. */
function below(random: Seeded, count: number): number {
  return random.whole(0, count - 1);
}

function filled(options: EngineOptions, random: Seeded): Engine {
  const engine = createEngineSync({
    ...options,
    hashSeed: 1,
    capacity: { qps: 64, endpoints: 4, addresses: 8, events: 128, packets: 8, frameBytes: 4096 },
  });
  engine.addEndpoint(['10.0.0.1']);
  engine.addEndpoint(['10.0.0.2', 'fd00::2']);
  for (let index = 0; index < QPS; index++) {
    engine.openQp({
      endpoint: index & 1,
      localQpn: 100 + index,
      peerAddress: `10.0.1.${index % 5}`,
      peerQpn: 7 + index,
      parameterSet: SETS[index % SETS.length],
    });
  }
  for (let qp = 3; qp < QPS; qp += 7) engine.closeQp(qp);
  use(engine, random, us(100));
  return engine;
}

/** Uses an engine: all lookups, several events, and a QP closed and opened; no frames. */
function use(engine: Engine, random: Seeded, fromPs: number): void {
  for (let qp = 0; qp < 64; qp++) {
    if (!engine.isOpen(qp)) continue;
    const timePs = fromPs + ns(10 * qp);
    engine.events.sent(timePs, qp, 1000);
    engine.events.cnp(timePs + 1, qp);
    engine.events.marked(timePs + 2, qp);
    engine.events.touch(timePs + us(60), qp);
  }
  engine.applyEvents();
  engine.advance(fromPs + us(500));
  for (let index = 0; index < QPS; index++) {
    engine.findLocal(index & 1, 100 + index);
    engine.findFlow(index & 1, `10.0.1.${index % 5}`, 7 + index);
  }
  const qp = below(random, 64);
  if (engine.isOpen(qp)) {
    const flow = engine.flowOf(qp);
    engine.closeQp(qp);
    expect(engine.openQp({ ...flow, parameterSet: 'paper' })).toBeGreaterThanOrEqual(0);
  }
  engine.stats();
  engine.stateHash();
  expect(engine.snapshot().length).toBeGreaterThan(0);
}

function checksummed(bytes: Uint8Array): Uint8Array {
  new DataView(bytes.buffer).setUint32(8, ~updateCrc32(-1, bytes, CHECKED_FROM, bytes.length) >>> 0, true);
  return bytes;
}

/** Up to three changes after the header: a flipped bit, an unusual value, a run of zeros or a copied block. */
function forge(snapshot: Uint8Array, random: Seeded): Uint8Array {
  const bytes = snapshot.slice();
  const view = new DataView(bytes.buffer);
  const stateAt = 16 + view.getUint32(CHECKED_FROM, true);
  const at = (): number => stateAt + (below(random, (bytes.length - stateAt - 8) >>> 2) << 2);
  for (let times = below(random, 3); times >= 0; times--) {
    const place = at();
    const kind = below(random, 5);
    if (kind === 0) bytes[place + below(random, 4)]! ^= 1 << below(random, 8);
    else if (kind === 1)
      view.setUint32(place, [0, 1, 63, 64, 0xffffffff, 0x7ff00000, 0x80000000][below(random, 7)]!, true);
    else if (kind === 2) bytes.fill(0, place, Math.min(bytes.length, place + below(random, 4000)));
    else if (kind === 3) view.setFloat64(place, [NaN, -1, Infinity, -Infinity, 1e300, -1e300][below(random, 6)]!, true);
    else bytes.copyWithin(place, at(), Math.min(bytes.length, at() + 64));
  }
  return checksummed(bytes);
}

describe.each(OPTIONS.map((options, index) => [index, options] as const))('a snapshot, options %i', (_, options) => {
  const random = new Seeded(11);
  const engine = filled(options, random);
  const snapshot = engine.snapshot();

  it('is rejected with any bit flipped, and leaves the engine unchanged', () => {
    const hash = engine.stateHash();
    for (let round = 0; round < 1000; round++) {
      const bytes = snapshot.slice();
      bytes[below(random, bytes.length)]! ^= 1 << below(random, 8);
      expect(() => {
        engine.restore(bytes);
      }).toThrow(RoceError);
    }
    expect(engine.stateHash()).toBe(hash);
    engine.restore(snapshot);
    expect(engine.snapshot()).toEqual(snapshot);
  });

  it('with forged contents and a correct checksum is rejected or restores an engine that works', () => {
    let rejected = 0;
    for (let round = 0; round < FORGED; round++) {
      const bytes = forge(snapshot, random);
      try {
        engine.restore(bytes);
      } catch (error) {
        expect(error).toBeInstanceOf(RoceError);
        rejected++;
        continue;
      }
      try {
        use(engine, random, us(1000));
      } catch (error) {
        expect(error).toBeInstanceOf(RoceError);
      }
    }
    expect(rejected).toBeGreaterThan(FORGED / 20);
    engine.restore(snapshot);
    expect(engine.snapshot()).toEqual(snapshot);
  });
});

describe('a forged state', () => {
  const engine = filled(OPTIONS[1]!, new Seeded(3));
  const snapshot = engine.snapshot();
  const regions = new Uint32Array(engine.packets.arena.buffer, REGIONS_ADDRESS);
  const tablesAt = snapshot.length - (regions[REGION_END]! - regions[REGION_QPS]!);
  const placeOf = (address: number): number => tablesAt + address - regions[REGION_QPS]!;
  /** Follows the addresses of entries, whose region ends at a cache line. */
  const windows = placeOf(regions[REGION_FLOW_ENTRIES]! + 64 * 4);
  const hpcc = placeOf(regions[REGION_QPS]! + 2 * QP_BYTES);
  const swift = placeOf(regions[REGION_QPS]! + 4 * QP_BYTES);

  it.each<[string, (view: DataView) => void]>([
    ['more hops than a QP keeps', (view) => {
      view.setUint8(hpcc + CONTROLLER.at.hopCount, 200);
    }],
    ['more hops than a QP keeps, under an algorithm that reads none', (view) => {
      view.setUint8(swift + CONTROLLER.at.hopCount, 200);
    }],
    ['a suppressed mark of a QP that does not exist', (view) => {
      view.setFloat64(windows, -1000, true);
      view.setUint32(windows + 8, 64, true);
    }],
    ['pass bits in every group, which would make probes endless', (view) => {
      const [, , groups, , , , passes] = new Uint32Array(engine.packets.arena.buffer, FLOW_TABLE_ADDRESS, 7);
      for (let group = 0; group < groups!; group++) view.setUint8(placeOf(passes!) + group, 0xff);
    }],
    ['a nonzero byte where prefetching writes', (view) => {
      view.setUint8(placeOf(regions[REGION_QPS]!) + QP_BYTES - 1, 1);
    }],
    ['a last notification after the last representable time', (view) => {
      const entry = view.getUint32(placeOf(regions[REGION_FLOW_ENTRIES]!), true);
      view.setUint8(placeOf(entry) + FLOW_STAMP + 7, 1);
    }],
    ['a rate of NaN', (view) => {
      view.setFloat64(hpcc, NaN, true);
    }],
  ])('with %s is rejected', (_, change) => {
    const bytes = snapshot.slice();
    change(new DataView(bytes.buffer));
    expect(() => {
      engine.restore(checksummed(bytes));
    }).toThrow(expect.objectContaining({ code: 'snapshot-mismatch' }) as Error);
  });
});

describe('a forged state of NSCC', () => {
  const options = { parameterSets: { default: nsccUet({ ...LINE, baseRttPs: us(12) }) }, capacity: { qps: 1 } };
  const engine = createEngineSync(options);
  engine.openQp({ localQpn: 1 });
  const snapshot = engine.snapshot();
  const regions = new Uint32Array(engine.packets.arena.buffer, REGIONS_ADDRESS);
  const placeOf = (region: number): number =>
    snapshot.length - (regions[REGION_END]! - regions[REGION_QPS]!) + regions[region]! - regions[REGION_QPS]!;
  const state = placeOf(REGION_QPS);
  const more = placeOf(REGION_KEPT_HOPS);
  const restoreWith = (at: number, value: number): void => {
    const bytes = snapshot.slice();
    new DataView(bytes.buffer).setFloat64(at, value, true);
    engine.restore(checksummed(bytes));
  };

  it.each([
    ['no base round trip', state + NSCC_STATE.at.baseRttPs, 0],
    ['a negative average delay', state + NSCC_STATE.at.averageDelayPs, -1],
    ['an infinite average delay', state + NSCC_STATE.at.averageDelayPs, Infinity],
    ['a window of less than a byte', state + NSCC_STATE.at.windowBytes, 0.5],
    ['a negative largest window', more + NSCC_MORE.at.maxWindowBytes, -1],
    ['a negative increase', more + NSCC_MORE.at.increase, -1],
  ])('with %s is rejected', (_, at, value) => {
    expect(() => {
      restoreWith(at, value);
    }).toThrow(expect.objectContaining({ code: 'snapshot-mismatch' }) as Error);
  });

  it('at the limits of these is restored', () => {
    restoreWith(state + NSCC_STATE.at.baseRttPs, 1);
    restoreWith(state + NSCC_STATE.at.averageDelayPs, 0);
    restoreWith(state + NSCC_STATE.at.windowBytes, 1);
    restoreWith(more + NSCC_MORE.at.maxWindowBytes, 0);
    restoreWith(more + NSCC_MORE.at.increase, 0);
    expect(engine.windowBytes(0)).toBeGreaterThan(0);
  });
});

describe('a forged state of RCCC', () => {
  const options = { parameterSets: { default: rcccUet({ ...LINE, baseRttPs: us(12) }) }, capacity: { qps: 1 } };
  const engine = createEngineSync(options);
  engine.openQp({ localQpn: 1 });
  const snapshot = engine.snapshot();
  const regions = new Uint32Array(engine.packets.arena.buffer, REGIONS_ADDRESS);
  const state = snapshot.length - (regions[REGION_END]! - regions[REGION_QPS]!);
  const restoreWith = (at: number, value: number): void => {
    const bytes = snapshot.slice();
    new DataView(bytes.buffer).setFloat64(state + at, value, true);
    engine.restore(checksummed(bytes));
  };

  it.each([
    ['a credit of NaN', RCCC_STATE.at.creditBytes, NaN],
    ['infinite credit', RCCC_STATE.at.creditBytes, Infinity],
    ['infinite debt', RCCC_STATE.at.creditBytes, -Infinity],
    ['a negative pull number', RCCC_STATE.at.pullNumber, -1],
    ['an infinite pull number', RCCC_STATE.at.pullNumber, Infinity],
  ])('with %s is rejected', (_, at, value) => {
    expect(() => {
      restoreWith(at, value);
    }).toThrow(expect.objectContaining({ code: 'snapshot-mismatch' }) as Error);
  });

  it('at the limits of these is restored', () => {
    restoreWith(RCCC_STATE.at.creditBytes, -5000);
    expect(engine.maySend(0, 0)).toBe(false);
    restoreWith(RCCC_STATE.at.pullNumber, 0);
    expect(engine.maySend(0, 0)).toBe(true);
  });
});

/** `npm run fuzz` repeats this for any duration (docs/internals/security.md). */
describe('a guard region after the state', () => {
  it.each([['flipped bits', false, FORGED / 3], ['right checksums', true, FORGED]])(
    'stays unchanged and affects no result after snapshots with %s are restored',
    (_, forged, count) => {
      const random = new Random(12);
      let taken = 0;
      for (let round = 0; round < count; round++) taken += Number(checkSnapshot(makeSnapshotInput(random, forged)));
      if (forged) expect(taken).toBeGreaterThan(count / 20);
      else expect(taken).toBe(0);
    },
  );
});

describe('a snapshot header', () => {
  const { buffer } = filled(OPTIONS[0]!, new Seeded(1)).snapshot();
  const withHeader = (text: string): Uint8Array => {
    const header = new TextEncoder().encode(text);
    const bytes = new Uint8Array(16 + header.length);
    bytes.set(new Uint8Array(buffer, 0, 16));
    new DataView(bytes.buffer).setUint32(CHECKED_FROM, header.length, true);
    bytes.set(header, 16);
    return checksummed(bytes);
  };

  it.each([
    'null',
    '{}',
    '7',
    '[]',
    '{"build":1}',
    '{"build":"x","config":null,"endpoints":0}',
    'no JSON',
    '{"build":"x","config":{},"endpoints":-1}',
    '{"build":"x","config":{"backend":"wasm"},"endpoints":0.5}',
    '{"build":"x","config":{"backend":"wasm","parameterSets":[{"algorithm":"bbr"}]},"endpoints":0}',
  ])('of %s is rejected with a RoceError', (text) => {
    expect(() => restoreEngineSync(withHeader(text))).toThrow(expect.objectContaining({ name: 'RoceError' }) as Error);
  });
});
