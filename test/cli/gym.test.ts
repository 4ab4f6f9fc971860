/** `roce-cc gym`: the protocol, and the same numbers as in the library. */
import { Writable } from 'node:stream';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { boundedLines, LINE_MAX, runGym, type GymFlags } from '../../src/cli/gym/run-gym.js';
import { openGym } from '../../src/gym/index.js';
import { GYM_INCAST } from '../gym/support/incast.js';
import { collector, run } from './support/run.js';

type Json = Record<string, unknown>;

const FLAGS: GymFlags = { agents: 'qps', intervalUs: 10, reward: 'throughput', set: [] };
const RESET = '{"reset":{"seed":1}}\n';
const STEP = '{"step":{}}\n';

let folder = '';
let file = '';
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'roce-cc-gym-'));
  file = path.join(folder, 'incast.json');
  writeFileSync(file, JSON.stringify(GYM_INCAST));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

async function* pieces(...chunks: readonly (string | Uint8Array)[]): AsyncGenerator<string | Uint8Array> {
  await Promise.resolve();
  yield* chunks;
}

/** The output lines for an input, without the first one. */
async function serve(input: AsyncIterable<string | Uint8Array>, flags: Partial<GymFlags> = {}): Promise<Json[]> {
  const [stdout, stderr] = [collector(), collector()];
  const streams = { input, output: { stdout: stdout.stream, stderr: stderr.stream }, version: '1.2.3' };
  expect(await runGym(file, { ...FLAGS, ...flags }, streams)).toBe(0);
  expect(stderr.text()).toBe('');
  return stdout.text().trimEnd().split('\n').map((line) => JSON.parse(line) as Json);
}

