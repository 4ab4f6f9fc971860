/** Each damaged module is rejected with a RoceError, or is bound and its events end. */
import { beforeAll, describe, expect, it } from 'vitest';
import { RoceError } from '../../../src/errors.js';
import { meterModule } from '../../../src/algorithm/module/meter.js';
import { checkModule } from '../../../src/algorithm/module/check.js';
import { caseCount } from '../../support/effort.js';
import { Seeded } from '../../support/seeded.js';
import { compileAlgorithm } from './support/compile.js';
import { endOf, instanceOf } from './support/instance.js';
import { algorithmParts, custom, END, HEAD, I32, i32, moduleOf, section, signed } from './support/module-bytes.js';
import { randomProgram } from './support/random-program.js';

const CASES = caseCount('DAMAGED_MODULES', { few: 6000, all: 100_000 });
/** Small, so that a damaged loop ends soon. */
const BUDGET = 1000;

const SOURCE = `
  type Step = (x: f64) => f64;
  function decay(x: f64): f64 { return x * 0.875; }
  function root(x: f64): f64 { return sqrt(x); }
  const factors = memory.data<f64>([1, 2, 3]);
  export function roce_abi_version(): i32 { return 1; }
  export function roce_ack(qp: usize, parameters: usize, timePs: f64, argument: i32): i32 {
    const step: Step = (argument & 1) != 0 ? decay : root;
    let lanes = f64x2.splat(timePs);
    for (let index = 0; index < (argument & 7); index++) {
      switch (index) {
        case 0: lanes = f64x2.mul(lanes, v128.load(factors)); break;
        case 2: lanes = i8x16.shuffle(lanes, lanes, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7);
        default: memory.copy(qp + 64, qp, index);
      }
    }
    store<f64>(qp, step(f64x2.extract_lane(lanes, 0)));
    return <i32>load<i64>(qp) & 1;
  }`;

/** A module with the parts that the others lack: data and a stack, elements, names, a declaration. */
const EVERYTHING = moduleOf({
  ...algorithmParts([
    0x41,
    ...signed(20000),
    0x41,
    0,
    0x41,
    1,
    0xfc,
    0x08,
    1,
    0,
    0x23,
    0,
    0x41,
    16,
    0x6b,
    0x22,
    0,
    0x24,
    0,
    0x41,
    0,
  ]),
  tables: [[0x70, 1, 2, 2]],
  globals: [[I32, 1, ...i32(24576)], [0x7c, 0, 0x44, 1, 2, 3, 4, 5, 6, 7, 8, END]],
  elements: [[0, ...i32(1), 1, 1]],
  dataCount: 2,
  data: [[0, ...i32(16384), 3, 1, 2, 3], [1, 1, 9]],
  custom: [custom('name', [7, 3, 1, 0, 0]), custom('roce_cc_algorithm', [0x7b, 0x7d])],
});

/** `rejected`, `bound`, or how the events of its handlers end otherwise. @throws every other error */
function fateOf(bytes: Uint8Array): string {
  try {
    const { handlers } = checkModule(bytes);
    const instance = instanceOf(meterModule(bytes, BUDGET));
    const ends = handlers.map((name) => endOf(() => instance.handler(name)(128, 0, 1e6, 5)));
    return ends.every((end) => end === 'returned' || end === 'trap') ? 'bound' : ends.join();
  } catch (error) {
    if (error instanceof RoceError && error.code === 'invalid-algorithm') return 'rejected';
    throw error;
  }
}

/** A copy with one to four changes: a flipped bit, a replaced byte, removed or repeated bytes, or a truncation. */
function damaged(bytes: Uint8Array, random: Seeded): Uint8Array {
  let changed = [...bytes];
  for (let left = random.whole(1, 4); left > 0; left--) {
    const at = random.whole(0, changed.length - 1);
    const kind = random.next();
    if (kind < 0.5) changed[at]! ^= 1 << random.whole(0, 7);
    else if (kind < 0.7) changed[at] = random.pick([0, 1, 0x0b, 0x40, 0x7f, 0x80, 0xfc, 0xfd, 0xff]);
    else if (kind < 0.8) changed.splice(at, random.whole(1, 3));
    else if (kind < 0.95) changed.splice(at, 0, ...changed.slice(at, at + random.whole(1, 8)));
    else changed = changed.slice(0, at + 1);
  }
  return Uint8Array.from(changed);
}

describe('damaged modules', () => {
  let subjects: readonly Uint8Array[];
  beforeAll(async () => {
    const random = new Seeded(3);
    subjects = [await compileAlgorithm(SOURCE), EVERYTHING, ...Array.from({ length: 6 }, () => randomProgram(random))];
  });

  it('are bound before they are damaged', () => {
    expect(subjects.map(fateOf)).toEqual(subjects.map(() => 'bound'));
  });

  it('are rejected or end when truncated at any byte', () => {
    for (const subject of subjects) {
      const fates = Array.from(subject, (_, length) => fateOf(subject.subarray(0, length)));
      expect(fates.filter((fate) => fate !== 'rejected' && fate !== 'bound')).toEqual([]);
      expect(fates.slice(0, 100).every((fate) => fate === 'rejected')).toBe(true);
    }
  });

  it(`are rejected or end after random changes (${CASES} modules)`, () => {
    const random = new Seeded(Number(process.env['ROCE_SEED'] ?? 1));
    const fates = new Map<string, number>();
    for (let count = 0; count < CASES; count++) {
      const fate = fateOf(damaged(random.pick(subjects), random));
      fates.set(fate, (fates.get(fate) ?? 0) + 1);
    }
    expect([...fates.keys()].sort()).toEqual(['bound', 'rejected']);
    expect(fates.get('bound')).toBeGreaterThan(CASES / 50);
  });

  it('are rejected if they state more items than they contain', () => {
    const numbers = [0xff, 0xff, 0xff, 0xff, 0x0f];
    for (let id = 0; id <= 12; id++) {
      for (const contents of [numbers, [1, ...numbers], [1, 0x60, ...numbers], [...numbers, ...numbers]]) {
        expect([id, contents, fateOf(Uint8Array.from([...HEAD, ...section(id, contents)]))]).toEqual([
          id,
          contents,
          'rejected',
        ]);
      }
    }
  });
});
