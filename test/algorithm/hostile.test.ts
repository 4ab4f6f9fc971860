/* eslint-disable @typescript-eslint/no-explicit-any, @typescript-eslint/no-unsafe-member-access, @typescript-eslint/no-unsafe-return,
   @typescript-eslint/no-unsafe-call, @typescript-eslint/no-unsafe-assignment -- what hostile handlers do */
/** Hostile algorithms: each ends in an error that names the fault, and the process continues. */
import { describe, expect, it } from 'vitest';
import { defineAlgorithm, type CustomAlgorithm } from '../../src/algorithm/index.js';
import { RoceError } from '../../src/errors.js';
import { runScenarioSync } from '../../src/sim/index.js';
import { compileAlgorithm } from './module/support/compile.js';

const SCENARIO = {
  name: 'two senders',
  topology: { kind: 'star', hosts: 3 },
  workload: { kind: 'incast', senders: 2, sizeBytes: 200_000 },
} as const;

/** The error of a run under an algorithm. */
function errorOf(define: () => CustomAlgorithm): RoceError {
  try {
    const hostile = define();
    runScenarioSync({ ...SCENARIO, algorithms: { a: { preset: hostile.name } } }, { algorithms: [hostile] });
  } catch (error) {
    if (error instanceof RoceError) return error;
    throw error;
  }
  throw new Error('it ran');
}

function expectNamed(error: RoceError, handler: string, text: RegExp): void {
  expect(error.code).toBe('algorithm-fault');
  expect(error.where).toContain(handler);
  expect(error.message).toMatch(/^hostile, /);
  expect(error.message).toMatch(text);
  // The process can still run a scenario.
  expect(runScenarioSync(SCENARIO).summary.flowsDone).toBe(2);
}

const JAVASCRIPT: readonly (readonly [string, object, string, RegExp])[] = [
  ['sets NaN as rate', { ack: (qp: any) => (qp.rateBps = NaN) }, 'ack', /rate must be .*got NaN/],
  ['sets 0 as rate', { ack: (qp: any) => (qp.rateBps = 0) }, 'ack', /rate must be .*got 0/],
  ['sets a negative rate', { ack: (qp: any) => (qp.rateBps = -1) }, 'ack', /rate must be .*got -1/],
  ['exceeds the line rate', { ack: (qp: any) => (qp.rateBps = 1e15) }, 'ack', /rate must be/],
  ['sets an infinite rate', { sent: (qp: any) => (qp.rateBps = Infinity) }, 'sent', /rate must be/],
  ['sets a string as rate', { ack: (qp: any) => (qp.rateBps = 'fast') }, 'ack', /rate must be .*got NaN/],
  ['sets NaN as window', { ack: (qp: any) => (qp.windowBytes = NaN) }, 'ack', /window must be/],
  ['sets a negative window', { ack: (qp: any) => (qp.windowBytes = -5) }, 'ack', /window must be/],
  ['sets a window without an ACK handler', { sent: (qp: any) => (qp.windowBytes = 1000) }, 'sent', /window must be/],
  ['sets a timer in the past', { ack: (qp: any) => (qp.timerPs = 1) }, 'ack', /timer must be/],
  ['sets NaN as timer', { ack: (qp: any) => (qp.timerPs = NaN) }, 'ack', /timer must be/],
  ['sets a fifth timer', { ack: (qp: any) => qp.setTimer(4, 1e9) }, 'ack', /timer 4 of 0 to 3/],
  [
    'restarts an expired timer without end',
    {
      ack: (qp: any, { timePs }: any) => (qp.timerPs = timePs),
      timer: (qp: any, { timePs }: any) => (qp.timerPs = timePs),
    },
    'timer',
    /have expired 1,048,576 times/,
  ],
  ['sets NaN as the next send time', { sent: (qp: any) => (qp.nextSendPs = NaN) }, 'sent', /next packet must be/],
  [
    'throws an error',
    {
      ack: () => {
        throw new Error('boom');
      },
    },
    'ack',
    /has thrown: boom/,
  ],
  [
    'throws a string',
    {
      ack: () => {
        // eslint-disable-next-line @typescript-eslint/only-throw-error -- what a hostile handler may do
        throw 'boom';
      },
    },
    'ack',
    /has thrown: boom/,
  ],
  [
    'throws when a QP is opened',
    {
      open: () => {
        throw new Error('no');
      },
      ack: () => undefined,
    },
    'open',
    /has thrown: no/,
  ],
  [
    'recurses without end',
    {
      ack: function ack(): unknown {
        return ack();
      },
    },
    'ack',
    /has thrown: .*call stack/i,
  ],
  ['writes beyond a list', { state: { list: [0, 0] }, ack: (qp: any) => qp.state.list.set(2, 1) }, 'ack', /index 2/],
  [
    'writes a read-only field',
    {
      ack: (qp: any) => {
        'use strict';
        qp.lineRateBps = 1e15;
      },
    },
    'ack',
    /has thrown: .*lineRateBps/,
  ],
  ['reads a hop that does not exist', { ack: (_: any, ack: any) => ack.hopTimePs(3) }, 'ack', /hop 3 of 0/],
  [
    'adds a field to the state',
    {
      ack: (qp: any) => {
        'use strict';
        qp.state.more = 1;
      },
    },
    'ack',
    /has thrown: /,
  ],
];

