/** roce-cc lint, settings, headroom, plan, and run --settings. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { settingsChanges, readAllSettings } from '../../src/cli/run/settings-changes.js';
import { run } from './support/run.js';

const EXAMPLES = fileURLToPath(new URL('../../examples/operators', import.meta.url));
const example = (name: string): string => path.join(EXAMPLES, name);
let folder = '';
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'roce-cc-operators-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

function file(name: string, content: unknown): string {
  const target = path.join(folder, name);
  mkdirSync(path.dirname(target), { recursive: true });
  writeFileSync(target, typeof content === 'string' ? content : JSON.stringify(content));
  return target;
}

interface Found {
  readonly findings: readonly { readonly rule: string; readonly place: string; readonly setting: string | null }[];
  readonly warnings: readonly string[];
}

async function lint(target: string, ...flags: string[]): Promise<Found & { exitCode: number }> {
  const { exitCode, stdout, stderr } = await run(['lint', target, '--json', ...flags]);
  expect(stderr).toBe('');
  return { ...(JSON.parse(stdout) as Found), exitCode };
}

const rulesOf = ({ findings }: Found): string[] => findings.map(({ rule }) => rule);

describe('roce-cc lint', () => {
  it('finds nothing in a well-configured switch', async () => {
    const { exitCode, stdout } = await run(['lint', example('leaf1-config_db.json')]);
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining('Nothing found')]);
  });

  it('names mistakes of a switch by ports and SONiC names, with exit code 3', async () => {
    const found = await lint(example('leaf2-config_db.json'));
    expect(found.exitCode).toBe(3);
    expect(found.findings).toContainEqual(expect.objectContaining({
      rule: 'ecn-ends-above-xoff',
      setting: expect.stringContaining('green_max_threshold') as string,
      place: 'leaf2 Ethernet0; leaf2 Ethernet4; leaf2 Ethernet8',
    }));
    expect(found.findings).toContainEqual(expect.objectContaining({
      rule: 'pause-one-sided',
      place: 'leaf2 Ethernet8',
      setting: 'PORT_QOS_MAP pfc_enable',
    }));
    expect(rulesOf(found)).toEqual(expect.arrayContaining(['pause-stops-other-queue', 'watchdog-missing']));
  });

  it('follows a path through the files of its hops', async () => {
    const found = await lint(example('path.json'));
    expect(found.exitCode).toBe(3);
    expect(found.findings.find(({ rule }) => rule === 'notification-point-off')).toMatchObject({
      place: 'h2 port, link to leaf2',
      setting: 'ecn/roce_np/enable/PRIORITY',
    });
    expect(found.findings.find(({ rule }) => rule === 'pause-one-sided')).toMatchObject({
      place: 'leaf2 Ethernet8, link to h2',
    });
  });

  it('prints errors before warnings, with bytes in groups of three digits', async () => {
    const { stdout } = await run(['lint', example('path.json')]);
    const severities = [...stdout.matchAll(/^(error|warning): /gmu)].map(([, severity]) => severity);
    expect(severities).toEqual(['error', 'error', 'warning', 'warning', 'warning']);
    expect(stdout.replaceAll(/\s+/gu, ' ')).toContain('got 400,000 to 5,000,000 bytes, expected below');
  });

  it('reads an ecn folder of an adapter, as sender and as receiver', async () => {
    for (const point of ['roce_rp', 'roce_np']) {
      for (let priority = 0; priority < 8; priority++) {
        file(`ecn/${point}/enable/${priority}`, point === 'roce_np' || priority === 3 ? '0\n' : '1\n');
      }
    }
    file('ecn/roce_np/cnp_dscp', '46\n');
    expect(rulesOf(await lint(path.join(folder, 'ecn'))).toSorted()).toEqual([
      'marking-misplaced',
      'notification-point-off',
      'reaction-point-off',
    ]);
  });

  it('reads the output of plan, whose values options override', async () => {
    const target = path.join(folder, 'planned.json');
    expect(await run(['plan', '--path', '2', '--json', target])).toMatchObject({ exitCode: 0, stderr: '' });
    expect(await lint(target)).toMatchObject({ exitCode: 0, findings: [] });
    expect(rulesOf(await lint(target, '--profile', 'lossy-1'))).toContain('pause-not-in-profile');
    expect(rulesOf(await lint(target, '--data-dscp', '24'))).toContain('marking-unexpected');
  });

  const hop = { kind: 'host', name: 'a', settings: 'recommended' };
  it.each<[string, unknown, RegExp]>([
    ['hops of another kind', { hops: [hop, 7] }, /hops\[1\]/],
    ['one hop', { hops: [hop] }, /2 to 66 hops/],
    ['an unknown key', { hops: [hop, hop], extra: 1 }, /extra/],
    ['a name that comes twice', { hops: [hop, hop] }, /hops\[1\]\.name/],
    ['an unknown profile', { profile: 'x', hops: [] }, /path\.profile/],
    ['an intent that is none', { intent: null, hops: [hop, hop] }, /path\.intent/],
    ['a port that is not there', {
      hops: [
        hop,
        {
          kind: 'switch',
          name: 's',
          settings: example('leaf1-config_db.json'),
          upstream: 'Ethernet0',
          downstream: 'eth9',
        },
        { ...hop, name: 'b' },
      ],
    }, /hops\[1\]\.downstream/],
    ["a switch with an adapter's settings", {
      hops: [hop, { kind: 'switch', name: 's', settings: example('h2-ecn.txt') }, { ...hop, name: 'b' }],
    }, /settings of s must be the config_db\.json/],
    ['depth', '['.repeat(30_000), /depth of the JSON/],
    ['no JSON', '{', /is not JSON/],
    ['text of another kind', 'x', /kind of settings/],
  ])('rejects %s in one line, with exit code 1', async (_what, content, message) => {
    const { exitCode, stdout, stderr } = await run(['lint', file('bad.json', content)]);
    expect([exitCode, stdout, stderr.split('\n').length]).toEqual([1, '', 2]);
    expect(stderr).toMatch(message);
  });

  it('prints names without terminal commands', async () => {
    const config = JSON.parse(readFileSync(example('leaf2-config_db.json'), 'utf8')) as {
      DEVICE_METADATA: { localhost: { hostname: string } };
    };
    config.DEVICE_METADATA.localhost.hostname = 'x\u001b]0;y\u0007';
    const { stdout } = await run(['lint', file('named.json', config)]);
    expect(stdout).toContain('x?]0;y?');
  });
});

describe('roce-cc settings', () => {
  it('shows the settings of an adapter by name, unit and default', async () => {
    const { exitCode, stdout } = await run(['settings', example('h2-ecn.txt')]);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/rpg_hai_rate +50 Mb\/s +50 Mb\/s/);
    expect(stdout).toMatch(/rpg_gd +11 \(default\) +11/);
    expect(stdout).toMatch(/roce_rp\/enable, priorities +0, 1, 2, 3, 4, 5, 6, 7/);
    expect(stdout).toMatch(/roce_np\/enable, priorities +none/);
  });

  it('compares two switches port by port, with exit code 3 if they differ', async () => {
    const [one, other] = [example('leaf1-config_db.json'), example('leaf2-config_db.json')];
    const { exitCode, stdout } = await run(['settings', one, '--compare', other, '--json']);
    expect(exitCode).toBe(3);
    expect(JSON.parse(stdout)).toContainEqual({
      port: 'Ethernet8',
      name: 'PORT_QOS_MAP pfc_enable',
      value: '3',
      other: 'none',
    });
    expect(await run(['settings', one, '--compare', one])).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('The settings are equal') as string,
    });
  });

  it('compares adapters of different vendors by parameter', async () => {
    const irdma = file('irdma.txt', 'dcqcn_enable=1\ndcqcn_cc_cfg_valid=1\n');
    const { exitCode, stdout } = await run([
      'settings',
      example('h2-ecn.txt'),
      '--compare',
      irdma,
      '--mss',
      '4096',
      '--rtt',
      '10us',
    ]);
    expect([exitCode, stdout]).toEqual([3, expect.stringMatching(/alphaGain/)]);
  });

  it('does not compare an adapter with a switch', async () => {
    const { exitCode, stderr } = await run([
      'settings',
      example('h2-ecn.txt'),
      '--compare',
      example('leaf1-config_db.json'),
    ]);
    expect([exitCode, stderr]).toEqual([1, expect.stringMatching(/--compare must be an adapter's settings/)]);
  });
});

describe('roce-cc headroom and plan', () => {
  it('compute each term as the simulator does, and the space between Kmax and xoff', async () => {
    const args = ['headroom', '--rate', '100G', '--cable', '300', '--kmax', '1.6MB', '--xoff', '1.8MB', '--json'];
    const { stdout } = await run(args);
    // 1.5 µs at 100 Gb/s are 18,750 bytes; 3 packets of 9,216 and 8 pause frames of 64 more.
    expect(JSON.parse(stdout)).toMatchObject({
      totalBytes: 114_148,
      simulator: { hpccRuleBytes: 56_250, standardBytes: 84_410 },
      room: { roomBytes: 200_000, neededBytes: 275_000, suffices: false },
    });
  });

  it('compute the same headroom for each link', async () => {
    for (
      const link of [[], ['--rate', '400G', '--delay', '600ns'], ['--rate', '100G', '--cable', '300m', '--cell', '254']]
    ) {
      const headroom = JSON.parse((await run(['headroom', ...link, '--json'])).stdout) as { totalBytes: number };
      const plan = JSON.parse((await run(['plan', ...link, '--json'])).stdout) as {
        settings: { sonic: string; value: string }[];
      };
      const planned = plan.settings.find(({ sonic }) => sonic === 'BUFFER_PROFILE xoff');
      expect(planned?.value).toBe(`${headroom.totalBytes.toLocaleString('en-US')} bytes`);
    }
  });

  it('state each term, its source, and what is omitted', async () => {
    const { stdout } = await run(['headroom', '--rate', '400G', '--cable', '5']);
    expect(stdout).toMatch(/Interfaces of both ends.* 115,840 bytes +IEEE 802\.3, 31B\.3\.7, 400 Gb\/s/);
    expect(stdout).toMatch(/Response of the peer +30,720 bytes +IEEE 802\.1Q, 36\.1\.3\.3/);
    expect(stdout).toMatch(/Not included\n +Cells: /);
    const given = ['--cell', '254', '--interface-delay', '0ns', '--response-delay', '1us'];
    const other = await run(['headroom', '--rate', '400G', '--cable', '5', ...given]);
    expect(other.stdout).toMatch(/Interfaces.* 0 bytes +given\n.*Response of the peer +50,000 bytes +given/);
    expect(other.stdout).not.toMatch(/Cells: /);
  });

  it('use the names of vendors', async () => {
    const { exitCode, stdout } = await run(['plan', '--rate', '400G']);
    expect([exitCode, stdout]).toEqual([
      0,
      expect.stringMatching(/Kmax +6,400,000 bytes +WRED_PROFILE green_max_threshold/),
    ]);
    const lossy = await run(['plan', '--profile', 'lossy-2']);
    expect(lossy.stdout).not.toMatch(/Kmax|Xoff/);
  });

  it.each([
    [['headroom', '--kmax', '1MB'], /no effect without '--xoff'/],
    [['headroom', '--cable', '300', '--delay', '1us'], /cannot be used with/],
    [['headroom', '--cable', '1000000'], /1 to 200000/],
    [['headroom', '--cable', '0m'], /from 1 on/],
    [['plan', '--cable', '300', '--delay', '1us'], /cannot be used with/],
    [['plan', '--path', '2'], /no effect without '--json'/],
    [['plan', '--path', '1000', '--json'], /1 to 64/],
  ])('reject %j with exit code 2', async (args, message) => {
    const { exitCode, stdout, stderr } = await run(args);
    expect([exitCode, stdout, stderr]).toEqual([2, '', expect.stringMatching(message)]);
  });
});

describe('roce-cc run --settings', () => {
  const options = { lineRateBps: 100e9, kind: undefined, mssBytes: 4096, rttPs: 1e7 };

  it('derives DCQCN parameters from adapter settings, and thresholds from switch settings', async () => {
    const files = [example('h2-ecn.txt'), example('leaf1-config_db.json')];
    const changes = settingsChanges(await readAllSettings(files, options), {
      algorithms: { one: { preset: 'dcqcn-sigcomm15' }, two: { preset: 'hpcc-sigcomm19' } },
    }, 'x');
    const values = Object.fromEntries(changes.map(({ path: steps, value }) => [steps.join('.'), value]));
    expect(values).toMatchObject({
      'algorithms.one': { preset: 'dcqcn-connectx', parameters: { aiRateBps: 5e6, alphaGain: 5 / 1024 } },
      'hosts.cnpIntervalUs': 4,
      'switches.ecn': { kminKB: 400, kmaxKB: 1600, pmax: 0.2, scaleWithRate: false },
      'switches.pfc': true,
      'switches.headroomBytes': 165_888,
      'switches.watchdog': { detectionUs: 400_000, restorationUs: 400_000, action: 'drop' },
    });
    expect(values).not.toHaveProperty('algorithms.two');
    expect(values['algorithms.one']).not.toHaveProperty('parameters.maxRateBps');
  });

  it('runs with these settings', async () => {
    const small = file('small.json', {
      name: 'small',
      topology: { kind: 'star', hosts: 3 },
      workload: { kind: 'incast', senders: 2, sizeBytes: 20_000 },
    });
    const args = ['run', small, '--settings', example('h2-ecn.txt'), '--settings', example('leaf1-config_db.json')];
    const { exitCode, stdout } = await run([...args, '--json', '-']);
    expect(exitCode).toBe(0);
    expect((JSON.parse(stdout) as { scenario: unknown }).scenario).toMatchObject({
      algorithms: { default: { preset: 'dcqcn-connectx' } },
      switches: { ecn: { kmaxKB: 1600 } },
    });
  });

  it.each([
    [
      'ports that differ',
      ['incast-16', '--settings', example('leaf2-config_db.json')],
      /Ethernet8 must be as that of Ethernet0/,
    ],
    ['a scenario without DCQCN', ['incast-16-hpcc', '--settings', example('h2-ecn.txt')], /dcqcn preset/],
  ])('rejects %s', async (_what, args, message) => {
    const { exitCode, stderr } = await run(['run', ...args]);
    expect([exitCode, stderr]).toEqual([1, expect.stringMatching(message)]);
  });

  it('rejects options that would have no effect', async () => {
    expect(await run(['run', 'incast-16', '--line-rate', '10G'])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("without '--settings'") as string,
    });
  });
});
