import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BUNDLED_CAPTURE, BUNDLED_FLOWS } from '../../src/cli/shipped-files.js';
import { parseDuration, parseRate } from '../../src/cli/option-values.js';
import { PRESETS } from '../../src/cli/replay/engine-options.js';
import type { ReplayReport } from '../../src/replay/index.js';
import { CAPTURES } from '../support/captures.js';
import { run } from './support/run.js';
import type { NoteRecord } from '../../src/note-record.js';

const SETTINGS = fileURLToPath(new URL('../data/settings/', import.meta.url));
const SMALL = fileURLToPath(new URL('../captures/small/mixed_50.pcapng', import.meta.url));
const INCAST = ['replay', BUNDLED_CAPTURE, '--flows', BUNDLED_FLOWS];
const HPCC_PP = ['replay', '--preset', 'hpcc-pp', '--rtt', '10us'];

interface Json extends Omit<ReplayReport, 'error'> {
  readonly file: string;
  readonly flowsFile: string | null;
  readonly complete: boolean;
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly parametersFrom: string;
  readonly notes: readonly NoteRecord[];
  readonly warnings: readonly NoteRecord[];
}

async function json(args: readonly string[]): Promise<Json> {
  return JSON.parse((await run([...args, '--json'])).stdout) as Json;
}

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'roce-cc-cli-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});
function temporary(name: string, content: string | Uint8Array): string {
  const file = path.join(folder, name);
  writeFileSync(file, content);
  return file;
}

describe('The bundled capture', () => {
  it('is replayed by default', async () => {
    const { exitCode, stdout, stderr } = await run(['replay']);
    expect([exitCode, stderr]).toEqual([0, '']);
    expect(stdout).toContain('the bundled incast capture');
    expect(stdout).toContain('20,890 in = 19,549 handled + 1,221 ignored + 120 rejected');
    expect(stdout).toContain('allow 2001:db8:ffff::5 (off by default; this job enables it for its own');
  });

  it('is replayed with the Fast CNP settings of the user', async () => {
    expect((await json(['replay', '--no-fast-cnp'])).fastCnps.rejected).toEqual({ 'fast-cnp-disabled': 187 });
    expect((await json(['replay', '--fast-cnp', '--allow', '2001:db8::/32', '--deny', '2001:db8:ffff::/48'])).fastCnps
      .rejected).toEqual({ 'fast-cnp-rejected': 187 });
  });
});