describe('roce-cc gym', () => {
  it('describes itself on the first line', async () => {
    const gym = openGym(GYM_INCAST, { agents: 'hosts' });
    const [first, ...rest] = await serve(pieces(), { agents: 'hosts' });
    expect(rest).toEqual([]);
    expect(first).toEqual({
      protocol: 1,
      version: '1.2.3',
      scenario: GYM_INCAST.name,
      reward: 'throughput',
      kind: 'hosts',
      intervalUs: 10,
      agents: gym.agents,
      observationSpace: gym.observationSpace,
      actionSpace: gym.actionSpace,
    });
  });

  it('matches the library bit for bit', async () => {
    const gym = openGym(GYM_INCAST, { reward: 'power', intervalUs: 5, episode: { steps: 20 } });
    const parameters = { dcqcn: { alphaGain: 0.1 } };
    const actionsOf = (step: number) => ({
      [`qp${step % 4}`]: { rateShare: 0.2 + step / 100 },
      qp3: { windowBytes: 9000 },
    });
    const expected: unknown[] = [gym.reset(7, { parameters })];
    const lines = [JSON.stringify({ reset: { seed: 7, parameters } })];
    for (let step = 0; step < 20; step++) {
      expected.push(gym.step(actionsOf(step)));
      lines.push(JSON.stringify({ step: { actions: actionsOf(step) } }));
    }
    const [, ...replies] = await serve(pieces(lines.join('\n')), { reward: 'power', intervalUs: 5, steps: 20 });
    expect(replies).toEqual(expected);
    expect(replies.at(-1)).toMatchObject({ info: { result: { hash: gym.result().hash } } });
  });

  it('ends at close, and ignores later lines', async () => {
    const [, closed, ...rest] = await serve(pieces('{"close":{}}\n', RESET));
    expect([closed, rest]).toEqual([{ closed: true }, []]);
  });

  it.each([
    ['a line that is no JSON', 'garbage', 'The line is not JSON'],
    ['half of an object', '{"reset":', 'The line is not JSON'],
    ['a list', '[]', 'an object with fields'],
    ['null', 'null', 'an object with fields'],
    ['another request', '{"render":{}}', '"reset", "step" or "close"'],
    ['two requests', '{"reset":{},"step":{}}', '"reset", "step" or "close"'],
    ['none', '{}', '"reset", "step" or "close"'],
    ['a request without a body', '{"reset":null}', 'an object with fields'],
    ['another member', '{"reset":{"sed":1}}', '"seed" or "parameters"'],
    ['another member of a close', '{"close":{"now":1}}', 'now'],
    ['a seed that is none', '{"reset":{"seed":-1}}', 'seed must be between 0 and'],
    ['parameters that are none', '{"reset":{"parameters":[]}}', 'parameters must be an object'],
    ['an algorithm that is none', '{"reset":{"parameters":{"x":{}}}}', '"dcqcn"'],
    ['a parameter that is none', '{"reset":{"parameters":{"dcqcn":{"x":1}}}}', 'x'],
    ['keys of objects themselves', '{"reset":{"parameters":{"__proto__":{}}}}', '__proto__'],
    ['a deep object', `{"step":${'{"a":'.repeat(100)}1${'}'.repeat(101)}`, 'depth'],
    ['a step before a reset', '{"step":{}}', 'Reset it first'],
  ])('replies to %s with an error, and continues', async (_, line, message) => {
    const [, error, reset] = await serve(pieces(`${line}\n${RESET}`));
    expect(error).toMatchObject({ error: { message: expect.stringContaining(message) as string } });
    expect((error!.error as Json).code).toMatch(/^invalid-/);
    expect(reset).toHaveProperty('observations');
  });

  it.each([
    ['no object', '"qp0"', 'actions must be an object'],
    ['another agent', '{"qp9":{}}', 'qp0'],
    ['a number as an action', '{"qp0":1}', 'actions.qp0 must be an object'],
    ['another member', '{"qp0":{"speed":1}}', 'rateShare'],
    ['a share above 1', '{"qp0":{"rateShare":1.01}}', 'rate'],
    ['a rate above the line rate', '{"qp0":{"rateBps":100000000001}}', 'between 100,000 and 100,000,000,000'],
    ['a text', '{"qp0":{"rateBps":"1"}}', 'rate'],
    ['half a byte', '{"qp0":{"windowBytes":1.5}}', 'window'],
    ['two rates', '{"qp0":{"rateBps":1000000,"rateShare":0.5}}', 'together'],
  ])('applies none of several actions if one of them is %s', async (_, actions, message) => {
    const first = '{"qp1":{"rateShare":0.01}}';
    const both = actions.startsWith('{') ? `${first.slice(0, -1)},${actions.slice(1)}` : actions;
    const [, , error, step] = await serve(pieces(`${RESET}{"step":{"actions":${both}}}\n${STEP}`));
    expect(error).toMatchObject({
      error: {
        code: expect.stringMatching(/^invalid-/) as string,
        message: expect.stringContaining(message) as string,
      },
    });
    const [, , plain] = await serve(pieces(RESET, STEP));
    expect(step).toEqual(plain);
  });

  it('rejects a step after the end until a reset', async () => {
    const [, , step, error, , again] = await serve(pieces(RESET, STEP, STEP, RESET, STEP), { steps: 1 });
    expect(step).toMatchObject({ truncated: { qp0: true }, info: { result: { ended: 'cancelled' } } });
    expect(error).toMatchObject({ error: { message: expect.stringContaining('the episode is over') as string } });
    expect(again).toEqual(step);
  });

  it('skips a line that is too long, and reads the next one', async () => {
    const [, error, reset] = await serve(pieces('x'.repeat(LINE_MAX), 'xx', 'xx\n', RESET));
    expect(error).toMatchObject({ error: { code: 'invalid-argument', what: 'the length of the line' } });
    expect(reset).toHaveProperty('observations');
  });

  it('stops when its output is closed', async () => {
    const stdout = new Writable({
      write(_chunk, _encoding, done) {
        done(Object.assign(new Error('EPIPE'), { code: 'EPIPE' }));
      },
    });
    stdout.on('error', () => undefined);
    const output = { stdout, stderr: collector().stream };
    expect(await runGym(file, FLAGS, { input: pieces(RESET), output, version: '1' })).toBe(0);
  });

  it('changes the scenario as the command line specifies', async () => {
    const [first] = await serve(pieces(), { set: [{ text: '', path: ['workload', 'senders'], value: 2 }] });
    expect(first!.agents).toHaveLength(2);
  });

  it.each([
    ['another kind', ['--agents', 'links'], 2, 'Allowed choices are qps, hosts, switches'],
    ['no time', ['--interval-us', '0'], 2, 'microseconds from 0.001'],
    ['another reward', ['--reward', 'joy'], 2, 'Allowed choices are throughput, power'],
    ['no step', ['--steps', '0'], 2, 'from 1 on'],
    ['another fidelity', ['--set', 'fidelity=reference'], 1, 'standard'],
    ['switches that mark nothing', ['--agents', 'switches', '--set', 'switches.ecn=false'], 1, 'no switch that marks'],
  ])('rejects %s', async (_, args, code, message) => {
    const { exitCode, stdout, stderr } = await run(['gym', file, ...args]);
    expect([exitCode, stdout]).toEqual([code, '']);
    expect(stderr).toContain(message);
  });
});

describe('Lines with a maximum length', () => {
  const linesOf = async (chunks: readonly (string | Uint8Array)[], most = 5) => {
    const lines: (string | undefined)[] = [];
    for await (const line of boundedLines(pieces(...chunks), most)) lines.push(line);
    return lines;
  };

  it.each<[string, (string | Uint8Array)[], (string | undefined)[]]>([
    ['whole', ['a\nb\n'], ['a', 'b']],
    ['in pieces', ['a', 'b\nc', '\n'], ['ab', 'c']],
    ['without an end', ['a\nb'], ['a', 'b']],
    ['empty', ['\n\na\n'], ['', '', 'a']],
    ['as long as allowed', ['12345\n'], ['12345']],
    ['too long in one piece', ['123456\na\n'], [undefined, 'a']],
    ['too long in pieces', ['123', '4567', '890\na'], [undefined, 'a']],
    ['too long at the end', ['a\n1234567'], ['a', undefined]],
    ['with a character across pieces', [Uint8Array.of(0xc3), Uint8Array.of(0xa4, 0x0a)], ['ä']],
  ])('%s', async (_, chunks, lines) => {
    expect(await linesOf(chunks)).toEqual(lines);
  });
});
