/** The programs in examples/ run on the built package, and print the expected lines. */
import { spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { GOLDEN_UNIT } from '../support/golden.js';

const REPOSITORY = fileURLToPath(new URL('../../', import.meta.url));
/** Command-line arguments of a program. */
const GIVEN: Readonly<Record<string, readonly string[]>> = { 'reference-traces': [GOLDEN_UNIT] };
const COMMANDS = readFileSync(new URL('../../docs/reference/commands.md', import.meta.url), 'utf8');

/** Lines that the output of each program contains. */
const SHOWN: Readonly<Record<string, readonly string[]>> = {
  'custom-plan': [
    'as compiled: mean completion 975.0 us, longest queue 626901 bytes, 431 CNPs, 0 marks of other packets',
    'ACKs marked too: mean completion 961.0 us, longest queue 750024 bytes, 451 CNPs, 2950 marks of other packets',
  ],
  'discover-path': [
    '3 routers: not-lossless',
    'Hop 2 (10.0.2.1) calls priority 3 lossless but has PFC off on it.',
  ],
  'dissect-capture': [
    '  data: 19382,',
    "  'fast-cnp-1': 94,",
    '  cnp: 127',
    '2001:db8:ffff::5 > 2001:db8:5e0f::10  Fast CNP (option 2) QP 0x00159f PSN 0, original destination 2001:db8:4e01::20  DSCP 48 ECT(1)  190 bytes',
    '  queueDepth: 186812',
  ],
  'fast-cnp-through-wan': [
    'in the data centre   2001:db8:1::10 > 2001:db8:2::20  RC SEND only QP 0x00002a PSN 0  DSCP 26 ECT(0)  1088 bytes',
    'back behind the PE   2001:db8:f000::5 > 2001:db8:1::10  Fast CNP (option 1) QP 0x00002a PSN 0, original destination 2001:db8:2::20  DSCP 48 ECT(1)  104 bytes',
    '1 forwarded of 1',
  ],
  'hold-a-flow': [
    "{ action: 'paused', level: 'flow', untilPs: 120000000 }",
    'true false',
    '1 pause over',
  ],
  'plan-network': [
    'ECN from 400000 to 1600000 bytes',
    'PFC headroom 101648 bytes',
    'prose: 22 µs + (log2(1024) - 1) * 4 µs = 58 µs; 12.5 GB/s * (16 - 1) * 58 µs = 10875 KB',
  ],
  'receiver-credit': [
    // The speculative burst of one packet per sender; credit adds no queue, at 99 % of the line rate.
    'a packet of speculative credit: 1600 packets, longest queue 16.0 packets, 98.9 % of the line rate',
    // 19 packets of each sender, less the 18 that the link sends meanwhile.
    'a round trip of it: 1600 packets, longest queue 286.0 packets, 99.9 % of the line rate',
  ],
  'reference-traces': [
    'hpcc__runpy_hp95_100__wrap: 600 rows',
    '29000 rows in wasm and js, 0 differ',
  ],
  simulate: [
    '16-to-1 incast, HPCC: all-flows-done, 16 of 16 flows done after 1585.5 us',
    'loss: No: 0 packets dropped, 0 retransmitted, 0 NAKs, 0 timeouts.',
    'stopped: cancelled, 16 flows unfinished',
  ],
};

function start(name: string, args: readonly string[] = []): SpawnSyncReturns<string> {
  return spawnSync(process.execPath, [`examples/${name}.mjs`, ...args], { cwd: REPOSITORY, encoding: 'utf8' });
}

describe('examples', () => {
  it('are all tested here, and listed in docs/reference/commands.md', () => {
    const files = readdirSync(new URL('../../examples/', import.meta.url)).filter((file) => file.endsWith('.mjs'));
    expect(files.sort()).toEqual(Object.keys(SHOWN).map((name) => `${name}.mjs`));
    for (const name of Object.keys(SHOWN)) expect(COMMANDS).toContain(`\`${name}\``);
  });

  it.each(Object.entries(SHOWN))('%s prints the expected lines', (name, lines) => {
    const { status, stdout, stderr } = start(name, GIVEN[name]);
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout.split('\n')).toEqual(expect.arrayContaining([...lines]));
  });

  it('report a partial result when the time limit is reached', () => {
    const { status, stdout } = start('simulate', ['examples/scenarios/incast-16.json', '0.001']);
    expect(status).toBe(0);
    expect(stdout).toMatch(/^16-to-1 incast, DCQCN: cancelled, 0 of 16 flows done/);
  });

  it('read the capture on their command line', () => {
    const { status, stdout } = start('dissect-capture', ['test/captures/small/mixed_50.pcap']);
    expect(status).toBe(0);
    expect(stdout).toMatch(/^\{.*'fast-cnp-1': \d+/s);
  });
});