describe('The text report', () => {
  it.each([[undefined, 100], [100, 100], [80, 80], [250, 100]])(
    'fits a terminal of %s columns: lines have at most %i characters',
    async (columns, limit) => {
      const { stdout } = await run(INCAST, columns);
      // Only the path that the user typed may be longer.
      const lines = stdout.replaceAll(/\u001b\[\d+m/g, '').split('\n').filter((line) =>
        !line.includes(BUNDLED_FLOWS) && !line.includes(BUNDLED_CAPTURE)
      );
      expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(limit);
    },
  );

  it('has escape sequences only on a terminal', async () => {
    expect((await run(INCAST)).stdout).not.toContain('\u001b');
    expect((await run(INCAST, 100)).stdout).toContain('\u001b[1mFrames\u001b[22m');
  });

  it('draws a rate line for each notified QP', async () => {
    const { stdout } = await run(['replay', '--no-progress']);
    const lines = stdout.split('\n').filter((line) => /[▁▂▃▄▅▆▇█]{16,}$/.test(line));
    expect(lines).toHaveLength(16);
    expect(stdout).toContain('12 flows without marks or notifications stayed at 100 Gb/s: 16, 17');
  });

  it('explains how to accept rejected Fast CNPs', async () => {
    expect((await run(INCAST)).stdout).toContain('--fast-cnp --allow 2001:db8:ffff::5');
  });

  it('names the algorithm', async () => {
    expect((await run(INCAST)).stdout).toContain('DCQCN: sigcomm15');
    expect((await run([...INCAST, '--preset', 'hpcc-pp', '--rtt', '10us'])).stdout).toContain('HPCC++: hpcc-pp');
  });

  it('counts marks and CNPs per stream without a flow list, with QPNs in hexadecimal and short addresses', async () => {
    const { stdout } = await run(['replay', BUNDLED_CAPTURE]);
    expect(stdout).toContain('CE-marked data frames: 2,273; CNPs seen: 127');
    expect(stdout).toContain('Addresses: … means 2001:db8:');
    expect(stdout).toMatch(/…5e0b::10 +…4e01::20 +0x001322 +1,188 +248/);
    expect(stdout).toContain('as many as due on each of 12 flows');
  });

  it('shows pauses, and names the option for Fast CNPs of other types', async () => {
    expect((await run(['replay', `${CAPTURES}mixed.pcap`], 80)).stdout).toMatch(
      /- PFC, priority 3, from 02:\S+: \d+ pause/,
    );
    expect((await run(['replay', `${CAPTURES}alt_types.pcap`])).stdout.replaceAll(/\s+/g, ' ')).toContain(
      '--option-types 0x92,0x96',
    );
  });

  it('names what is missing without a flow list', async () => {
    const { exitCode, stdout } = await run(['replay', SMALL]);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('No flow list: frames are classified, no QP is known.');
    expect(stdout).toContain('--flows FLOWS');
    expect(stdout).not.toContain('Reaction points');
  });

  it('states that no frame belongs to a listed flow', async () => {
    expect((await run(['replay', SMALL, '-f', BUNDLED_FLOWS])).stdout).toContain('No frame belongs to a listed flow');
  });
});

describe('The JSON report', () => {
  it('has a schema name and this shape', async () => {
    const report = await json(INCAST);
    expect(Object.keys(report)).toEqual([
      'schema',
      'file',
      'flowsFile',
      'flowsFrom',
      'complete',
      'error',
      'parametersFrom',
      'notes',
      'warnings',
      'capture',
      'config',
      'classes',
      'others',
      'othersElsewhere',
      'notifications',
      'fastCnps',
      'flows',
      'unresolved',
      'unresolvedElsewhere',
      'streams',
      'streamsElsewhere',
      'connections',
      'unpaired',
      'connectionMessages',
      'findings',
      'pauses',
      'totals',
      'timing',
    ]);
    expect(report).toMatchObject({
      schema: 'roce-cc-replay/1',
      file: BUNDLED_CAPTURE,
      flowsFile: BUNDLED_FLOWS,
      flowsFrom: 'list',
      complete: true,
      error: null,
      parametersFrom: 'sigcomm15',
      capture: { frames: 20890, start: { epochSeconds: 1751330000, picoseconds: 1998000 } },
      config: { backend: 'wasm', fastCnp: { enabled: false }, parameters: { maxRateBps: 100e9 } },
      totals: { in: 20890 },
    });
    expect(Object.keys(report.flows[0]!)).toEqual([
      'flow',
      'sender',
      'receiver',
      'reverse',
      'dataFrames',
      'dataBytes',
      'markedFrames',
      'cnpsDue',
      'cnpsSeen',
      'cnpsHandled',
      'fastCnpsSeen',
      'fastCnpsAccepted',
      'lowestRateBps',
      'rateBps',
    ]);
    expect(Object.keys(report.flows[1]!).at(-1)).toBe('rateLine');
    for (const value of Object.values(report.timing)) expect(value).toBeGreaterThan(0);
  });

  it('is written to a file in addition to the text', async () => {
    const file = path.join(folder, 'report.json');
    const { stdout } = await run([...INCAST, '--output', file]);
    expect(stdout).toContain('Congestion notifications');
    expect((JSON.parse(readFileSync(file, 'utf8')) as Json).totals.in).toBe(20890);
  });

  it('is marked incomplete by --limit', async () => {
    expect(await json([...INCAST, '--limit', '100'])).toMatchObject({
      complete: false,
      error: null,
      capture: { frames: 100, limited: true },
    });
  });
});

describe('Parameters', () => {
  it.each(PRESETS)('replays with preset %s', async (preset) => {
    const path = { irdma: ['--mss', '1024', '--rtt', '10us'], 'hpcc-pp': ['--rtt', '10us'] }[preset] ?? [];
    // To HPCC++ a CNP means only that a link is full.
    const reachedBps = preset === 'hpcc-pp' ? 24e9 : 20e9;
    const { flows, config } = await json([...INCAST, '--preset', preset, '--line-rate', '25G', ...path]);
    expect(config.parameters.maxRateBps).toBe(25e9);
    expect(flows[1]!.lowestRateBps).toBeLessThan(reachedBps);
  });

  it.each(['mlxconfig-query.txt', 'roce-sysfs.txt', 'cc-params.txt', 'irdma-sysfs.txt'])('identifies the format of %s',
    async (name) => {
      const file = path.join(SETTINGS, name);
      const report = await json([...INCAST, '--settings', file, '--mss', '4096', '--rtt', '10us']);
      expect(report.parametersFrom).toBe(file);
      expect(report.notes.length).toBeGreaterThan(3);
      expect((await run([...INCAST, '--settings', file, '--mss', '4096', '--rtt', '10us'])).stdout).toContain(
        'listed with --json',
      );
    });

  it('are overridden by options', async () => {
    const settings = ['--settings', path.join(SETTINGS, 'cc-params.txt')];
    const { config } = await json([...INCAST, ...settings, '--np-scope', 'destination', '--cnp-interval', '7us']);
    expect(config.notificationPoint).toMatchObject({ scope: 'destination', minTimeBetweenCnpsPs: 7e6 });
  });

  it('passes every other option on to the engine', async () => {
    const args = [
      '--np-window',
      'trailing',
      '--parser',
      'strict-a17',
      '--icrc',
      'check',
      '--icrc-policy',
      'omit',
      '--backend',
      'js',
      '--late',
      'reject',
    ];
    expect((await json([...INCAST, '--limit', '500', ...args])).config).toMatchObject({
      backend: 'js',
      lateEvents: 'reject',
      notificationPoint: { window: 'trailing' },
      parser: { mode: 'strict-a17', icrc: 'check', icrcWithExtensionHeaders: 'omit' },
    });
  });

  it.each([['0x92,0x96', [0x92, 0x96]], ['0x9f', [0x9f, 0x9f]]])('accepts %s as the types of the Fast CNP options',
    async (text, [first, second]) => {
      const { config, fastCnps } = await json(['replay', '--option-types', text]);
      expect(config.fastCnp).toMatchObject({ optionType1: first, optionType2: second });
      expect(fastCnps.seen).toBe(0);
    });

  it('reads rates and times with units', () => {
    expect(['100G', '25 Gb/s', '2.5g', '400000000000', '10Mbps'].map(parseRate)).toEqual([
      100e9,
      25e9,
      2.5e9,
      4e11,
      1e7,
    ]);
    expect(['50us', '1.5 ms', '4ns', '20ps', '0s'].map(parseDuration)).toEqual([5e7, 1.5e9, 4e3, 20, 0]);
    for (const text of ['', '0', '-1G', 'G', '1 Gbyte']) expect(() => parseRate(text)).toThrow(/Allowed: a rate/);
    for (const text of ['400', '0.5']) expect(() => parseRate(text)).toThrow(`A rate needs a unit: ${text}Gbps?`);
    expect(parseRate('5000b/s')).toBe(5000);
    for (const text of ['', '5', '-1us', '1e9 s']) expect(() => parseDuration(text)).toThrow(/Allowed: a time/);
  });
});

describe('Errors', () => {
  it.each([
    ['an unknown file', () => ['replay', 'no-such.pcap'], /^roce-cc: no such file: no-such\.pcap\n$/],
    [
      'a mistyped command',
      () => ['relpay'],
      /^roce-cc: SCENARIO: the scenario must be .* \(got "relpay"\)\. .*roce-cc --help.*\n$/,
    ],
    ['a folder', () => ['replay', folder], /^roce-cc: is a directory: .+\n$/],
    ['an unknown flow list', () => ['replay', SMALL, '--flows', 'none.csv'], /^roce-cc: no such file: none\.csv\n$/],
    ['unknown settings', () => ['replay', '--settings', 'none.txt'], /^roce-cc: no such file: none\.txt\n$/],
    [
      'a bad flow list',
      () => ['replay', SMALL, '--flows', temporary('bad.csv', 'a,b\n1,2\n')],
      /^roce-cc: .*bad\.csv:1: header lacks sender_addr, sender_qpn.*\n$/,
    ],
    [
      'an empty capture',
      () => ['replay', temporary('empty.pcap', '')],
      /^roce-cc: byte offset 0 of the capture: the file is empty \(0 bytes\); allowed: pcap, pcapng or snoop, plain or in gzip or zstd\.\n$/,
    ],
    [
      'settings of an unknown vendor',
      () => ['replay', '--settings', temporary('odd.txt', 'hello=1\n')],
      /^roce-cc: .*odd\.txt: the kind of settings must be .*--settings-kind.*\n$/,
    ],
    [
      'HPCC++ without a round trip',
      () => ['replay', '--preset', 'hpcc-pp'],
      /^roce-cc: options: the base round trip of hpcc-pp must be stated with --rtt, such as --rtt 10us\.\n$/,
    ],
    [
      'telemetry that is no JSON',
      () => [...HPCC_PP, '--telemetry', temporary('odd.json', '{')],
      /^roce-cc: .*odd\.json: the telemetry is not JSON: .*\n$/,
    ],
    [
      'telemetry of unknown fields',
      () => [...HPCC_PP, '--telemetry', temporary('bad.json', '{"queue":1}')],
      /^roce-cc: .*bad\.json\.queue: a field of .*bad\.json must be .* \(got \"queue\"\)\.\n$/,
    ],
    [
      'irdma without a path',
      () => ['replay', '--preset', 'irdma'],
      /^roce-cc: options: the path of irdma must be stated with --mss and --rtt, such as --mss 4096 --rtt 10us\.\n$/,
    ],
    ['a line rate below the preset', () => ['replay', '--line-rate', '1M'], /^roce-cc: .*\n$/],
  ])('end with exit code 1 and one line for %s', async (_what, args, message) => {
    const { exitCode, stdout, stderr } = await run(args());
    expect(stderr).toMatch(message);
    expect([exitCode, stdout]).toEqual([1, '']);
  });

  it('include a truncated capture, which is reported up to the cut, with exit code 1', async () => {
    const cut = temporary('cut.pcapng', readFileSync(SMALL).subarray(0, 6000));
    const { exitCode, stdout, stderr } = await run(['replay', cut]);
    expect(exitCode).toBe(1);
    expect(stdout).toContain('Incomplete: see the error at the end.');
    expect(stderr).toMatch(
      /^roce-cc: byte offset 5256 of the capture: the record at byte 5256 needs 1,140 bytes, but 744 are available\. The file was cut\.\n$/,
    );
    const report = await json(['replay', cut]);
    expect(report).toMatchObject({ complete: false, error: { code: 'invalid-capture' } });
    expect(report.totals.in).toBeGreaterThan(5);
  });

  it.each([
    ['an unknown option', ['replay', '--bogus'], /unknown option '--bogus'/],
    ['an unknown option without a command', ['--bogus'], /unknown option '--bogus'/],
    ['two files', ['replay', SMALL, SMALL], /too many arguments/],
    ['a bad rate', ['replay', '--line-rate', 'fast'], /Allowed: a rate/],
    ['a bad time', ['replay', '--cnp-interval', '50'], /Allowed: a time/],
    ['an option type with other action bits', ['replay', '--option-types', '0x1e'], /0x80 to 0x9f/],
    ['a bad count', ['replay', '--limit', '0'], /Allowed: a whole number/],
    ['an unknown preset', ['replay', '--preset', 'best'], /Allowed choices are sigcomm15/],
    ['an IPv4 prefix for Fast CNPs', ['replay', '--fast-cnp', '--allow', '10.0.0.0/8'], /IPv6 only/],
    ['a bad prefix', ['replay', '--fast-cnp', '--allow', '2001:db8::/200'], /--allow/],
    ['an access list without Fast CNP', ['replay', '--allow', '::/0'], /'--allow' has no effect without '--fast-cnp'/],
    ['an ICRC policy without the check', ['replay', '--icrc-policy', 'omit'], /no effect/],
    ['a kind of settings without settings', ['replay', '--settings-kind', 'irdma'], /no effect/],
    ['a path that no preset needs', ['replay', '--mss', '1024'], /'--mss' has no effect/],
    ['a round trip that no preset needs', ['replay', '--rtt', '10us'], /'--rtt' has no effect/],
    [
      'telemetry that nothing reads',
      ['replay', '--telemetry', 'x.json'],
      /'--telemetry' has no effect without '--preset hpcc-pp'/,
    ],
    ['settings and a preset', ['replay', '--settings', 'x', '--preset', 'connectx'], /cannot be used with/],
  ])('end with exit code 2 for %s', async (_what, args, message) => {
    const { exitCode, stdout, stderr } = await run(args);
    expect(stderr).toMatch(message);
    expect([exitCode, stdout]).toEqual([2, '']);
  });
});

describe('Help', () => {
  it.each([[['--help'], /replay \[options\] \[file\]/], [['help', 'replay'], /--flows <file>/], [
    ['replay', '--help'],
    /Examples:/,
  ], [['--version'], /^1\.2\.3\n$/]])('is printed by %j with exit code 0', async (args, text) => {
    const { exitCode, stdout, stderr } = await run(args);
    expect(stdout).toMatch(text);
    expect([exitCode, stderr]).toEqual([0, '']);
  });
});
