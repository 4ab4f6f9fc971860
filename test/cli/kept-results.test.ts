/** If the path of a result fails, the result is written to a spare file, which standard error names. */
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync,
  writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { RoceError } from '../../src/errors.js';
import { KeptFile } from '../../src/cli/write-file.js';
import { RunCaptures } from '../../src/cli/run/streamed-files.js';
import type { RunFlags } from '../../src/cli/run/run-job.js';
import { runRun } from '../../src/cli/run/run-run.js';
import { readCaptureFile } from '../../src/capture/node-file.js';
import { fakeScenario } from './support/fake-results.js';
import { fakeSimulator } from './support/fake-simulator.js';
import { removeSpareFiles, spareFilesIn, start, startWithOutput } from './support/process.js';
import { collector, run } from './support/run.js';
import { describeNeeding } from '../support/foreign-tools.js';

const folder = mkdtempSync(path.join(tmpdir(), 'roce-cc-kept-'));
const at = (...parts: string[]): string => path.join(folder, ...parts);
afterAll(() => {
  rmSync(folder, { recursive: true });
});
afterEach(() => {
  vi.unstubAllEnvs();
});

const CNP = {
  packets: [{
    layers: [
      { kind: 'ethernet', source: '02:00:00:00:00:01', destination: '02:00:00:00:00:02' },
      { kind: 'ipv4', source: '10.0.0.1', destination: '10.0.0.2', ecn: 1 },
      { kind: 'udp' },
      { kind: 'bth', opcode: 129, destQpn: 280 },
    ],
  }],
};
const SMALL = {
  name: 'x',
  topology: { kind: 'star', hosts: 3 },
  workload: { kind: 'incast', senders: 1, sizeBytes: 1000 },
};

function given(name: string, content: unknown): string {
  writeFileSync(at(name), JSON.stringify(content));
  return at(name);
}

function hiddenIn(where: string): string[] {
  return readdirSync(where).filter((name) => name.startsWith('.roce-cc'));
}

describe('A file being written', () => {
  const started = (name: string): { file: KeptFile; warnings: string[] } => {
    const warnings: string[] = [];
    return { file: new KeptFile(at(name), (warning) => warnings.push(warning)), warnings };
  };

  it('does not exist before it is complete, and leaves nothing when it is abandoned', () => {
    const { file, warnings } = started('whole.txt');
    file.write('one');
    expect(existsSync(at('whole.txt'))).toBe(false);
    expect(file.finish()).toBe(at('whole.txt'));
    expect(readFileSync(at('whole.txt'), 'utf8')).toBe('one');
    const other = started('other.txt');
    other.file.write('two');
    other.file.abandon();
    expect([existsSync(at('other.txt')), hiddenIn(folder), warnings]).toEqual([false, [], []]);
  });

  it.each([['at its end', 0], ['with content to come', 1]])('is continued elsewhere when its folder is removed, %s',
    (_when, more) => {
      mkdirSync(at('gone'));
      const { file, warnings } = started('gone/x.txt');
      file.write('first,');
      rmSync(at('gone'), { recursive: true });
      if (more > 0) file.write('second');
      const place = file.finish() ?? '';
      expect(warnings).toEqual([`no such file: ${at('gone', 'x.txt')}; it is kept in ${place}`]);
      expect(readFileSync(place, 'utf8')).toBe(more > 0 ? 'first,second' : 'first,');
      removeSpareFiles(warnings.join(''));
    });

  it('is continued elsewhere when there is no space, even from the first byte', () => {
    const warnings: string[] = [];
    const full = new KeptFile('/dev/full', (warning) => warnings.push(warning));
    full.write('first,');
    full.write('second');
    const place = full.finish() ?? '';
    expect(readFileSync(place, 'utf8')).toBe('first,second');
    const nowhere = started('no/folder/x.txt');
    nowhere.file.write('third');
    expect(readFileSync(nowhere.file.finish() ?? '', 'utf8')).toBe('third');
    expect(nowhere.warnings).toHaveLength(1);
    removeSpareFiles([...warnings, ...nowhere.warnings].join('\n'));
  });

  it('is reported as lost if the temporary folder is full too', () => {
    vi.stubEnv('TMPDIR', at('no-such-folder'));
    const warnings: string[] = [];
    const file = new KeptFile('/dev/full', (warning) => warnings.push(warning));
    file.write('first');
    expect(file.finish()).toBeUndefined();
    expect(warnings.join('\n')).toMatch(/^no space left on device: \/dev\/full\nno such file: .*; full is lost$/);
  });
});

