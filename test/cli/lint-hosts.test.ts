/** roce-cc lint and settings on the text output of adapters. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run } from './support/run.js';
import { textsOf } from '../support/note-texts.js';
import type { NoteRecord } from '../../src/note-record.js';

const DATA = fileURLToPath(new URL('../data/settings', import.meta.url));
const sample = (name: string): string => path.join(DATA, name);
const textOf = (name: string): string => readFileSync(sample(name), 'utf8');
let folder = '';
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'roce-cc-lint-hosts-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

function file(text: string): string {
  const target = path.join(folder, 'settings.txt');
  writeFileSync(target, text);
  return target;
}

interface Report {
  readonly findings: readonly {
    readonly rule: string;
    readonly place: string;
    readonly message: string;
    readonly got: string;
    readonly setting: string | null;
  }[];
  readonly warnings: readonly NoteRecord[];
  readonly notes: readonly NoteRecord[];
}

async function lint(target: string, ...flags: string[]): Promise<Report & { exitCode: number }> {
  const { exitCode, stdout, stderr } = await run(['lint', target, '--json', '--line-rate', '25G', ...flags]);
  expect(stderr).toBe('');
  return { ...(JSON.parse(stdout) as Report), exitCode };
}

const rulesOf = ({ findings }: Report): string[] => [...new Set(findings.map(({ rule }) => rule))].toSorted();
const BOTH_OFF = ['notification-point-off', 'reaction-point-off'];
const QUERY = textOf('mlxconfig-mask-0.txt');
const withMasks = (first: string, second: string): string =>
  QUERY.replace(/(ROCE_CC_PRIO_MASK_P1 +)\S+/, `$1${first}`).replace(/(ROCE_CC_PRIO_MASK_P2 +)\S+/, `$1${second}`);

describe('A mask of priorities', () => {
  it('of 0 disables DCQCN, and is reported by name, value and line', async () => {
    const found = await lint(sample('mlxconfig-mask-0.txt'));
    expect([found.exitCode, rulesOf(found), found.warnings]).toEqual([3, BOTH_OFF, []]);
    expect(found.findings.find(({ rule }) => rule === 'reaction-point-off')).toMatchObject({
      message: expect.stringMatching(/^DCQCN is off for every priority: /) as string,
      got: 'on for none (ROCE_CC_PRIO_MASK_P1 = 0, line 12)',
      setting: 'ROCE_CC_PRIO_MASK_P1',
    });
  });

  it.each([
    ['255', '255', []],
    ['0xff', '0xFF', []],
    ['8', '8', []],
    ['0x8', '255', []],
    // Without priority 3 the sender does not react; the notification point is on or off for the whole port.
    ['247', '255', ['reaction-point-off']],
    ['0x1', '255', ['reaction-point-off']],
    ['0x0', '255', BOTH_OFF],
    ['255', '0', BOTH_OFF],
  ])('of %s and %s has the expected findings', async (first, second, rules) => {
    const found = await lint(file(withMasks(first, second)));
    expect(rulesOf(found)).toEqual(rules);
    expect(found.warnings).toEqual([]);
  });

  it('of the second port is reported for that port, and other settings of it with --port', async () => {
    const target = file(withMasks('255', '0'));
    expect(new Set((await lint(target)).findings.map(({ place }) => place))).toEqual(
      new Set(['host port 2 port, link to switch1']),
    );
    expect(rulesOf(await lint(target, '--port', '2'))).toEqual(['marking-misplaced', ...BOTH_OFF]);
    expect(rulesOf(await lint(target, '--port', '1'))).toEqual([]);
  });

  it('for another priority is correct with --data-priority', async () => {
    const target = file(withMasks('32', '32'));
    expect(rulesOf(await lint(target, '--data-priority', '5'))).not.toContain('reaction-point-off');
  });
});

describe('Default settings', () => {
  it.each([
    ['mlxconfig-query.txt'],
    ['mlxconfig-set.txt'],
    ['roce-sysfs-np-priority-0.txt'],
    ['mlxconfig-dual-port-cards.txt'],
    ['mlnx-qos-dscp.txt'],
  ])('or nearly default ones give no finding and no warning: %s', async (name) => {
    expect(await lint(sample(name))).toMatchObject({ exitCode: 0, findings: [], warnings: [] });
  });

  it('of a firmware with a newer algorithm give no finding and no warning', async () => {
    const text = textOf('mlxconfig-query.txt').replace(/(ROCE_CC_LEGACY_DCQCN +)\S+/, '$1False(0)');
    expect(await lint(file(text))).toMatchObject({ exitCode: 0, findings: [], warnings: [] });
  });

  it('give a warning with the names of settings that were changed without effect', async () => {
    const found = await lint(file(QUERY.replace(/(RPG_MIN_DEC_FAC_P1 +)50/, '$1'.concat('30'))));
    expect(textsOf(found.warnings)).toEqual([
      'host: RPG_MIN_DEC_FAC_P1 = 30 has no effect: no cut takes more than half of the rate anyway (RPG_GD_P1 = 11).',
    ]);
  });
});

describe('The notification point', () => {
  it('is on for the port if it is on for any priority', async () => {
    const found = await lint(sample('roce-sysfs-np-priority-0.txt'));
    expect(textsOf(found.notes).join(' ')).toMatch(
      /notification point is on for priorities 0, which enables it for the whole port/,
    );
  });

  it('is off if it is off for all priorities', async () => {
    const text = textOf('roce-sysfs-np-priority-0.txt').replace('roce_np/enable/0:1', 'roce_np/enable/0:0');
    expect(rulesOf(await lint(file(text)))).toEqual(['notification-point-off']);
  });
});

describe('Several devices', () => {
  it('are linted one by one, or only the one that an option selects', async () => {
    const text = textOf('mlxconfig-dual-port-cards.txt').replace(/(CNP_DSCP_P1 +)48(?![^]*CNP_DSCP_P1)/,
      '$1'.concat('46'));
    const target = file(text);
    expect((await lint(target)).findings).toMatchObject([{
      rule: 'marking-misplaced',
      place: 'host device #2 port, link to switch1',
    }]);
    expect((await lint(target, '--device', '1')).findings).toEqual([]);
    expect(rulesOf(await lint(target, '--device', '2'))).toEqual(['marking-misplaced']);
  });

  it('are distinguished by -d in command lines', async () => {
    const target = file('mlxconfig -d a set ROCE_CC_PRIO_MASK_P1=0\nmlxconfig -d b -y set ROCE_CC_PRIO_MASK_P1=255\n');
    const found = await lint(target);
    expect(found.findings.map(({ place }) => place)).toEqual(Array(2).fill('host device #1 port, link to switch1'));
  });

  it.each([
    [['--device', '3'], /device must be 1 or 2 \(got 3\)/i],
    [['--device', '1', '--port', '4'], /has no setting of port 4/],
  ])('are rejected without the requested one: %s', async (flags, message) => {
    const { exitCode, stderr } = await run(['lint', sample('mlxconfig-dual-port-cards.txt'), ...flags]);
    expect([exitCode, stderr]).toEqual([1, expect.stringMatching(message)]);
  });

  it('exist only in the text of mlxconfig', async () => {
    const { exitCode, stderr } = await run(['lint', sample('roce-sysfs.txt'), '--device', '1']);
    expect([exitCode, stderr]).toEqual([1, expect.stringMatching(/--device applies to mlxconfig output only/)]);
  });
});

describe('The output of mlnx_qos', () => {
  it('with trust pcp and without PFC has findings for both', async () => {
    const found = await lint(sample('mlnx-qos-pcp.txt'));
    expect([found.exitCode, rulesOf(found)]).toEqual([3, [
      'pause-one-sided',
      'trust-differs',
      'trusted-field-missing',
    ]]);
    const settings = new Map(found.findings.map(({ rule, setting }) => [rule, setting]));
    expect([...settings.values()].toSorted()).toEqual(['mlnx_qos --pfc', 'mlnx_qos --trust', 'mlnx_qos --trust']);
  });

  const DSCP = textOf('mlnx-qos-dscp.txt');
  it.each([
    ['PFC for another priority', DSCP.replace('0   0   0   1   0', '0   0   0   0   1'), [
      'cnp-paused',
      'pause-one-sided',
    ]],
    ['a map that sends DSCP 26 elsewhere', DSCP.replace('27,26,25', '27,25').replace('01,00,', '01,00,26,'), [
      'priority-differs',
    ]],
    [
      'all priorities in the buffer of PFC',
      DSCP.replace(/buffer {6}0   0   0   1/, 'buffer 1 1 1 1').replace(/(buffer 1 1 1 1 ).*/, '$11 1 1 1'),
      ['cnp-paused', 'lossless-group-shared'],
    ],
    ['a buffer of PFC without bytes', DSCP.replace('20016,156096', '176112,0'), ['pause-without-buffer']],
    ['CNPs in a class that shares', DSCP.replace('tsa: strict', 'tsa: ets, bw: 0%'), ['cnp-not-strict']],
    [
      'CNPs in the class of data',
      DSCP.replace(/tc: 6 .*\n\t priority: {2}6\n/, '').replace('priority:  3\n', 'priority:  3\n\t priority:  6\n'),
      ['cnp-shares-traffic-class', 'traffic-class-shared'],
    ],
    ['shares of 110 %', DSCP.replace('bw: 20%', 'bw: 30%'), ['ets-sum']],
  ])('has findings with %s', async (_, text, rules) => {
    expect(rulesOf(await lint(file(text)))).toEqual(rules);
  });

  it('may cover several interfaces', async () => {
    const found = await lint(file(`${DSCP}${DSCP.replace('eth2', 'eth3').replace('dscp\n', 'pcp\n')}`));
    expect(new Set(found.findings.map(({ place }) => place))).toEqual(new Set(['host eth3 port, link to switch1']));
  });

  it('may describe a host of a path', async () => {
    const hop = { kind: 'host', name: 'a', settings: sample('mlnx-qos-pcp.txt') };
    const switches = { kind: 'switch', name: 's', settings: 'recommended' };
    const target = file(JSON.stringify({ hops: [{ ...hop, settings: 'recommended', name: 'b' }, switches, hop] }));
    expect(rulesOf(await lint(target))).toContain('pause-one-sided');
  });

  it.each([
    [
      ['run', 'incast-16'],
      'mlnx-qos-dscp.txt',
      /must be the congestion control of one adapter, .* \(got "the output of mlnx_qos"\)/,
    ],
    [
      ['run', 'incast-16'],
      'mlxconfig-dual-port-cards.txt',
      /must be the congestion control of one .* \(got "2 devices"\)/,
    ],
    [['replay'], 'mlnx-qos-dscp.txt', /is the output of mlnx_qos, which has no settings of congestion control/],
    [['replay'], 'mlxconfig-dual-port-cards.txt', /device is missing; it must be 1 or 2/i],
  ])('is rejected by %s: %s', async (command, name, message) => {
    const { exitCode, stderr } = await run([...command, '--settings', sample(name)]);
    expect([exitCode, stderr]).toEqual([1, expect.stringMatching(message)]);
  });
});

