/**
 * Hostile command lines are rejected in a line or two, without a stack trace, a hang or much memory.
 *
 * One process takes all command lines one by one; some of each kind are then tried as a user would, in a process each.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CommandOutcome } from './support/command-worker.js';
import { MAIN } from './support/process.js';

const folder = mkdtempSync(path.join(tmpdir(), 'roce-cc-attack-'));
const at = (...parts: string[]): string => path.join(folder, ...parts);
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const WORKER = fileURLToPath(new URL('support/command-worker.ts', import.meta.url));
const TSX = import.meta.resolve('tsx');
const TIMEOUT_MS = 60_000;
const MESSAGE_BYTES_MAX = 4096;
const MEMORY_KIB_MAX = 700 * 1024;
/** Reports the peak memory of the process through a pipe, as `maxRSS` starts from that of its parent. */
const METER = `data:text/javascript,${
  encodeURIComponent("import{readFileSync,writeSync}from'node:fs';process.on('exit',()=>" +
    "writeSync(3,/VmHWM:\\s+(\\d+)/.exec(readFileSync('/proc/self/status','utf8'))[1]))")
}`;

const SCENARIO = {
  name: 'x',
  topology: { kind: 'star', hosts: 3 },
  workload: { kind: 'incast', senders: 1, sizeBytes: 1000 },
};
const TEXT = JSON.stringify(SCENARIO);
const PCAP = Buffer.from('d4c3b2a1020004000000000000000000ffff000001000000', 'hex');
const PCAPNG = Buffer.from('0a0d0d0a1c0000004d3c2b1a01000000ffffffffffffffff1c000000', 'hex');
const FLOWS = 'sender_addr,sender_qpn,peer_addr,peer_qpn\n';

function record(seconds: number, fraction: number, captured: number, bytes: Uint8Array): Uint8Array {
  const header = Buffer.alloc(16);
  [seconds, fraction, captured, captured].forEach((value, index) => header.writeUInt32LE(value, 4 * index));
  return Buffer.concat([header, bytes]);
}

function block(type: number, body: Uint8Array): Uint8Array {
  const head = Buffer.alloc(8);
  const tail = Buffer.alloc(4);
  head.writeUInt32LE(type);
  head.writeUInt32LE(body.length + 12, 4);
  tail.writeUInt32LE(body.length + 12);
  return Buffer.concat([head, body, tail]);
}