describe('An error while a run writes its captures', () => {
  async function runFake(flags: Partial<RunFlags>, onStep: (name: string, step: number) => void, names = ['one']) {
    const [stdout, stderr] = [collector(), collector()];
    const scenarios = names.map((name) => given(`${name}.json`, fakeScenario({ name })));
    const simulator = fakeSimulator(({ name }, step) => {
      onStep(name, step);
    });
    const exitCode = await runRun(scenarios, { reference: [], set: [], capturePort: [], ...flags }, {
      stdout: stdout.stream,
      stderr: stderr.stream,
    }, '1.2.3', simulator);
    return { exitCode, stdout: stdout.text(), stderr: stderr.text() };
  }

  it('leaves the result at its path, and the captures in spare files', async () => {
    const { exitCode, stdout, stderr } = await runFake({
      pcap: at('pcap'),
      capturePort: ['h0:s0', 'h1:s0'],
      json: at('result.json'),
    }, (_name, step) => {
      if (step === 3) rmSync(at('pcap'), { recursive: true });
    });
    expect(exitCode).toBe(1);
    const spares = spareFilesIn(stderr);
    expect(spares.map((file) => readFileSync(file, 'utf8')).sort()).toEqual(['4 packets', '8 packets']);
    for (const file of spares) expect(stdout).toContain(file);
    expect(stderr).toMatch(/^roce-cc: no such file: .*pcap\/h[01]-s0\.pcap; it is kept in /);
    expect(stderr).not.toMatch(/^ +at /m);
    expect(JSON.parse(readFileSync(at('result.json'), 'utf8'))).toMatchObject({ ended: 'all-flows-done' });
    removeSpareFiles(stderr);
  });

  it('keeps the results of earlier runs if it occurs in a later one', async () => {
    const { exitCode, stdout, stderr } = await runFake({ json: at('several.json') }, (name) => {
      if (name === 'two')
        throw new RoceError('capacity', { what: 'the number of events', got: 3, allowed: 2, where: 'run' });
    }, ['one', 'two', 'three']);
    expect(exitCode).toBe(1);
    expect(stderr).toBe('roce-cc: two: run: the number of events must be 2 (got 3).\nroce-cc: not run: three\n');
    expect(stdout).toContain('roce-cc run: one');
    expect(existsSync(at('several-one.json'))).toBe(true);
  });

  it('is avoided for ports whose files would have the same name', () => {
    mkdirSync(at('ports'));
    const maker = (content: string) => ({
      notes: [],
      add: () => undefined,
      drain: () => [],
      finish: () => Buffer.from(content),
    });
    const contents = ['first', 'second'];
    const captures = new RunCaptures({ portNames: ['a:b-c', 'a-b:c'], make: () => maker(contents.shift() ?? '') },
      at('ports'), () => undefined);
    captures.add([{ port: 0 }, { port: 1 }] as never);
    expect(captures.finish().map(({ file }) => readFileSync(file, 'utf8'))).toEqual(['first', 'second']);
  });
});

describe('The craft command', () => {
  it('replaces a capture atomically, and keeps the old one when it fails', async () => {
    const target = at('packets.pcap');
    expect((await run(['craft', given('cnp.json', CNP), '-o', target])).exitCode).toBe(0);
    const before = readFileSync(target);
    const bad = given('bad.json', { packets: [...CNP.packets, { layers: [{ kind: 'ethernet' }] }] });
    expect((await run(['craft', bad, '-o', target])).exitCode).toBe(1);
    expect(readFileSync(target).equals(before)).toBe(true);
    expect(hiddenIn(folder)).toEqual([]);
  });

  it('checks the output path before it reads its input, and names it', async () => {
    const { exitCode, stderr } = await run(['craft', at('no-such.json'), '-o', at('none', 'x.pcap')]);
    expect([exitCode, stderr]).toEqual([1, `roce-cc: no such file: ${at('none', 'x.pcap')}\n`]);
  });

  it('keeps the capture in a spare file when there is no space', async () => {
    symlinkSync('/dev/full', at('full.pcap'));
    const { exitCode, stdout, stderr } = await run(['craft', given('cnp.json', CNP), '-o', at('full.pcap')]);
    const [spare = ''] = spareFilesIn(stderr);
    expect([exitCode, stdout]).toEqual([1, `${spare}: 1 packet\n`]);
    expect(stderr).toContain(`no space left on device: ${at('full.pcap')}; it is kept in `);
    const frames: number[] = [];
    for await (const { capturedBytes } of readCaptureFile(spare)) frames.push(capturedBytes);
    expect(frames).toHaveLength(1);
    removeSpareFiles(stderr);
  });
});

