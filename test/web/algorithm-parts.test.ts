import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { parseJson } from '../../web/page/experiment/scenario-edit.js';
import { presetOf, customScenario, withParameter, withPreset } from '../../web/page/algorithm/custom-scenario.js';
import { prepareCode } from '../../web/page/algorithm/prepare-code.js';
import { LIMITS_MS, ProgressWatch } from '../../web/page/algorithm/progress-watch.js';
import { linkOf, readLink } from '../../web/page/share/link.js';
import type { DeclaredAlgorithm } from '../../web/protocol/algorithm-protocol.js';
import { lineIn, rejectionOf } from '../../web/worker/rejection.js';

const IMPORT = "import { defineAlgorithm } from 'roce-cc/algorithm';\n";

describe('The code of an algorithm', () => {
  it('stays unchanged in JavaScript, split at the specifier', async () => {
    const code = `${IMPORT}export default defineAlgorithm({ name: 'x', ack() {} });\n`;
    const { parts } = await prepareCode(code);
    expect(parts).toHaveLength(2);
    expect(parts.join("'roce-cc/algorithm'")).toBe(code);
  });

  it('loses its types in TypeScript, and keeps its lines', async () => {
    const { parts, places } = await prepareCode([
      "import { defineAlgorithm, type AckEvent } from 'roce-cc/algorithm';",
      'interface Kept {',
      '  readonly seen: number;',
      '}',
      'const start = { seen: 0 } satisfies Kept;',
      'export default defineAlgorithm({',
      "  name: 'typed',",
      '  state: { ...start },',
      '  ack(qp, ack: AckEvent): void { qp.rateBps = (ack.rttPs as number)!; },',
      '});',
    ].join('\n'));
    const lines = parts.join("''").split('\n');
    expect(lines).toHaveLength(10);
    expect(lines[8]).toMatch(/^ {2}ack\(qp, ack\) *\{ qp\.rateBps = \(ack\.rttPs *\) *; \},$/);
    expect(places.handlerLine('ack')).toBe(9);
  });

  it.each([
    ['const a = ;', 1, 'Unexpected token'],
    [`${IMPORT}const a = 1;\nconst a = 2;`, 3, "Identifier 'a' has already been declared"],
    ['const a: number = 1;\n\nconst a = 2;', 3, "Identifier 'a' has already been declared"],
    ['interface A {}\nfunction f(a: number {\n}', 2, 'Unexpected token, expected ","'],
    [`${IMPORT}import fs from 'node:fs';`, 2, "Only 'roce-cc/algorithm' can be imported in the lab, not 'node:fs'."],
    ["export * from 'https://example.com/x.js';", 1, "not 'https://example.com/x.js'"],
  ])('is rejected with its line if it is wrong: %j', async (code, line, message) => {
    await expect(prepareCode(code)).rejects.toMatchObject({
      line,
      message: expect.stringContaining(message) as string,
    });
  });

  it('has the lines of the handlers and keys that an error names', async () => {
    const { places } = await prepareCode(
      `${IMPORT}function cnp() {}\nexport default defineAlgorithm({\n  name: 'x',\n  parameters: {\n    gain: {\n      max: 1 },\n  },\n` +
        '  cnp,\n  ack: () => true,\n});',
    );
    expect(['cnp', 'ack', 'loss'].map((name) => places.handlerLine(name))).toEqual([2, 10, undefined]);
    expect(
      ['algorithm.name', 'algorithm.parameters.gain.max', 'algorithms.a.parameters.gain', 'algorithm.state'].map((
        path,
      ) => places.pathLine(path)),
    ).toEqual([4, 7, 6, undefined]);
  });
});

describe('The line of a stack trace', () => {
  const url = 'blob:null/1b2c';
  const chromium = `Error: x\n    at Object.ack (${url}:12:9)\n    at call (blob:null/77:1:2)`;

  it('is the innermost one of the code, in the notations of Chromium and Firefox', () => {
    expect(lineIn(chromium, url)).toBe(12);
    expect(lineIn(`ack@${url}:7:3\ncall@blob:null/77:1:2`, url)).toBe(7);
    expect(lineIn('call@blob:null/77:1:2', url)).toBeUndefined();
  });

  it('is that of the cause, or else that of the handler', () => {
    const cause = Object.assign(new Error('x'), { stack: chromium });
    expect(rejectionOf(new Error('fault', { cause }), url).code).toEqual({ line: 12 });
    expect(rejectionOf(Object.assign(new Error('fault'), { call: { handler: 'ack' } }), url).code).toEqual({
      handler: 'ack',
    });
    expect(rejectionOf(new Error('fault', { cause })).code).toBeUndefined();
  });
});