describe('The configfs files of irdma', () => {
  it.each<[string, string, string[]]>([
    ['DCQCN on', 'roce_dcqcn_enable: 1\nroce_dctcp_enable: 0\nroce_timely_enable: 0\n', []],
    ['DCTCP on', 'roce_dcqcn_enable: 0\nroce_dctcp_enable: 1\nroce_timely_enable: 0\n', []],
    ['all off', '/sys/kernel/config/irdma/rdmap1s0f0/roce_dcqcn_enable:0\n', ['reaction-point-off']],
    ['the module parameter off', 'options irdma dcqcn_enable=0\n', ['reaction-point-off']],
    ['parameters that do not say', 'options irdma dcqcn_T=1000\n', []],
  ])('have the expected findings with %s', async (_, text, rules) => {
    const found = await lint(file(text));
    expect([rulesOf(found), found.warnings]).toEqual([rules, []]);
    if (rules.length > 0) expect(found.findings[0]!.setting).toMatch(/^roce_dcqcn_enable in .*, or dcqcn_enable/);
  });
});

describe('A hop of a path', () => {
  const path2 = (host: object): string =>
    file(JSON.stringify({
      hops: [{ kind: 'host', name: 'a', settings: sample('mlxconfig-dual-port-cards.txt'), ...host }, {
        kind: 'host',
        name: 'b',
        settings: 'recommended',
      }],
    }));

  it('selects device and port of a file', async () => {
    expect(await lint(path2({ device: 2, port: 1 }))).toMatchObject({ exitCode: 0 });
  });

  it.each([
    [{}, /number of adapters in the settings must be 1 \(got 2\)\. Choose with "device" and "port" of the hop\.$/m],
    [{ device: 0 }, /hops\[0\]\.device/],
    [{ device: '1' }, /hops\[0\]\.device/],
  ])('is rejected with %j', async (host, message) => {
    const { exitCode, stderr } = await run(['lint', path2(host)]);
    expect([exitCode, stderr]).toEqual([1, expect.stringMatching(message)]);
  });
});