describe('Standard output', () => {
  const commands = (): Record<string, string[]> => ({
    run: ['run', given('small.json', SMALL)],
    'run --json -': ['run', given('small.json', SMALL), '--json', '-'],
    replay: ['replay'],
    'replay --json': ['replay', '--json'],
    'replay --trace -': ['replay', '--trace', '-'],
    dissect: ['dissect', 'examples/data/incast.pcap.gz'],
    explain: ['explain', at('result-of-run.json')],
    craft: ['craft', given('cnp.json', CNP), '-o', at('crafted.pcap')],
  });
  const NAMES = ['run', 'run --json -', 'replay', 'replay --json', 'replay --trace -', 'dissect', 'explain', 'craft'];

  it.each(NAMES)('that is full is reported in one line, and %s loses nothing', async (name) => {
    await run(['run', given('small.json', SMALL), '-q', '--json', at('result-of-run.json')]);
    const { status, stderr } = startWithOutput(commands()[name], '> /dev/full');
    expect(stderr).toMatch(/^roce-cc: no space left on device: standard output; .+\n$/);
    expect(stderr.split('\n')).toHaveLength(2);
    expect(status).toBe(1);
    const [kept = stderr.trim().split(' ').at(-1) ?? ''] = spareFilesIn(stderr);
    const content = readFileSync(kept, 'utf8');
    expect(content.length).toBeGreaterThan(90);
    if (kept.endsWith('.json')) expect(() => JSON.parse(content) as unknown).not.toThrow();
    if (name === 'dissect') expect(content.trimEnd().split('\n')).toHaveLength(20_890);
    removeSpareFiles(stderr);
  });

  it('that is full loses no result of several runs', () => {
    const files = ['one', 'two'].map((name) => given(`${name}.json`, { ...SMALL, name }));
    const { status, stderr } = startWithOutput(['run', ...files, '--json', '-'], '> /dev/full');
    const names = spareFilesIn(stderr).map((file) =>
      (JSON.parse(readFileSync(file, 'utf8')) as { scenario: { name: string } }).scenario.name
    );
    expect([status, names]).toEqual([1, ['one', 'two']]);
    removeSpareFiles(stderr);
  });

  it.each(NAMES)('that is closed ends %s quietly', async (name) => {
    await run(['run', given('small.json', SMALL), '-q', '--json', at('result-of-run.json')]);
    const { status, stderr } = startWithOutput(commands()[name], '| true');
    expect([status, stderr]).toEqual([0, '']);
  });

  it('that is closed affects no file and no exit code', () => {
    const target = at('all.json');
    const trace = startWithOutput(['replay', '--trace', '-', '--output', target], '| head -n 1');
    expect([trace.status, trace.stderr, trace.stdout.split('\n').length]).toEqual([0, '', 2]);
    expect(JSON.parse(readFileSync(target, 'utf8'))).toMatchObject({ complete: true, totals: { in: 20_890 } });
    const full = startWithOutput(['replay', '--output', '/dev/full'], '| true');
    expect([full.status, full.stderr.split('\n').length]).toEqual([1, 2]);
    removeSpareFiles(full.stderr);
  });
});

const isRoot = process.getuid?.() === 0;

describeNeeding(isRoot ? undefined : 'only root can start a process of another user',
  'a folder that another user may not write to', () => {
  const UNPRIVILEGED = 65_534;

  it.each([
    ['run', ['--json', 'r.json']],
    ['run', ['--csv', 'csv']],
    ['run', ['--perfetto', 'p.json']],
    ['run', ['--report', 'r.html']],
    ['run', ['--pcap', 'pcap', '--capture-port', 'h0:s0']],
    ['replay', ['--output', 'r.json']],
    ['replay', ['--trace', 't.jsonl']],
    ['craft', ['--output', 'c.pcap']],
  ])('is rejected before %s %j begins', (command, [option, file, ...more]) => {
    chmodSync(folder, 0o755);
    const input = command === 'run' ?
      // If the path were checked later, the run would take minutes.
      [given('long.json', { ...SMALL, workload: { ...SMALL.workload, sizeBytes: 1e12 } })] :
      command === 'craft' ?
      [given('cnp.json', CNP)] :
      [];
    const { status, stdout, stderr } = start([command, ...input, option, at(file), ...more], {
      uid: UNPRIVILEGED,
      gid: UNPRIVILEGED,
    });
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^roce-cc: permission denied: .*roce-cc-kept-[^ ]*\n$/);
    expect(existsSync(at(file))).toBe(false);
  });
});
