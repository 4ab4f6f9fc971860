/** DCQCN and HPCC as modules, outside the engine, equal the readable models to the bit in random streams of events. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DcqcnParameters } from '../../src/config/algorithms/dcqcn.js';
import type { HpccParameters } from '../../src/config/algorithms/hpcc.js';
import { DcqcnModel } from '../../src/reference/algorithms/dcqcn/model.js';
import { HpccModel } from '../../src/reference/algorithms/hpcc/model.js';
import { HpccStream, randomHpcc } from '../algorithms/support/hpcc-twins.js';
import { PRESETS, randomParameters } from '../engine/support/random-setup.js';
import { caseCount } from '../support/effort.js';
import { describeNeeding } from '../support/foreign-tools.js';
import { seconds, us } from '../../src/units.js';
import { Seeded } from '../support/seeded.js';
import { compileModule, type Language, MISSING } from './support/build-module.js';
import { declarationOf, parametersInOrder } from './support/declarations.js';
import { ModuleQp } from './support/module-qp.js';

const LANGUAGES: readonly Language[] = ['assemblyscript', 'c'];
const STREAMS = caseCount('ROCE_STREAMS', { few: 20, all: 400 });
const EVENTS = 800;
const DCQCN = declarationOf('dcqcn');
const HPCC = declarationOf('hpcc');

type DcqcnEvent = readonly [kind: 'sent' | 'cnp' | 'touch', gapPs: number, lenBytes: number];

const gapPs = fc.oneof({ weight: 6, arbitrary: fc.nat({ max: 20 }).map((periods) => periods * 1000) }, {
  weight: 4,
  arbitrary: fc.nat({ max: us(100) }),
}, { weight: 2, arbitrary: fc.nat({ max: us(500) }) });
const lenBytes = fc.oneof(fc.nat({ max: 9000 }), fc.constantFrom(0, 64, 1000, 2 ** 20));
const dcqcnEvents: fc.Arbitrary<DcqcnEvent[]> = fc.array(
  fc.tuple(fc.constantFrom('sent', 'sent', 'cnp', 'touch'), gapPs, lenBytes),
  { maxLength: 60, size: 'max' },
);

function dcqcnQp(module: WebAssembly.Module, parameters: DcqcnParameters): ModuleQp {
  return new ModuleQp(module, {
    parameters: parametersInOrder(DCQCN, parameters),
    lineRateBps: parameters.maxRateBps,
    sequence: 'psn24',
    sendGap: 'picoseconds',
    timers: parameters.simultaneous === 'timers-first' ? 'before-event' : 'after-event',
    pacing: 'next-packet',
  });
}

/** Compares to the bit; `expect` is slow, so it is called only for a difference. */
function expectSame(actual: readonly unknown[], expected: readonly unknown[], where: () => string): void {
  if (actual.length === expected.length && actual.every((value, i) => Object.is(value, expected[i]))) return;
  expect(actual, where()).toStrictEqual(expected);
}

function expectSameDcqcn(model: DcqcnModel, qp: ModuleQp, where: () => string): void {
  const { rateBps, targetBps, alpha, limited, nextSendPs, bytesCounted, timeStage, byteStage } = model.state;
  const [target, moduleAlpha, time, stage, bytes] = [0, 1, 2, 3, 4].map((index) => qp.state(index));
  const actual = [qp.rateBps, target, qp.isPaced, qp.nextSendPs, bytes, time, stage, qp.isPaced ? moduleAlpha : alpha];
  expectSame(actual, [rateBps, targetBps, limited, nextSendPs, bytesCounted, timeStage, byteStage, alpha], where);
}

