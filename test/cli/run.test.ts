import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Writable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RoceError } from '../../src/errors.js';
import type { OutputStream } from '../../src/cli/output.js';
import type { RunFlags } from '../../src/cli/run/run-job.js';
import { runRun } from '../../src/cli/run/run-run.js';
import { collectSetValue } from '../../src/cli/run/scenario-options.js';
import type { SimResult } from '../../src/sim/result.js';
import { fakeScenario } from './support/fake-results.js';
import { fakeSimulator } from './support/fake-simulator.js';
import { run as runCommandLine } from './support/run.js';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'roce-cc-run-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** Writes a scenario; returns its path. */
function scenario(name: string, file = `${name}.json`): string {
  const target = path.join(folder, file);
  writeFileSync(target, JSON.stringify(fakeScenario({ name, senders: 4 })));
  return target;
}

const inFolder = (...parts: string[]) => path.join(folder, ...parts);
const FLAGS: RunFlags = { reference: [], set: [], capturePort: [] };

interface Ran {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

async function run(scenarios: readonly string[], flags: Partial<RunFlags> = {}, simulator = fakeSimulator(),
  columns?: number): Promise<Ran> {
  const [stdout, stderr] = [collector(columns), collector()];
  const exitCode = await runRun(scenarios, { ...FLAGS, ...flags }, { stdout: stdout.stream, stderr: stderr.stream },
    '1.2.3', simulator);
  return { exitCode, stdout: stdout.text(), stderr: stderr.text() };
}

function collector(columns?: number): { stream: OutputStream; text: () => string } {
  const parts: string[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      parts.push(chunk.toString());
      done();
    },
  });
  return {
    stream: Object.assign(stream, columns === undefined ? {} : { isTTY: true, columns }),
    text: () => parts.join(''),
  };
}

