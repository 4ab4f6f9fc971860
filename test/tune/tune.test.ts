/** The search for parameters, its report, and the protocol for an external optimizer. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askTell, compareScores, valuesAt, type Trial, search, type Found } from '../../src/cli/tune/search.js';
import { rememberingExecutor } from '../../src/cli/tune/run-tune.js';
import { resultOf, irdmaSettings, mlxconfigSettings } from '../../src/cli/tune/tune-result.js';
import { parseTune, type TuneSpec } from '../../src/cli/tune/tune-spec.js';
import { importIrdma, importMlxconfig } from '../../src/config/importers/index.js';
import { gbps, us } from '../../src/units.js';
import type { RunOutcome, SweepExecutor } from '../../src/sweep/index.js';
import { collector, run } from '../cli/support/run.js';
import { INCAST } from '../sweep/support/incast.js';
import { asSettings } from '../../src/sim/scenario/setting-words.js';
import { TUNE_RESULT_SCHEMA } from '../../src/cli/tune/result-schema.js';

const SPEC: TuneSpec = {
  name: 'test',
  base: INCAST,
  parameters: [{ path: 'switches.ecn.kminKB', name: 'Kmin', from: 10, to: 390, scale: 'log' }, {
    path: 'hosts.cnpDelayUs',
    from: 0,
    to: 10,
  }],
  minimise: 'slowdown.p99',
  cases: { a: { 'workload.senders': 2 }, b: { 'workload.senders': 4 } },
  heldOut: { c: { 'workload.senders': 3 } },
  against: { usual: { 'switches.ecn.kminKB': 390, 'hosts.cnpDelayUs': 9 } },
  seeds: 4,
  runs: 1000,
};

/** Runs with the least slowdown at Kmin = 100 and a CNP delay of 3 in every case; `spoil` overrides metrics by Kmin. */
const fake =
  (spoil: (kminKB: number) => Partial<Record<string, number>> = () => ({})): SweepExecutor => ({ scenario }) => {
    const kmin = asSettings(scenario.switches?.ecn)?.kminKB ?? 0;
    const delay = scenario.hosts?.cnpDelayUs ?? 0;
    const noise = ((scenario.seed ?? 1) % 3) / 1000;
    const slowdown = 1 + Math.log10(kmin / 100) ** 2 + (delay - 3) ** 2 / 10 + noise;
    const metrics = { 'slowdown.p99': slowdown, flowsUnfinished: 0, drops: 0, ...spoil(kmin) };
    const outcome = {
      ended: 'all-flows-done',
      result: '',
      metrics,
      buckets: [],
      slowdownPercentiles: [],
      completionPsPercentiles: [],
    };
    return Promise.resolve(outcome as unknown as RunOutcome);
  };

const trialOf = (execute: SweepExecutor, spec: TuneSpec = SPEC, atOnce = 1): Trial => ({
  spec,
  base: INCAST,
  execute,
  atOnce,
  signal: new AbortController().signal,
});

async function bestOf(trial: Trial): Promise<{ best: Found; runs: number }> {
  let last: { best: Found; runs: number } | undefined;
  for await (const { best, runs } of search(trial)) last = { best, runs };
  return last!;
}

describe('the search', () => {
  it('finds the minimum within the limit of runs, and runs each scenario of a candidate at most once', async () => {
    let count = 0;
    const counted: SweepExecutor = (job, planned) => {
      count++;
      return fake()(job, planned);
    };
    const { best, runs } = await bestOf(trialOf(rememberingExecutor(counted)));
    expect(best.values['switches.ecn.kminKB']).toBeGreaterThan(70);
    expect(best.values['switches.ecn.kminKB']).toBeLessThan(140);
    expect(best.values['hosts.cnpDelayUs']).toBeCloseTo(3, 0);
    expect(runs).toBeLessThanOrEqual(1000);
    expect(count).toBeLessThanOrEqual(runs);
    expect(best.score.runs).toBe(8);
  });

  it('returns the same parameters for any executor and number of concurrent runs', async () => {
    const slowly: SweepExecutor = async (job, planned) => {
      await new Promise((resolve) => setTimeout(resolve, planned.index % 3));
      return fake()(job, planned);
    };
    const spec = { ...SPEC, runs: 200 };
    expect(await bestOf(trialOf(slowly, spec, 7))).toEqual(await bestOf(trialOf(fake(), spec)));
    expect((await bestOf(trialOf(fake(), { ...spec, seed: 2 }))).best).not.toEqual(
      (await bestOf(trialOf(fake(), spec))).best,
    );
  });

  it('gives limits priority over the objective', async () => {
    const drops = fake((kmin) => ({ drops: kmin < 300 ? 5 : 0 }));
    const { best } = await bestOf(trialOf(drops, { ...SPEC, limits: { drops: 0 } }));
    expect(best.score.violation).toBe(0);
    expect(best.values['switches.ecn.kminKB']).toBeGreaterThanOrEqual(300);
    expect(compareScores({ violation: 0, objective: 9, runs: 1 }, { violation: 1, objective: 1, runs: 1 })).toBe(-1);
  });

  it('avoids candidates whose runs fail', async () => {
    const fails: SweepExecutor = (job, planned) =>
      (asSettings(job.scenario.switches?.ecn)?.kminKB ?? 0) > 60 ?
        Promise.resolve({ ended: 'failed', reason: 'no' }) :
        fake()(job, planned);
    expect((await bestOf(trialOf(fails))).best.values['switches.ecn.kminKB']).toBeLessThanOrEqual(60);
  });

  it('rounds values to six digits within their ranges, or to integers if requested', () => {
    expect(valuesAt([0, 1], SPEC)).toEqual({ 'switches.ecn.kminKB': 10, 'hosts.cnpDelayUs': 10 });
    expect(valuesAt([0.123456789, 0.1], SPEC)).toEqual({ 'switches.ecn.kminKB': 15.7191, 'hosts.cnpDelayUs': 1 });
  });
});

