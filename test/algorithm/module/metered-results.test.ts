/** A metered module has the results of the original, and counts its steps exactly. */
import { beforeAll, describe, expect, it } from 'vitest';
import { meterModule } from '../../../src/algorithm/module/meter.js';
import { checkModule } from '../../../src/algorithm/module/check.js';
import { FUEL_EXHAUSTED } from '../../../src/algorithm/module/abi.js';
import { caseCount } from '../../support/effort.js';
import { Seeded } from '../../support/seeded.js';
import { compileAlgorithm } from './support/compile.js';
import { endOf, instanceOf, type Instance } from './support/instance.js';
import { randomProgram, STEPS } from './support/random-program.js';

const BUDGET = 1_000_000;
const PROGRAMS = caseCount('METERED_PROGRAMS', { few: 400, all: 4000 });

/** A realistic algorithm, which compiles to loops, blocks, branch tables, calls and SIMD. */
const SOURCE = `
  const scratch = memory.data(256);
  let seen: u64 = 0;
  type Step = (x: f64) => f64;
  function decay(x: f64): f64 { return x * 0.875; }
  function root(x: f64): f64 { return sqrt(abs(x)); }
  function pick(argument: i32): Step { return (argument & 1) != 0 ? decay : root; }
  function gcd(a: u32, b: u32): u32 { return b == 0 ? a : gcd(b, a % b); }

  export function roce_abi_version(): i32 { return 1; }

  export function roce_sent(qp: usize, parameters: usize, timePs: f64, argument: i32): i32 {
    let sum: f64 = 0;
    for (let row = 0; row < (argument & 15); row++) {
      for (let column = row; column < 16; column++) {
        if (((row ^ column) & 3) == 0) continue;
        sum += load<f64>(qp + ((row + column) << 3)) * <f64>(column - row);
        if (sum > 1e9) break;
      }
    }
    store<f64>(qp, sum);
    return argument & 1;
  }

  export function roce_ack(qp: usize, parameters: usize, timePs: f64, argument: i32): i32 {
    let value = load<f64>(qp);
    let state = argument;
    while (state != 0) {
      switch (state & 7) {
        case 0: value += 1; break;
        case 1: value = -value;
        case 2: value /= 3; break;
        case 3: value = pick(argument)(value); break;
        case 4: value = floor(value) + <f64>(<i32>value); break;
        case 5: return 2;
        default: value = <f64>(<f32>value);
      }
      state >>>= 3;
    }
    seen = seen * 6364136223846793005 + <u64>argument;
    store<f64>(qp, value);
    store<u64>(qp + 8, seen);
    return 0;
  }

  export function roce_loss(qp: usize, parameters: usize, timePs: f64, argument: i32): i32 {
    let lanes = f64x2.splat(timePs);
    for (let index = 0; index < 16; index += 2) {
      lanes = f64x2.add(f64x2.mul(lanes, f64x2.splat(0.5)), v128.load(qp + (index << 3)));
    }
    v128.store(qp, i8x16.shuffle(lanes, lanes, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7));
    memory.copy(scratch, qp, 128);
    memory.fill(qp + 64, <u8>argument, argument & 63);
    return <i32>gcd(argument, <u32>(argument >> 7)) & 1;
  }`;

/** The result of an event, and the memory after it. */
function eventOf(instance: Instance, name: string, timePs: number, argument: number): readonly unknown[] {
  const result = instance.handler(name)(128, 0, timePs, argument);
  return [result, instance.bytes.slice(0, 512).join()];
}

describe('a metered module compiled by asc', () => {
  let binary: Uint8Array;
  beforeAll(async () => {
    binary = await compileAlgorithm(SOURCE);
  });

  it('has the same results as the original in 3,000 random events', () => {
    const random = new Seeded(1);
    const [plain, metered] = [instanceOf(binary), instanceOf(meterModule(binary, BUDGET))] as const;
    expect(checkModule(binary).handlers).toEqual(['roce_sent', 'roce_ack', 'roce_loss']);
    for (let count = 0; count < 3000; count++) {
      for (let index = 0; index < 16; index++) {
        const value = (random.next() - 0.5) * 10 ** random.whole(-3, 7);
        for (const { memory } of [plain, metered]) new DataView(memory.buffer).setFloat64(128 + 8 * index, value, true);
      }
      const [name, timePs, argument] = [
        random.pick(['roce_sent', 'roce_ack', 'roce_loss']),
        random.next() * 1e12,
        random.u32() | 0,
      ];
      expect([count, name, argument, eventOf(metered, name, timePs, argument)])
        .toEqual([count, name, argument, eventOf(plain, name, timePs, argument)]);
    }
  });

  it('starts each call of a handler or of the version function with the full budget', () => {
    const metered = instanceOf(meterModule(binary, 50));
    const used = ['roce_ack', 'roce_sent', 'roce_ack'].map((name) => {
      metered.handler(name)(128, 0, 1, 0o222);
      return 50 - metered.fuel();
    });
    expect(used[0]).toBeGreaterThan(1);
    expect(used[2]).toBe(used[0]);
    metered.handler('roce_abi_version')(0, 0, 0, 0);
    expect(metered.fuel()).toBe(49);
  });
});

describe('random programs', () => {
  it(`consume as much of the budget as they count themselves (${PROGRAMS} programs)`, () => {
    const random = new Seeded(41);
    for (let count = 0; count < PROGRAMS; count++) {
      const binary = randomProgram(random);
      expect([count, checkModule(binary).handlers]).toEqual([count, ['roce_ack']]);
      const [plain, metered] = [instanceOf(binary), instanceOf(meterModule(binary, BUDGET))] as const;
      const argument = random.u32() | 0;
      expect([count, eventOf(metered, 'roce_ack', 0, argument)]).toEqual([
        count,
        eventOf(plain, 'roce_ack', 0, argument),
      ]);
      const stepsLeft = (plain.exports['steps'] as WebAssembly.Global<'i32'>).value;
      // The program does not count the entry of its handler.
      const used = STEPS - stepsLeft + 1;
      expect([count, BUDGET - metered.fuel()]).toEqual([count, used]);
      const exact = instanceOf(meterModule(binary, used));
      expect([count, endOf(() => exact.handler('roce_ack')(128, 0, 0, argument)), exact.fuel()]).toEqual([
        count,
        'returned',
        0,
      ]);
      const short = instanceOf(meterModule(binary, used - 1));
      expect([count, endOf(() => short.handler('roce_ack')(128, 0, 0, argument)), short.fuel()])
        .toEqual([count, 'trap', FUEL_EXHAUSTED]);
    }
  });
});