describe('a hostile algorithm in JavaScript', () => {
  it.each(JAVASCRIPT)('that %s ends the run', (_, handlers, handler, text) => {
    expectNamed(errorOf(() => defineAlgorithm({ name: 'hostile', ...handlers } as never)), handler, text);
  });

  it('that replaces a handler after its definition has no effect', () => {
    const definition = { name: 'hostile', ack: (qp: any) => void (qp.rateBps = qp.lineRateBps / 2) };
    const algorithm = defineAlgorithm(definition as never);
    const run = (): string =>
      runScenarioSync({ ...SCENARIO, algorithms: { a: { preset: 'hostile' } } }, { algorithms: [algorithm] }).hash;
    const before = run();
    definition.ack = (qp) => void (qp.rateBps = 1000);
    expect(run()).toBe(before);
  });
});

const HEAD = 'export function roce_abi_version(): i32 { return 1; }\n';
const handler = (body: string): string =>
  `${HEAD}export function roce_ack(qp: usize, p: usize, timePs: f64, ack: usize): i32 { ${body} return 0; }`;

const MODULES: readonly (readonly [string, string, RegExp])[] = [
  ['traps', handler('unreachable();'), /has trapped/],
  ['loops without end', handler('while (load<i32>(qp) != 1234567) { store<i32>(qp + 80, 0); }'), /budget/],
  ['sets NaN as rate', handler('store<f64>(qp, NaN);'), /rate must be .*got NaN/],
  ['sets a negative window', handler('store<f64>(qp, -1, 8);'), /window must be/],
  ['writes before its record', handler('store<f64>(qp - 8, 1);'), /outside the QP record/],
  ['writes past its record', handler('store<f64>(qp + 136, 1);'), /outside the QP record/],
  ['reads beyond memory', handler('store<f64>(qp, load<f64>(0xfffffff0));'), /has trapped/],
  ['overwrites the line rate', handler('store<f64>(qp, 1e15, 56);'), /read-only field/],
  [
    'returns an invalid result',
    `${HEAD}export function roce_ack(qp: usize, p: usize, timePs: f64, ack: usize): i32 { return 7; }`,
    /result of the handler/,
  ],
];

describe('a hostile module', () => {
  it.each(MODULES)('that %s ends the run', async (_, source, text) => {
    const module = await compileAlgorithm(source);
    expectNamed(errorOf(() => defineAlgorithm({ name: 'hostile', module })), 'ack', text);
  });

  it.each([
    ['grows memory', handler('memory.grow(1);'), /memory\.grow|grow/],
    [
      'has no version',
      'export function roce_ack(qp: usize, p: usize, timePs: f64, ack: usize): i32 { return 0; }',
      /roce_abi_version/,
    ],
    ['has no handler', HEAD, /handler/],
    ['has a handler of another type', `${HEAD}export function roce_ack(qp: usize): i32 { return 0; }`, /roce_ack/],
  ])('that %s is rejected before it runs', async (_, source, text) => {
    const module = await compileAlgorithm(source);
    const error = errorOf(() => defineAlgorithm({ name: 'hostile', module }));
    expect(error.code).toBe('invalid-algorithm');
    expect(error.message).toMatch(text);
  });

  it('with another version of the interface is rejected', async () => {
    const module = await compileAlgorithm(handler('').replace('return 1;', 'return 2;'));
    expect(errorOf(() => defineAlgorithm({ name: 'hostile', module })).message).toMatch(/version .*got 2/);
  });
});