describe('roce-cc settings', () => {
  it('shows every device of mlxconfig, or one', async () => {
    const target = sample('mlxconfig-dual-port-cards.txt');
    const both = (await run(['settings', target])).stdout;
    expect(both).toMatch(
      /Adapter, device #1 01:00\.0[^]*RPG_AI_RATE_P1 +5 Mb\/s[^]*device #2 01:00\.1[^]*RPG_AI_RATE_P1 +500 Mb/,
    );
    expect((await run(['settings', target, '--device', '2', '--json'])).stdout).toMatch(/"aiRateBps": 500000000/);
    expect(JSON.parse((await run(['settings', target, '--json'])).stdout)).toMatchObject({ devices: [{}, {}] });
    const { exitCode, stderr } = await run(['settings', target, '--compare', target]);
    expect([exitCode, stderr]).toEqual([1, expect.stringMatching(/must be those of one; choose with --device/)]);
  });

  it('shows and compares ports by mlnx_qos', async () => {
    const target = sample('mlnx-qos-dscp.txt');
    expect((await run(['settings', target])).stdout).toMatch(/Adapter eth2[^]*--pfc +0,0,0,1,0,0,0,0/);
    const { exitCode, stdout } = await run(['settings', target, '--compare', sample('mlnx-qos-pcp.txt'), '--json']);
    expect(exitCode).toBe(3);
    expect(JSON.parse(stdout)).toContainEqual({ port: '', name: '--trust', value: 'dscp', other: 'pcp' });
  });

  it('shows the mask of priorities', async () => {
    expect((await run(['settings', sample('mlxconfig-mask-0.txt'), '--line-rate', '25G'])).stdout).toMatch(
      /ROCE_CC_PRIO_MASK_P1 +0/,
    );
  });
});