describe('roce-cc run', () => {
  it('shows a table and charts of a scenario, and nothing on standard error', async () => {
    const { exitCode, stdout, stderr } = await run([scenario('alone')]);
    expect([exitCode, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^roce-cc run: alone\n/);
    expect(stdout).toMatch(/ flows done +4 of 4\n/);
    for (
      const label of [
        'completion time, mean',
        'completion time, p99',
        'slowdown, p50',
        'slowdown, p99',
        'queue, max',
        'queue, mean',
        'pause frames',
        'marked packets',
        'CNPs',
        'Fast CNPs',
        'converged after',
      ]
    ) {
      expect(stdout).toContain(`  ${label} `);
    }
    expect(stdout).toContain('queue at s0:h4, kB');
    expect(stdout).toContain('allowed rate: max > mean > min; Gb/s, log');
    expect(stdout.match(/time, µs/g)).toHaveLength(2);
    // The verdict of the report comes first.
    expect(stdout.split('\n')[1]).toMatch(/^ {2}\d+ of \d+ flows completed in [\d.]+ (µs|ms) on average/);
    expect(stdout.indexOf('The longest queue, ')).toBeLessThan(stdout.indexOf('flows done'));
  });

  it('prints several runs separately, or in one table with --compare', async () => {
    const files = [scenario('first'), scenario('second')];
    const apart = (await run(files)).stdout;
    expect(apart.match(/flows done +4 of 4\n/g)).toHaveLength(2);
    const together = (await run(files, { compare: true })).stdout;
    expect(together).toContain('roce-cc run: 2 runs compared');
    expect(together).toMatch(/ first +second\n/);
    expect(together).toMatch(/flows done +4 of 4 +4 of 4\n/);
  });

  it('numbers runs of equal names', async () => {
    const { stdout } = await run([scenario('twin'), scenario('twin', 'other.json')], { compare: true });
    expect(stdout).toMatch(/ twin +twin \(2\)\n/);
  });

  it.each([[undefined, 100], [100, 100], [84, 84], [80, 80], [60, 60], [250, 100]])(
    'fits a terminal of %s columns: lines have at most %i characters',
    async (columns, limit) => {
      const names = ['one', 'two', 'three-with-a-long-name', 'four-with-a-long-name', 'five'];
      const { stdout } = await run(names.map((name) => scenario(name)), { compare: true }, fakeSimulator(), columns);
      const lines = stdout.replaceAll(/\u001b\[[\d;]*m/g, '').split('\n');
      expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(limit);
      expect(names.every((name) => stdout.includes(` ${name}`))).toBe(true);
    },
  );

  it('changes values and the seed before the run', async () => {
    const simulator = fakeSimulator();
    const set = ['switches.ecn.kminKB=50', 'workload.senders=3', 'name=changed'].reduce<
      ReturnType<typeof collectSetValue>
    >((all, text) => collectSetValue(text, all), []);
    const { stdout } = await run([scenario('before')], { set, seed: 7 }, simulator);
    expect(simulator.runs).toMatchObject([{
      name: 'changed',
      seed: 7,
      switches: { ecn: { kminKB: 50 } },
      workload: { senders: 3 },
    }]);
    expect(stdout).toContain('seed 7');
    expect(stdout).toMatch(/flows done +3 of 3\n/);
  });

  it('shows nothing with --quiet', async () => {
    expect(await run([scenario('quiet')], { quiet: true })).toEqual({ exitCode: 0, stdout: '', stderr: '' });
  });
});

describe('Files of a run', () => {
  it('are a result and a report, which the text names', async () => {
    const [json, report] = [inFolder('out', 'result.json'), inFolder('out', 'report.html')];
    const { stdout } = await run([scenario('filed')], { json, report });
    expect(stdout).toContain(`  result  ${json}\n  report  ${report}\n`);
    expect(JSON.parse(readFileSync(json, 'utf8'))).toMatchObject({
      format: 'roce-cc-result-2',
      scenario: { name: 'filed' },
    });
    expect(readFileSync(report, 'utf8')).toContain('<h1>filed</h1>');
  });

  it('have the names of the runs if there are several', async () => {
    await run([scenario('a/b'.replace('/', '-')), scenario('second run')], { json: inFolder('many', 'r.json') });
    expect(readdirSync(inFolder('many')).sort()).toEqual(['r-a-b.json', 'r-second-run.json']);
  });

  it('are written to standard output alone with --json -', async () => {
    const { stdout } = await run([scenario('piped')], { json: '-' });
    expect((JSON.parse(stdout) as SimResult).scenario.name).toBe('piped');
  });

  it('are captures of the ports that the command line names', async () => {
    const simulator = fakeSimulator();
    const { stdout } = await run([scenario('captured')], { pcap: inFolder('pcap'), capturePort: ['h0:s0', 'h1:s0'] },
      simulator);
    expect(simulator.runs).toMatchObject([{ record: { capture: ['h0:s0', 'h1:s0'] } }]);
    expect(readdirSync(inFolder('pcap')).sort()).toEqual(['h0-s0.pcap', 'h1-s0.pcap']);
    expect(['h0-s0', 'h1-s0'].map((name) => readFileSync(inFolder('pcap', `${name}.pcap`), 'utf8'))).toEqual([
      '4 packets',
      '8 packets',
    ]);
    expect(stdout.match(/Counted only\./g)).toHaveLength(1);
  });

  it('include the command to reproduce the run in the report', async () => {
    const report = inFolder('again.html');
    const file = scenario("it's");
    await run([file, scenario('plain')], {
      report,
      compare: true,
      seed: 3,
      set: collectSetValue('workload.senders=2', []),
    });
    const command = `roce-cc run '${file.replace("'", "'\\''")}' ${
      inFolder('plain.json')
    } --compare --seed 3 --set workload.senders=2`;
    expect(readFileSync(report, 'utf8')).toContain(command.replaceAll("'", '&#39;'));
  });
});

describe('An interrupt', () => {
  it('cancels the run, prints the partial result, skips the rest, and ends with exit code 130', async () => {
    const simulator = fakeSimulator(({ name }, step) => {
      if (name === 'second' && step === 2) process.emit('SIGINT');
    });
    const { exitCode, stdout } = await run([scenario('first'), scenario('second'), scenario('third')], {
      compare: true,
    }, simulator);
    expect(exitCode).toBe(130);
    expect(stdout).toMatch(/flows done +4 of 4 +0 of 4\n/);
    expect(stdout).toContain('Cancelled: the results show the state at that time; 4 of 4 flows are not done.');
    expect(stdout).toContain('Cancelled before: third.');
    expect(simulator.runs).toHaveLength(2);
  });

  it('has its default action again after a run, even a failed one', async () => {
    const before = process.listenerCount('SIGINT');
    await run([scenario('calm')]);
    await expect(run([scenario('failing')], {}, fakeSimulator(() => {
      throw new Error('no');
    }))).rejects.toThrow('no');
    expect(process.listenerCount('SIGINT')).toBe(before);
  });
});

describe('Invalid input of a run', () => {
  const rejected = async (scenarios: readonly string[], flags: Partial<RunFlags> = {}): Promise<RoceError> => {
    const simulator = fakeSimulator();
    const error: unknown = await run(scenarios, flags, simulator).catch((thrown: unknown) => thrown);
    expect(simulator.runs).toEqual([]);
    expect(error).toBeInstanceOf(RoceError);
    return error as RoceError;
  };

  it('is reported with the file, before any scenario runs', async () => {
    const bad = inFolder('bad.json');
    writeFileSync(bad, JSON.stringify({ ...fakeScenario(), topology: { kind: 'ring' } }));
    expect((await rejected([scenario('good'), bad])).message).toBe(
      `${bad}, topology.kind: unknown topology must be star (got "ring").`,
    );
  });

  it('includes a file that is not JSON', async () => {
    writeFileSync(inFolder('text.json'), 'hello');
    expect(await rejected([inFolder('text.json')])).toMatchObject({
      code: 'invalid-scenario',
      where: inFolder('text.json'),
    });
  });

  it('includes a name that no shipped scenario has, and a path without a file', async () => {
    for (const name of ['nonesuch', inFolder('none.json')]) {
      expect(await rejected([name])).toMatchObject({ code: 'invalid-argument', got: name });
    }
  });

  it('includes a capture, for which another command exists', async () => {
    expect((await rejected(['trace.pcapng.gz'])).hint).toContain('roce-cc replay trace.pcapng.gz');
  });

  it('includes --pcap if no port is captured', async () => {
    expect((await rejected([scenario('uncaptured')], { pcap: inFolder('pcap') })).hint).toContain('--capture-port');
  });

  it('includes a folder instead of a scenario', async () => {
    mkdirSync(inFolder('folder.json'), { recursive: true });
    await expect(run([inFolder('folder.json')])).rejects.toMatchObject({ code: 'EISDIR' });
  });

  it.each([
    ['a change without a value', ['--set', 'seed'], /Allowed: PATH=VALUE/],
    ['a change without a path', ['--set', '=1'], /Allowed: PATH=VALUE/],
    ['a change with an odd path', ['--set', 'a..b=1'], /Allowed: PATH=VALUE/],
    ['a bad seed', ['--seed', '4294967296'], /0 to 4294967295/],
    ['a comparison of one', ['x.json', '--compare'], /'--compare' has no effect/],
    [
      'ports to capture without captures',
      ['x.json', '--capture-port', 's0:h1'],
      /'--capture-port' has no effect without '--pcap'/,
    ],
  ])('on the command line ends with exit code 2: %s', async (_what, args, message) => {
    const { exitCode, stdout, stderr } = await runCommandLine(['run', ...args]);
    expect(stderr).toMatch(message);
    expect([exitCode, stdout]).toEqual([2, '']);
  });
});

describe('The main job', () => {
  it('compares three runs on one screen, writes a report, and suggests next steps', async () => {
    const report = inFolder('main.html');
    const simulator = fakeSimulator();
    const { exitCode, stdout } = await run([], { report }, simulator);
    expect(exitCode).toBe(0);
    expect(simulator.runs).toHaveLength(3);
    expect(stdout).toMatch(/ DCQCN +DCQCN, Fast CNP +HPCC\n/);
    expect(stdout).toContain(`  report  ${report}\n`);
    expect(stdout.split('\n').length).toBeLessThanOrEqual(24);
    expect(stdout).toContain('run FILE.json');
    expect(readFileSync(report, 'utf8')).toContain('<pre class="scroll" tabindex="0">roce-cc run</pre>');
  });
});
