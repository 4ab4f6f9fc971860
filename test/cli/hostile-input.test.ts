/** Hostile input to the command line is rejected in one line, quickly, and leaves nothing on the disk. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, truncateSync,
  writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { run } from './support/run.js';

const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const folder = mkdtempSync(path.join(tmpdir(), 'roce-cc-hostile-'));
const at = (name: string): string => path.join(folder, name);
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const WORKLOAD = { kind: 'incast', senders: 1, sizeBytes: 1000 };
const SMALL = { name: 'x', topology: { kind: 'star', hosts: 3 }, workload: WORKLOAD };
const FLOW = { kind: 'flows', flows: [{ from: 'h0', to: 'h1', sizeBytes: 1000 }] };
const hosts = (count: number) => Array.from({ length: count }, (_, i) => ({ name: `h${i}`, kind: 'host' }));

function given(name: string, content: unknown): string {
  writeFileSync(at(name), typeof content === 'string' ? content : JSON.stringify(content));
  return at(name);
}

async function rejection(...args: string[]): Promise<string> {
  const { exitCode, stderr } = await run(args);
  expect(exitCode).toBeGreaterThan(0);
  expect(stderr.length).toBeLessThan(4000);
  expect(stderr).not.toMatch(/^ +at /m);
  return stderr;
}

describe('JSON input', () => {
  it('is limited in depth and size for scenarios, changes and packets', async () => {
    const deep = '{"a":'.repeat(5000) + '1' + '}'.repeat(5000);
    expect(await rejection('run', given('deep.json', deep))).toMatch(/depth of the JSON must be at most 64 levels/);
    expect(await rejection('run', given('small.json', SMALL), '--set', `a${'.a'.repeat(30_000)}=1`)).toMatch(
      /at most 64 steps/,
    );
    expect(await rejection('run', at('small.json'), '--set', `name=${deep}`)).toMatch(/at most 64 levels/);
    const lists = `{"packets":[{"layers":[{"kind":"ethernet","source":${'['.repeat(20_000)}${']'.repeat(20_000)}}]}]}`;
    expect(await rejection('craft', given('lists.json', lists), '-o', at('x.pcap'))).toMatch(/at most 64 levels/);
  });

  it('is limited before a file is read, and while a device is read', async () => {
    const large = given('large.json', '');
    truncateSync(large, 600 * 1024 * 1024);
    expect(await rejection('run', large)).toMatch(
      /length of the input must be at most 536,870,848 bytes \(got 629,145,600\)/,
    );
    expect(await rejection('craft', '/dev/zero', '-o', at('x.pcap'))).toMatch(
      /^roce-cc: \/dev\/zero: the length of the input is too long; allowed: a number of at most 268,435,456 bytes\.\n$/,
    );
    rmSync(large);
  }, 60_000);

  it('is limited for networks, by the key of the scenario', async () => {
    expect(await rejection('run', given('star.json', { ...SMALL, topology: { kind: 'star', hosts: 65_535 } })))
      .toMatch(/topology\.hosts.* at most 65,535 \(got 65,536\)/);
    const links = Array.from({ length: 9999 }, (_, i) => ({ from: `h${i}`, to: `h${i + 1}` }));
    const chain = { name: 'x', topology: { kind: 'edges', nodes: hosts(10_000), links }, workload: FLOW };
    expect(await rejection('run', given('chain.json', chain))).toMatch(/topology: the size of the table of routes /);
    expect(await rejection('run', at('small.json'), '--max-memory', '1MB')).toMatch(
      /memory that the scenario needs must be/,
    );
  });

  it.each(['__proto__', 'toString'])('is rejected with a key %s anywhere', async (key) => {
    const text = JSON.stringify({ ...SMALL, algorithms: { a: { preset: 'dctcp' } } });
    expect(await rejection('run', given('key.json', text.replace('"a"', `"${key}"`)))).toMatch(`${key} is not allowed`);
  });

  it('may begin with a byte order mark', async () => {
    expect(await run(['run', given('bom.json', `\uFEFF${JSON.stringify(SMALL)}`), '-q'])).toMatchObject({
      exitCode: 0,
    });
  });
});

describe('Output', () => {
  it('is checked before the run', async () => {
    given('file', '');
    given('small.json', SMALL);
    expect(await rejection('run', at('small.json'), '--csv', '/proc/x')).toMatch(/\/proc\/x/);
    expect(await rejection('run', at('small.json'), '--json', at(`${'n'.repeat(300)}.json`))).toMatch(
      /^roce-cc: the name is too long: /,
    );
    expect(await rejection('run', at('small.json'), '--json', at('file/x.json'))).toMatch(/file/);
    expect(await rejection('run', at('small.json'), '--json', folder)).toMatch(/is a directory/);
  });

  it('is complete, follows links, and leaves no other file', async () => {
    given('small.json', SMALL);
    given('old.json', 'old');
    symlinkSync(at('old.json'), at('link.json'));
    const { exitCode } = await run(['run', at('small.json'), '-q', '--json', at('link.json'), '--csv', at('csv')]);
    expect(exitCode).toBe(0);
    expect(JSON.parse(readFileSync(at('old.json'), 'utf8'))).toMatchObject({ format: 'roce-cc-result-2' });
    expect([...readdirSync(folder), ...readdirSync(at('csv'))].filter((name) => name.startsWith('.'))).toEqual([]);
  });

  it('on a full device is reported, and kept elsewhere', async () => {
    const full = '/dev/full';
    given('small.json', SMALL);
    const { exitCode, stderr } = await run(['run', at('small.json'), '-q', '--json', full]);
    expect(exitCode).toBe(1);
    const [, spare = ''] = /^roce-cc: no space left on device: \/dev\/full; it is kept in (.+)\n$/.exec(stderr) ?? [];
    expect(existsSync(spare)).toBe(true);
    rmSync(path.dirname(spare), { recursive: true });
    const [, trace = ''] =
      /^roce-cc: no space left on device: \/dev\/full; it is kept in (.+)\n$/.exec(
        await rejection('replay', '--trace', full),
      ) ?? [];
    expect(existsSync(trace)).toBe(true);
    rmSync(path.dirname(trace), { recursive: true });
  });

  it.each([['run', 'small.json'], ['dissect', '../examples/data/incast.pcap.gz'], ['replay']])(
    'of %s on a full device ends in one line',
    (...args) => {
      given('small.json', SMALL);
      const files = args.map((arg) =>
        arg === 'small.json' ?
          at(arg) :
          arg.startsWith('..') ?
          fileURLToPath(new URL(`../${arg}`, import.meta.url)) :
          arg
      );
      const command = `"${process.execPath}" "${MAIN}" ${files.join(' ')} > /dev/full`;
      const { status, stderr } = spawnSync('sh', ['-c', command], { encoding: 'utf8' });
      expect(stderr).toMatch(/^roce-cc: no space left on device: standard output.*\n$/);
      expect(status).toBe(1);
      const [, spare] = /kept in (.+)\n/.exec(stderr) ?? [];
      if (spare !== undefined) rmSync(path.dirname(spare), { recursive: true });
    },
  );
});