describe('the result', () => {
  it('has a comparison on held-out runs, and the sensitivity to each parameter', async () => {
    const trial = trialOf(fake());
    const { best, runs } = await bestOf(trial);
    const result = await resultOf(best, runs, trial);
    const read = JSON.parse(JSON.stringify(result)) as unknown;
    expect(TUNE_RESULT_SCHEMA.parse(read)).toEqual(read);
    expect(result.compared.map(({ name }) => name)).toEqual(['found', 'usual']);
    expect(result.beatsAllHeldOut).toBe(true);
    expect(result.sensitivity.map(({ parameter }) => parameter)).toEqual(['Kmin', 'hosts.cnpDelayUs']);
    expect(result.sensitivity[1]!.lower).toBeGreaterThan(1.02);
    const worse = await resultOf({ ...best, values: SPEC.against!['usual']! }, runs, trial);
    expect(worse.beatsAllHeldOut).toBe(false);
  });

  it('has vendor settings that an importer reads back to the same parameters', () => {
    const text =
      'RPG_AI_RATE_P1 20\nRPG_TIME_RESET_P1 250\nDCE_TCP_G_P1 1000\nRPG_BYTE_RESET_P1 4000\nRPG_THRESHOLD_P1 3';
    const { parameters } = importMlxconfig(text, { lineRateBps: gbps(100) });
    const { lines } = mlxconfigSettings(parameters);
    const again = importMlxconfig(lines.map((line) => line.replace('=', ' ')).join('\n'), { lineRateBps: gbps(100) });
    expect(again.parameters).toEqual(parameters);
    const path = { mssBytes: 4096, rttPs: us(10) };
    const irdma = importIrdma('options irdma dcqcn_T=80 dcqcn_rai_factor=3 dcqcn_F=4 dcqcn_min_rate_MBps=5', {
      lineRateBps: gbps(100),
      ...path,
    });
    const [line] = irdmaSettings(irdma.parameters, path).lines;
    expect(importIrdma(line!, { lineRateBps: gbps(100), ...path }).parameters).toEqual(irdma.parameters);
  });

  it('notes values that a vendor setting cannot represent', () => {
    const { parameters } = importMlxconfig('RPG_AI_RATE_P1 20', { lineRateBps: gbps(100) });
    const { notes } = mlxconfigSettings({ ...parameters, aiRateBps: 20_400_000 });
    expect(notes).toContainEqual({
      code: 'value-rounded',
      figures: { setting: 'RPG_AI_RATE', written: 20, wanted: 20.4 },
      text: 'RPG_AI_RATE: 20 instead of 20.4.',
    });
  });
});

describe('an external optimizer', () => {
  it('receives a line for each candidate, and an error for each invalid line', async () => {
    const { stream, text } = collector();
    const lines = [
      '{"id":7,"values":{"switches.ecn.kminKB":100,"hosts.cnpDelayUs":3}}',
      '{',
      '{"id":8,"values":{"x":1}}',
    ];
    await askTell(trialOf(fake()), Readable.from(lines.map((line) => `${line}\n`)), { stdout: stream, stderr: stream });
    const [first, ...answers] = text().trimEnd().split('\n').map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(first).toEqual({ parameters: SPEC.parameters, minimise: 'slowdown.p99', seeds: 4 });
    expect(answers[0]).toEqual({ id: 7, objective: expect.closeTo(1.001, 2) as number, violation: 0, runs: 8 });
    expect(answers[1]!['error']).toContain('is not JSON');
    expect(answers[2]!['error']).toContain('a number for each of switches.ecn.kminKB, hosts.cnpDelayUs');
  });
});

describe('roce-cc tune', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'roce-cc-tune-'));
  });
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  it('prints the result and writes it to a file', async () => {
    const file = path.join(folder, 'tune.json');
    const json = path.join(folder, 'found.json');
    writeFileSync(file, JSON.stringify({ ...SPEC, seeds: 1, runs: 12 }));
    const { exitCode, stdout } = await run(['tune', file, '--no-cache', '--json', json]);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('Compared with other sets');
    const found = JSON.parse(readFileSync(json, 'utf8')) as { best: object; runs: number };
    expect(Object.keys(found.best)).toEqual(['switches.ecn.kminKB', 'hosts.cnpDelayUs']);
  });

  it.each([
    [{ ...SPEC, parameters: [] }, 'tune.parameters'],
    [{ ...SPEC, parameters: [{ path: 'a', from: 0, to: 1, scale: 'log' }] }, 'tune.parameters[0].from'],
    [{ ...SPEC, minimise: 'speed' }, 'tune.minimise'],
    [{ ...SPEC, cases: {} }, 'tune'],
    [{ ...SPEC, limits: { drops: -1 } }, 'tune.limits.drops'],
  ])('rejects an invalid specification by name, case %#', (spec, place) => {
    expect(() => parseTune(spec)).toThrow(place);
  });
});