/** Keys are file names. */
const FILES: Readonly<Record<string, string | Uint8Array>> = {
  'good.json': TEXT,
  'nul.json': `${TEXT.slice(0, 10)}\0${TEXT.slice(10)}`,
  'nul-in-name.json': TEXT.replace('"x"', String.raw`"a\u0000b"`).replace('1000', '-1'),
  'only-nul.json': '\0'.repeat(1000),
  'empty.json': '',
  'null.json': 'null',
  'list.json': '[]',
  'overflow.json': TEXT.replace('1000', '1e999'),
  'negative-overflow.json': TEXT.replace('1000', '-1e999'),
  'minus-zero.json': TEXT.replace('1000', '-0'),
  'tiny.json': TEXT.replace('1000', '1e-320'),
  'nan.json': TEXT.replace('1000', 'NaN'),
  'hexadecimal.json': TEXT.replace('1000', '0x10'),
  'text-number.json': TEXT.replace('1000', '"1000"'),
  'huge-hosts.json': TEXT.replace('"hosts":3', '"hosts":9007199254740993'),
  'fraction-hosts.json': TEXT.replace('"hosts":3', '"hosts":2.5'),
  'senders.json': TEXT.replace('"senders":1', '"senders":4294967297'),
  'lone-surrogate.json': TEXT.replace('"kind":"star"', String.raw`"kind":"\ud800"`),
  'utf-16.json': Buffer.from(`\uFEFF${TEXT}`, 'utf16le'),
  'bad-utf-8.json': Buffer.concat([Buffer.from('{"name":"'), Buffer.from([0xff, 0xc0, 0x80, 0xed, 0xa0, 0x80])]),
  'two.json': TEXT + TEXT,
  'prototype.json': TEXT.replace('"name"', '"constructor":{"prototype":1},"name"'),
  'bomb.pcap.gz': gzipSync(Buffer.concat([PCAP, Buffer.alloc(256 * 2 ** 20)])),
  'bomb.json': gzipSync(Buffer.alloc(64 * 2 ** 20)),
  'cut.pcap.gz': gzipSync(Buffer.concat([PCAP, Buffer.alloc(10_000, 'cut it')])).subarray(0, 30),
  'gzip-head.pcap.gz': Buffer.from('1f8b', 'hex'),
  'gzip-in-gzip.pcap.gz': gzipSync(gzipSync(PCAP)),
  'head-only.pcap': PCAP.subarray(0, 10),
  'huge-frame.pcap': Buffer.concat([PCAP, record(1, 0, 0xffffffff, new Uint8Array(100))]),
  'missing-frame.pcap': Buffer.concat([PCAP, record(1, 0, 2 ** 24, new Uint8Array(100))]),
  'fraction.pcap': Buffer.concat([PCAP, record(0xffffffff, 0xffffffff, 4, new Uint8Array(4)), Buffer.alloc(3)]),
  'interfaces.pcapng': Buffer.concat([
    PCAPNG,
    ...Array<Uint8Array>(65_537).fill(block(1, Buffer.from('0100000000000000', 'hex'))),
  ]),
  'late.pcapng': Buffer.concat([
    PCAPNG,
    block(1, Buffer.from('0100000000000000', 'hex')),
    block(6, Buffer.concat([Buffer.from('00000000ffffffffffffffff0400000004000000', 'hex'), new Uint8Array(4)])),
    Buffer.alloc(5),
  ]),
  'no-interface.pcapng': Buffer.concat([PCAPNG, block(6, Buffer.alloc(24))]),
  'block-length.pcapng': Buffer.concat([PCAPNG, Buffer.from('01000000ffffffff', 'hex')]),
  'qpn.csv': `${FLOWS}10.0.0.1,1e3,10.0.0.2,-1\n`,
  'same.csv': `${FLOWS}${'10.0.0.1,1,10.0.0.2,2\n'.repeat(2)}`,
  'self.csv': `${FLOWS}10.0.0.1,1,10.0.0.1,1\n`,
  'quotes.csv': `${FLOWS}"""""""""`,
  'commas.csv': ','.repeat(100_000),
  'columns.csv': `${FLOWS.trim()},sender_addr\n10.0.0.1,1,10.0.0.2,2,zz\n`,
  'scope.csv': `${FLOWS}fe80::1%eth0,1,::ffff:1.2.3.4,2\n`,
  'craft-time.json': '{"packets":[{"time":"999999999999999.999999999999","layers":[]}]}',
  'craft-infinite.json': '{"packets":[{"time":1e999,"layers":[]}]}',
  'craft-length.json': '{"packets":[{"originalBytes":1e300,"layers":[]}]}',
  'craft-link.json': '{"packets":[{"linkType":-1,"layers":[]}]}',
  'craft-null.json': '{"packets":[null]}',
  'craft-number.json': '12',
  'settings.txt': 'rpg_ai_rate=1e999\n',
  'settings-twice.txt': 'rpg_ai_rate=5\nrpg_ai_rate=5\n',
  'result.json': '{"format":"roce-cc-result-1"}',
  'config.txt': 'TOPOLOGY_FILE config.txt\nFLOW_FILE config.txt\n',
  'config-map.txt': 'KMAX_MAP 9007199254740991 1 1\n',
  'telemetry.json': '{"namespaceId":1e999}',
};

beforeAll(() => {
  for (const [name, content] of Object.entries(FILES)) writeFileSync(at(name), content);
  mkdirSync(at('folder.json'));
  mkdirSync(at('folder.pcap'));
  symlinkSync(at('cycle-b'), at('cycle-a'));
  symlinkSync(at('cycle-a'), at('cycle-b'));
  symlinkSync(at('cycle-a'), at('cycle.pcap'));
  writeFileSync(at('line\nbreak\u001b[31m.json'), '{');
});

