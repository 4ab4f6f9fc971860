/**
 * The wasm engine and the reference model treat raw frames identically, whether valid, invalid or truncated.
 *
 * `ROCE_FRAMES` sets the number of random frames (10,000; 200,000 in the long tests), `ROCE_SEED` repeats a run.
 */
import { describe, expect, it } from 'vitest';
import { LINK_ETHERNET } from '../../src/abi/codes.js';
import { dcqcnConnectx, gbps, ns, type Engine, type EngineOptions } from '../../src/index.js';
import type { CapturedFrame } from '../parser/support/captures.js';
import { Chance } from '../parser/support/random-frames.js';
import { frameByChance, introduce, localFrames, markCe, reportsOf, corpusFrames } from './support/frames-at-hand.js';
import { Herd } from './support/herd.js';
import { caseCount } from '../support/effort.js';

const FRAMES = caseCount('ROCE_FRAMES', { few: 10_000, all: 200_000 });
const SEED = Number(process.env.ROCE_SEED ?? Date.now() % 2 ** 31);
const TIME_LIMIT_MS = 120_000 + FRAMES;
const BATCH_FRAMES = 96;

type Options = Omit<EngineOptions, 'backend' | 'hashSeed'>;

const BASE: Options = {
  parameterSets: { default: dcqcnConnectx({ lineRateBps: gbps(100) }) },
  capacity: { qps: 120, endpoints: 4, addresses: 160, events: 4, packets: BATCH_FRAMES, frameBytes: 2 ** 20 },
  fastCnp: { enabled: true, defaultAction: 'allow' },
};

/** One engine for each way to parse frames and to react to them. */
const VARIANTS: Readonly<Record<string, Options>> = {
  'Fast CNPs on': BASE,
  // Above 131,072 QPs, tags and entries are prefetched in separate passes.
  'room for 140,000 QPs': { ...BASE, capacity: { ...BASE.capacity, qps: 140_000 } },
  'Fast CNPs off': { ...BASE, fastCnp: { enabled: false } },
  'strict Annex A17 mode': { ...BASE, parser: { mode: 'strict-a17' }, lateEvents: 'clamp' },
  'ICRC checked, literal': { ...BASE, parser: { icrc: 'check' }, notificationPoint: { window: 'trailing' } },
  'ICRC checked, omit': { ...BASE, parser: { icrc: 'check', icrcWithExtensionHeaders: 'omit' } },
  'ICRC checked, normalise': { ...BASE, parser: { icrc: 'check', icrcWithExtensionHeaders: 'normalise' } },
  'an access list, CNPs per destination': {
    ...BASE,
    fastCnp: { enabled: true, accessList: [{ prefix: '2001:db8::/33', action: 'allow' }], duplicateWindowPs: 0 },
    notificationPoint: { scope: 'destination', window: 'trailing', minTimeBetweenCnpsPs: ns(700) },
  },
  'custom option types, CNPs per port': {
    ...BASE,
    fastCnp: { enabled: true, defaultAction: 'allow', optionType1: 0x92, optionType2: 0x96 },
    notificationPoint: { scope: 'port', minTimeBetweenCnpsPs: ns(300) },
  },
};

function add(engine: Engine, timePs: number, { bytes, original, link }: CapturedFrame): void {
  engine.packets.add(timePs, bytes, original, link === LINK_ETHERNET ? 'ethernet' : 'raw-ip');
}

/** Applies the added frames; reports, actions, counters and state must be equal. */
function apply(herd: Herd): void {
  herd.step((engine) => engine.applyPackets());
  herd.step(reportsOf);
  herd.check();
}

/** Feeds frames 100 ns apart. */
function feed(herd: Herd, frames: Iterable<CapturedFrame>, timeOf: (index: number) => number): void {
  let index = 0;
  for (const frame of frames) {
    const timePs = timeOf(index++);
    herd.step((engine) => {
      add(engine, timePs, frame);
    });
    if (herd.first.packets.length === BATCH_FRAMES) apply(herd);
  }
  apply(herd);
}

function* byChance(frames: readonly CapturedFrame[], count: number, chance: Chance): Generator<CapturedFrame> {
  for (let i = 0; i < count; i++) yield frameByChance(chance, frames);
}

const local = localFrames();
const corpus = corpusFrames();

describe.each(Object.entries(VARIANTS))('with %s, the wasm engine and the reference model', (_name, options) => {
  const herd = new Herd(options);
  introduce(herd, local);
  let nowPs = 0;
  const steadily = (): number => (nowPs += ns(100));

  it('agree on the frames in test/data, unmodified and CE-marked', () => {
    feed(herd, [...local, ...local.map(markCe), ...local], steadily);
  });

  it(`agree on random frames, seed ${SEED}`, { timeout: TIME_LIMIT_MS }, () => {
    const chance = new Chance(SEED);
    const count = Math.ceil(FRAMES / Object.keys(VARIANTS).length);
    const unsteadily = (): number => {
      nowPs += ns(chance.below(200));
      if (chance.below(40) > 0) return nowPs;
      return chance.pick([nowPs - ns(chance.below(9000)), NaN, -1, Infinity, 2 ** 53]);
    };
    feed(herd, byChance(local, count, chance), unsteadily);
  });
});

describe('the frames of all variants', () => {
  it('produce every outcome that frames can have', () => {
    const seen = new Set<string>();
    for (const options of Object.values(VARIANTS)) {
      const herd = new Herd(options);
      introduce(herd, local);
      const chance = new Chance(1);
      const lateOrBad = (
        index: number,
      ): number => (index % 50 === 49 ? -1 : ns(1_000_000 + index * 100 - (index % 7 ? 0 : 90_000)));
      feed(herd, local, (index) => ns(index * 100));
      feed(herd, byChance(local, 3000, chance), lateOrBad);
      for (const [name, count] of Object.entries(herd.first.stats().outcomes)) if (count > 0) seen.add(name);
    }
    const wanted = [
      'sent',
      'received',
      'cnp-due',
      'cnp-suppressed',
      'cnp-handled',
      'fast-cnp-accepted',
      'not-roce-v2',
      'pfc',
      'roce-v1',
      'ack',
      'nak',
      'not-local',
      'cnp-duplicate',
      'malformed',
      'cut',
      'discarded',
      'icrc-wrong',
      'unknown-qp',
      'bad-time',
      'time-backwards',
      'fast-cnp-disabled',
      'fast-cnp-rejected',
      'fast-cnp-option',
      'fast-cnp-unknown-flow',
      'fast-cnp-duplicate',
    ];
    expect(wanted.filter((name) => !seen.has(name))).toEqual([]);
  });
});

describe('contradictory frame descriptors', () => {
  it('are rejected identically, without effect on other frames', () => {
    const herd = new Herd(BASE);
    introduce(herd, local);
    const room = 2 ** 20;
    const bad = [[8, 100, 99], [0, room, room - 1], [room - 1, 1, 0]];
    herd.step((engine) => {
      bad.forEach(([offset, captured, original], index) => {
        add(engine, index, local[index]!);
        engine.packets.addInPlace(index, offset!, captured!, original!);
      });
      engine.packets.addInPlace(9, room, 0, 0);
    });
    apply(herd);
    expect(herd.first.stats().outcomes['bad-descriptor']).toBe(bad.length);
  });
});

describe('the full captures', () => {
  it('produce the same reports, actions, counters and state on both backends', { timeout: TIME_LIMIT_MS }, () => {
    const herd = new Herd(BASE);
    introduce(herd, corpus);
    feed(herd, corpus, (index) => index * ns(100));
  });
});