/** An unlimited QP ignores all events except CNPs. */
function playDcqcn(model: DcqcnModel, qp: ModuleQp, events: readonly DcqcnEvent[]): void {
  let timePs = us(1);
  for (const [index, [kind, gap, length]] of events.entries()) {
    timePs += gap;
    const where = () => `event ${index}, ${kind} at ${timePs}`;
    if (kind === 'cnp') {
      model.cnp(timePs);
      qp.onCnp(timePs);
    } else if (kind === 'sent') {
      model.sent(timePs, length);
      if (qp.isPaced) qp.onSent(timePs, length);
    } else {
      model.touch(timePs);
      if (qp.isPaced) qp.onTouch(timePs);
    }
    expectSameDcqcn(model, qp, where);
  }
}

function hpccQp(module: WebAssembly.Module, parameters: HpccParameters): ModuleQp {
  return new ModuleQp(module, {
    parameters: parametersInOrder(HPCC, parameters),
    lineRateBps: parameters.maxRateBps,
    sequence: parameters.sequence,
    sendGap: parameters.sendGap,
    timers: 'before-event',
    pacing: 'running-gap',
  });
}

/** The result of a module for each outcome of the model. */
const HANDLED: Readonly<Record<string, string>> = {
  first: 'used',
  update: 'used',
  fast: 'used',
  'new-path': 'used',
  skipped: 'not-used',
};

function playHpcc(module: WebAssembly.Module, seed: number, outcomes: Set<string>): void {
  const random = new Seeded(seed);
  const parameters = randomHpcc(random);
  const model = new HpccModel(parameters);
  const qp = hpccQp(module, parameters);
  const stream = new HpccStream(random, parameters);
  for (let i = 0; i < EVENTS; i += 1) {
    const where = () => `seed ${seed}, event ${i}`;
    if (random.chance(0.8)) {
      const ack = stream.nextAck();
      const outcome = model.onAck(ack);
      outcomes.add(outcome);
      expectSame([qp.onAck(ack)], [HANDLED[outcome] ?? outcome], where);
    } else {
      const timePs = stream.nextTime();
      const length = stream.nextLength();
      expectSame([qp.onSent(timePs, length)], [model.onSent(timePs, length)], where);
    }
    const { committed, utilization, incStage } = model.state;
    const actual = [qp.rateBps, qp.windowBytes, qp.nextSendPs, qp.state(0), qp.state(1), qp.state(2)];
    const { rateBps, windowBytes, nextSendPs } = model;
    expectSame(actual, [rateBps, windowBytes, nextSendPs, committed, utilization, incStage], where);
  }
}

for (const language of LANGUAGES) {
  describeNeeding(MISSING[language], `modules in ${language}`, () => {
    describe('DCQCN', () => {
      it('equals the model for random parameters', async () => {
        const module = await compileModule(language, 'dcqcn');
        const parameters = fc.oneof(fc.constantFrom(...PRESETS), { arbitrary: randomParameters, weight: 3 });
        fc.assert(fc.property(parameters, dcqcnEvents, (drawn, events) => {
          playDcqcn(new DcqcnModel(drawn), dcqcnQp(module, drawn), events);
        }), { numRuns: STREAMS * 5, seed: 41, endOnFailure: true });
      }, 120_000);

      it('skips expiries that change nothing, so that an idle hour takes few steps', async () => {
        const module = await compileModule(language, 'dcqcn');
        for (const parameters of PRESETS) {
          const [model, qp] = [new DcqcnModel(parameters), dcqcnQp(module, parameters)];
          const idle: DcqcnEvent[] = [['cnp', 0, 0], ['touch', seconds(3600), 0], ['cnp', 1, 0], ['touch', us(9), 0]];
          playDcqcn(model, qp, [...idle, ...idle]);
        }
      });
    });

    it('HPCC equals the model for random parameters', async () => {
      const module = await compileModule(language, 'hpcc');
      const outcomes = new Set<string>();
      for (let seed = 1; seed <= STREAMS; seed += 1) playHpcc(module, seed, outcomes);
      expect([...outcomes]).toEqual(
        expect.arrayContaining(['fast', 'first', 'new-path', 'no-signal', 'skipped', 'update']),
      );
    }, 120_000);
  });
}