/** `%name` is a file of the folder. */
const CASES: readonly (readonly string[])[] = [
  ...[
    'nul',
    'nul-in-name',
    'only-nul',
    'empty',
    'null',
    'list',
    'overflow',
    'negative-overflow',
    'minus-zero',
    'tiny',
    'nan',
    'hexadecimal',
    'text-number',
    'huge-hosts',
    'fraction-hosts',
    'senders',
    'lone-surrogate',
    'utf-16',
    'bad-utf-8',
    'two',
    'prototype',
    'bomb',
    'folder',
  ].map((name) => ['run', `%${name}.json`]),
  ['run', '%cycle-a'],
  ['run', '%line\nbreak\u001b[31m.json'],
  ['run', '/proc/self/mem'],
  ['run', '/proc/self/environ'],
  ['run', '/dev/null'],
  ['run', ''],
  ['run', '.'],
  ['run', '--', '--json'],
  ['run', `${'x'.repeat(100_000)}.json`],
  ['run', '%good.json', '--json', ''],
  ['run', '%good.json', '--json', '%folder.json'],
  ['run', '%good.json', '--json', '%cycle-a'],
  ['run', '%good.json', '--csv', '%good.json'],
  ['run', '%good.json', '--csv', '/proc/self/x'],
  ['run', '%good.json', '--report', '/dev/null/x'],
  ['run', '%good.json', '--pcap', '%folder.json', '--capture-port', '__proto__'],
  ['run', '%good.json', '--pcap', '%folder.json', '--capture-port', ''],
  ['run', '%good.json', '--seed', '-1'],
  ['run', '%good.json', '--seed', 'NaN'],
  ['run', '%good.json', '--seed', '1e3'],
  ['run', '%good.json', '--seed', ''],
  ['run', '%good.json', '--max-memory', '0'],
  ['run', '%good.json', '--max-memory', '1e9'],
  ['run', '%good.json', '--max-memory', '-1GB'],
  ['run', '%good.json', '--set', 'topology.hosts=1e999'],
  ['run', '%good.json', '--set', '__proto__.x=1'],
  ['run', '%good.json', '--set', 'topology[4294967295]=1'],
  ['run', '%good.json', '--set', 'workload={"__proto__":{}}'],
  ['run', '%good.json', '--set', '='],
  ['run', '%good.json', '--set', 'name=\u001b]0;title\u0007', '--set', 'x=1'],
  ['run', '%good.json', '--json'],
  ['run', '--reference', '%config.txt'],
  ['run', '--reference', '%config-map.txt'],
  ['run', '--reference', '%bomb.json'],
  ['run', '--reference', '/dev/zero'],
  ['run', '--reference', ''],
  ['explain', '%result.json'],
  ['explain', '%good.json'],
  ['explain', '%bomb.json'],
  ['explain', '/dev/zero'],
  ['explain', ''],
  ...[
    'cut.pcap.gz',
    'gzip-head.pcap.gz',
    'gzip-in-gzip.pcap.gz',
    'head-only.pcap',
    'huge-frame.pcap',
    'missing-frame.pcap',
    'fraction.pcap',
    'interfaces.pcapng',
    'late.pcapng',
    'no-interface.pcapng',
    'block-length.pcapng',
    'folder.pcap',
    'cycle.pcap',
    'good.json',
  ].flatMap((name) => [
    ['replay', `%${name}`],
    ['dissect', `%${name}`],
  ]),
  ['replay', '/dev/zero'],
  ['dissect', '/dev/zero'],
  ['replay', ''],
  ['replay', '/proc/self/mem'],
  ...['qpn', 'same', 'self', 'quotes', 'commas', 'columns', 'scope'].map((
    name,
  ) => ['replay', '--flows', `%${name}.csv`]),
  ['replay', '--flows', '/dev/zero'],
  ['replay', '--flows', '%folder.json'],
  ['replay', '--settings', '%settings.txt'],
  ['replay', '--settings', '%settings-twice.txt'],
  ['replay', '--settings', '%bomb.json'],
  ['replay', '--settings', '/dev/zero'],
  ['replay', '--settings', '%folder.json'],
  ['replay', '--preset', 'hpcc-pp', '--rtt', '10us', '--telemetry', '%telemetry.json'],
  ['replay', '--preset', 'hpcc-pp', '--rtt', '99999999999999999999s'],
  ['replay', '--line-rate', '1e999'],
  ['replay', '--line-rate', '0G'],
  ['replay', '--line-rate', `${'9'.repeat(400)}G`],
  ['replay', '--cnp-interval', '-1us'],
  ['replay', '--limit', '0'],
  ['replay', '--limit', '99999999999999999999'],
  ['replay', '--option-types', ','],
  ['replay', '--fast-cnp', '--allow', '::/129'],
  ['replay', '--fast-cnp', '--allow', '0:'.repeat(50_000)],
  ['replay', '--output', '%folder.json'],
  ['replay', '--trace', ''],
  ['replay', 'a', 'b'],
  ['dissect', '%head-only.pcap', '--qpn', '0x1000000'],
  ['dissect', '%head-only.pcap', '--class', 'toString'],
  ['dissect', '%head-only.pcap', '--address', '1.2.3.4/33'],
  ['dissect', '%head-only.pcap', '--arn-port', '65536'],
  ...['time', 'infinite', 'length', 'link', 'null', 'number'].map((name) => [
    'craft',
    `%craft-${name}.json`,
    '-o',
    '%out.pcap',
  ]),
  ['craft', '%utf-16.json', '-o', '%out.pcap'],
  ['craft', '%good.json', '-o', '%folder.pcap'],
  ['craft', '%good.json', '-o', ''],
  ['craft', '%good.json', '-o', '%cycle.pcap'],
  ['craft', '/dev/zero', '-o', '%out.pcap'],
  ['__proto__'],
];

const wordsOf = (args: readonly string[]): string[] =>
  args.map((arg) => (arg.startsWith('%') ? at(arg.slice(1)) : arg));

interface Attack extends CommandOutcome {
  readonly signal: NodeJS.Signals | null;
}