describe('The scenario of B', () => {
  const declared: DeclaredAlgorithm = {
    name: 'mine',
    title: 'Mine',
    parameters: ['gain', 'order'].map((name) => ({
      name,
      title: '',
      unit: '',
      description: '',
      choices: name === 'order' ? ['first', 'last'] : [],
      isFlag: false,
      min: 0,
      max: 1,
      isWhole: false,
    })),
  };
  const a = JSON.stringify({
    seed: 3,
    algorithms: { fast: { preset: 'dctcp-ns3', parameters: { gain: 9 } }, slow: { preset: 'timely-ns3' } },
    workload: { kind: 'incast', algorithm: 'slow' },
  });
  const algorithms = (text: string | undefined): unknown =>
    (parseJson(text ?? '') as { algorithms: unknown }).algorithms;

  it('is that of A with the code for each of its algorithms', () => {
    const text = customScenario(a, '{}', declared);
    expect(parseJson(text!)).toEqual({
      seed: 3,
      algorithms: { fast: { preset: 'mine' }, slow: { preset: 'mine' } },
      workload: { kind: 'incast', algorithm: 'slow' },
    });
    expect(algorithms(customScenario('{}', '{}', declared))).toEqual({ mine: { preset: 'mine' } });
    expect(customScenario('{', '{}', declared)).toBeUndefined();
  });

  it('keeps parameters that the code still declares and allows', () => {
    const before = (parameters: object): string =>
      JSON.stringify({ algorithms: { fast: { preset: 'mine', parameters } } });
    expect(algorithms(customScenario('{}', before({ gain: 0.5, order: 'last', gone: 1 }), declared)))
      .toEqual({ mine: { preset: 'mine', parameters: { gain: 0.5, order: 'last' } } });
    expect(algorithms(customScenario('{}', before({ gain: 2, order: 'middle' }), declared)))
      .toEqual({ mine: { preset: 'mine' } });
  });

  it('may set a parameter for each of its algorithms', () => {
    const text = withParameter(customScenario(a, '{}', declared)!, 'mine', 'gain', 0.25);
    const custom = { preset: 'mine', parameters: { gain: 0.25 } };
    expect(algorithms(text)).toEqual({ fast: custom, slow: custom });
    expect(algorithms(withParameter(text, 'mine', 'gain', undefined))).toEqual({
      fast: { preset: 'mine' },
      slow: { preset: 'mine' },
    });
  });

  it('is compared with the preset of A, or with A under a different preset', () => {
    expect(presetOf(a, 'none')).toBe('dctcp-ns3');
    expect(presetOf('{}', 'none')).toBe('none');
    expect(algorithms(withPreset(a, 'swift-sigcomm20'))).toEqual({
      fast: { preset: 'swift-sigcomm20' },
      slow: { preset: 'swift-sigcomm20' },
    });
  });
});

describe('The watchdog of a worker', () => {
  let stuck: string[];
  let watch: ProgressWatch;
  const run = { type: 'run', id: 7, text: '' } as const;
  const beat = { type: 'beat', id: 0, stage: 'run' } as const;

  beforeEach(() => {
    vi.useFakeTimers();
    stuck = [];
    watch = new ProgressWatch((stage) => stuck.push(stage));
  });

  afterEach(() => {
    vi.useRealTimers();
  });

  it('ends a worker that shows no progress for 2 s during a run', () => {
    watch.asked(run);
    watch.heard(beat);
    vi.advanceTimersByTime(LIMITS_MS.run - 300);
    watch.heard(beat);
    vi.advanceTimersByTime(LIMITS_MS.run - 300);
    expect(stuck).toEqual([]);
    vi.advanceTimersByTime(600);
    expect(stuck).toEqual(['run']);
    vi.advanceTimersByTime(60_000);
    expect(stuck).toHaveLength(1);
  });

  it('does not end a paused run or an idle worker', () => {
    watch.asked(run);
    watch.heard(beat);
    watch.asked({ type: 'pause' });
    vi.advanceTimersByTime(60_000);
    watch.asked({ type: 'resume' });
    watch.heard({ type: 'rejected', id: 7, rejection: { message: '', where: '' } });
    vi.advanceTimersByTime(60_000);
    expect(stuck).toEqual([]);
  });

  it('does not count progress as the end of a stopped run', () => {
    watch.asked(run);
    watch.heard(beat);
    watch.asked({ type: 'stop' });
    for (let ms = 0; ms < LIMITS_MS.run; ms += 100) {
      vi.advanceTimersByTime(100);
      watch.heard(beat);
    }
    expect(stuck).toEqual(['run']);
  });
});

describe('A link with code', () => {
  it('round-trips the code', async () => {
    const state = {
      a: '{}',
      b: '{"algorithms":{}}',
      code: `${IMPORT}// µ\n`,
      view: { port: '', flow: -1, timePs: -1 },
      hash: '',
    };
    expect(await readLink(await linkOf(state))).toEqual(state);
  });
});