/** Runs one command line in a separate process. */
function attack(args: readonly string[], input: Uint8Array | string = ''): Attack {
  const { status, signal, stderr, output } = spawnSync(process.execPath, ['--import', METER, MAIN, ...wordsOf(args)], {
    cwd: folder,
    encoding: 'utf8',
    input,
    timeout: TIMEOUT_MS,
    maxBuffer: 2 ** 28,
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
  });
  return { status: status ?? -1, signal, stderr, memoryKib: Number(output[3]) };
}

/** Runs all command lines in one process. If it ends early, the first one without an outcome is the cause. */
function attackAll(commands: readonly (readonly string[])[]): Attack[] {
  const { signal, stdout, stderr } = spawnSync(process.execPath, ['--import', TSX, WORKER], {
    cwd: folder,
    encoding: 'utf8',
    input: JSON.stringify(commands.map(wordsOf)),
    timeout: 2 * TIMEOUT_MS,
    maxBuffer: 2 ** 28,
  });
  const outcomes = stdout.split('\n').filter(Boolean).map((line) => JSON.parse(line) as CommandOutcome);
  return commands.map((_, index) => ({
    ...(outcomes[index] ?? { status: -1, stderr, memoryKib: 0 }),
    signal: index < outcomes.length ? null : signal,
  }));
}

const nameOf = (args: readonly string[]): string => args.map((arg) => JSON.stringify(arg.slice(0, 40))).join(' ');

function expectRejection({ status, signal, stderr, memoryKib }: Attack): void {
  expect(signal).toBeNull();
  expect([1, 2]).toContain(status);
  expect(Buffer.byteLength(stderr)).toBeLessThanOrEqual(MESSAGE_BYTES_MAX);
  expect(stderr).toMatch(/^(roce-cc|error): .*\n(\(see roce-cc .*--help\)\n)?$|^error: .*\n\n?\(see /);
  expect(stderr).not.toMatch(/^ +at |node:internal|[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/m);
  expect(memoryKib).toBeLessThan(MEMORY_KIB_MAX);
}

/** A sample of the cases that covers each command and each kind of invalid file. */
const AS_PROCESSES = CASES.filter((_, index) => index % 12 === 0);

describe('A hostile input is rejected', () => {
  let outcomes: readonly Attack[] = [];
  beforeAll(() => {
    outcomes = attackAll(CASES);
  }, 3 * TIMEOUT_MS);

  it.each(CASES.map((args, index) => [nameOf(args), index] as const))('%s', (_name, index) => {
    expectRejection(outcomes[index]!);
  });

  it.each(AS_PROCESSES.map((args) => [nameOf(args), args] as const))('as a process: %s', (_name, args) => {
    expectRejection(attack(args));
  }, TIMEOUT_MS);

  it('in the same way on standard input', () => {
    for (const name of ['cut.pcap.gz', 'huge-frame.pcap', 'good.json']) {
      expectRejection(attack(['replay', '-'], FILES[name]));
      expectRejection(attack(['dissect', '-'], FILES[name]));
    }
    expectRejection(attack(['craft', '-', '-o', '%out.pcap'], FILES['utf-16.json']));
    expectRejection(attack(['explain', '-'], FILES['good.json']));
    expectRejection(attack(['run', '/dev/stdin'], FILES['utf-16.json']));
  }, TIMEOUT_MS);

  it('as a FIFO without valid content', () => {
    execFileSync('mkfifo', [at('fifo')]);
    const command = `printf '{' > fifo & "${process.execPath}" "${MAIN}" run fifo; exit $?`;
    const { status, stderr } = spawnSync('bash', ['-c', command], {
      cwd: folder,
      encoding: 'utf8',
      timeout: TIMEOUT_MS,
    });
    expect([status, stderr]).toEqual([1, expect.stringMatching(/^roce-cc: fifo: the scenario is not JSON: .*\n$/)]);
  }, TIMEOUT_MS);
});

describe('A hostile input is read within limits', () => {
  it('if it is a gzip bomb of 256 MiB', () => {
    for (const command of ['replay', 'dissect']) {
      const { status, signal, stderr, memoryKib } = attack([command, '%bomb.pcap.gz', '--limit', '100']);
      expect([status, signal, stderr]).toEqual([0, null, '']);
      expect(memoryKib).toBeLessThan(MEMORY_KIB_MAX);
    }
  }, TIMEOUT_MS);

  it('if it has a duplicate key, of which the last one applies', () => {
    writeFileSync(at('twice.json'), TEXT.replace('"hosts":3', '"hosts":1,"hosts":3'));
    expect(attack(['run', '%twice.json', '--quiet'])).toMatchObject({ status: 0, stderr: '' });
  }, TIMEOUT_MS);
});
