/**
 * roce-cc lint on a SONiC switch: variants of the config_db.json of examples/operators/leaf1, which has no findings.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run } from './support/run.js';
import { textsOf } from '../support/note-texts.js';
import type { NoteRecord } from '../../src/note-record.js';

type Tables = Record<string, Record<string, Record<string, unknown>>>;
type Change = (tables: Tables) => unknown;

interface Found {
  readonly exitCode: number;
  readonly findings: readonly {
    readonly rule: string;
    readonly place: string;
    readonly figures: object;
    readonly message: string;
    readonly got: string;
    readonly expected: string;
    readonly advice: string;
    readonly setting: string;
    readonly source: string;
  }[];
  readonly notes: readonly NoteRecord[];
}

const BASE = readFileSync(fileURLToPath(new URL('../../examples/operators/leaf1-config_db.json', import.meta.url)),
  'utf8');
const PORTS = ['Ethernet0', 'Ethernet4', 'Ethernet8'];
const ALL = PORTS.join(',');
const PROFILE = 'pg_lossless_100000_300m_profile';
let folder = '';
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'roce-cc-sonic-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

async function lintJson(json: unknown, ...flags: string[]): Promise<Found> {
  const file = path.join(folder, 'config_db.json');
  writeFileSync(file, JSON.stringify(json));
  const { exitCode, stdout, stderr } = await run(['lint', file, '--json', ...flags]);
  expect(stderr).toBe('');
  return { ...(JSON.parse(stdout) as Omit<Found, 'exitCode'>), exitCode };
}

async function lint(change: Change, ...flags: string[]): Promise<Found> {
  const tables = JSON.parse(BASE) as Tables;
  change(tables);
  return lintJson(tables, ...flags);
}

const rulesOf = ({ findings }: Found): string[] => findings.map(({ rule }) => rule);
const cables = (length: string): Record<string, Record<string, string>> => ({
  AZURE: Object.fromEntries(PORTS.map((port) => [port, length])),
});
const eachPort = (tables: Tables, fields: Record<string, unknown>): void => {
  for (const port of PORTS) Object.assign(tables.PORT_QOS_MAP[port], fields);
};
const withoutGroup = (tables: Tables): void => {
  Reflect.deleteProperty(tables.BUFFER_PG, `${ALL}|3`);
  Reflect.deleteProperty(tables.BUFFER_PROFILE, PROFILE);
};

describe('A finding of a SONiC switch', () => {
  it.each<[what: string, rule: string, text: RegExp, change: Change]>([
    [
      'WRED off for green',
      'ecn-off',
      /no effect on green packets: wred_green_enable of WRED_PROFILE\|AZURE_LOSSLESS is false/,
      (t) => (t.WRED_PROFILE.AZURE_LOSSLESS.wred_green_enable = 'false'),
    ],
    [
      'WRED off for green, as JSON',
      'ecn-off',
      /wred_green_enable/,
      (t) => (t.WRED_PROFILE.AZURE_LOSSLESS.wred_green_enable = false),
    ],
    [
      'wred_green_enable missing',
      'ecn-off',
      /is missing, which means false/,
      (t) => delete t.WRED_PROFILE.AZURE_LOSSLESS.wred_green_enable,
    ],
    ['ECN off', 'ecn-off', /is ecn_none/, (t) => (t.WRED_PROFILE.AZURE_LOSSLESS.ecn = 'ecn_none')],
    ['ecn missing', 'ecn-off', /is ecn_none/, (t) => delete t.WRED_PROFILE.AZURE_LOSSLESS.ecn],
    [
      'ECN for other colours',
      'ecn-off',
      /ecn_yellow_red, which marks no green packets/,
      (t) => (t.WRED_PROFILE.AZURE_LOSSLESS.ecn = 'ecn_yellow_red'),
    ],
    [
      'no wred_profile in the queue',
      'ecn-off',
      /QUEUE has no wred_profile \(WRED_PROFILE has AZURE_LOSSLESS\)/,
      (t) => Reflect.deleteProperty(t.QUEUE[`${ALL}|3`], 'wred_profile'),
    ],
    ['no queue', 'ecn-off', /QUEUE has no entry/, (t) => Reflect.deleteProperty(t.QUEUE, `${ALL}|3`)],
    [
      'thresholds the wrong way round',
      'ecn-inverted',
      /queue 3 has its green_min_threshold above its green_max_threshold/,
      (t) => (t.WRED_PROFILE.AZURE_LOSSLESS.green_min_threshold = '2000000'),
    ],
    [
      'thresholds for ECN alone the wrong way round',
      'ecn-inverted',
      /green_min_threshold above/,
      (t) => (t.WRED_PROFILE.AZURE_LOSSLESS.ecn_green_min_threshold = '1600001'),
    ],
    [
      'marks above the limit',
      'ecn-ends-above-xoff',
      /queue reaches the limit of dynamic_th or static_th of the port/,
      (t) => (t.WRED_PROFILE.AZURE_LOSSLESS.green_max_threshold = '5000000'),
    ],
    [
      'an xoff below what the cable holds',
      'headroom-below-cable',
      /xoff holds 20,000 bytes.*300m alone brings 37,500/,
      (t) => {
        t.BUFFER_PROFILE[PROFILE].xoff = '20000';
        t.CABLE_LENGTH = cables('300m');
      },
    ],
    [
      'the same without CABLE_LENGTH',
      'headroom-below-cable',
      /300m/,
      (t) => (t.BUFFER_PROFILE[PROFILE].xoff = '20000'),
    ],
    [
      'an xoff below the limits of the standards',
      'headroom-below-limit',
      /holds 114,147 bytes.*up to 114,148 bytes/,
      (t) => (t.BUFFER_PROFILE[PROFILE].xoff = '114147'),
    ],
    ['a faster port', 'headroom-below-limit', /at 400 Gb\/s and 300m/, (t) => {
      for (const port of PORTS) t.PORT[port].speed = '400000';
    }],
    ['a longer cable', 'headroom-below-cable', /2000m alone brings 250,000/, (t) => (t.CABLE_LENGTH = cables('2000m'))],
    ['a cable in a list of another name', 'headroom-below-cable', /2000m/, (t) => {
      t.CABLE_LENGTH = { OTHER: cables('2000m').AZURE };
    }],
    [
      'no shared headroom pool',
      'headroom-not-reserved',
      /neither size nor a shared headroom pool/,
      (t) => delete t.BUFFER_POOL.ingress_lossless_pool.xoff,
    ],
    [
      'a shared headroom pool of 0',
      'headroom-not-reserved',
      /neither size/,
      (t) => (t.BUFFER_POOL.ingress_lossless_pool.xoff = '0'),
    ],
    [
      'a small shared headroom pool',
      'headroom-pool-too-small',
      /smaller than the headroom of one/,
      (t) => (t.BUFFER_POOL.ingress_lossless_pool.xoff = '100000'),
    ],
    [
      'no xoff',
      'pause-without-buffer',
      /priority group 3 is lossy: BUFFER_PROFILE\|pg_lossless_100000_300m_profile has no xoff/,
      (t) => Reflect.deleteProperty(t.BUFFER_PROFILE[PROFILE], 'xoff'),
    ],
    [
      'a group that nothing makes',
      'pause-without-buffer',
      /buffermgrd makes none: CABLE_LENGTH has no length/,
      withoutGroup,
    ],
    ['a group with a cable of 0m', 'pause-without-buffer', /CABLE_LENGTH has no length/, (t) => {
      withoutGroup(t);
      t.CABLE_LENGTH = cables('0m');
    }],
    ['a group without speed', 'pause-without-buffer', /PORT has no speed/, (t) => {
      withoutGroup(t);
      t.CABLE_LENGTH = cables('300m');
      for (const port of PORTS) Reflect.deleteProperty(t.PORT[port], 'speed');
    }],
    ['a group that the dynamic model lacks', 'pause-without-buffer', /the dynamic buffer model needs one/, (t) => {
      withoutGroup(t);
      t.CABLE_LENGTH = cables('300m');
      t.DEVICE_METADATA.localhost.buffer_model = 'dynamic';
    }],
    [
      'a watchdog of another priority',
      'watchdog-other-priority',
      /pfc_enable has 3.*pfcwd_sw_enable has 4/,
      (t) => eachPort(t, { pfcwd_sw_enable: '4' }),
    ],
    [
      'a watchdog of no priority',
      'watchdog-other-priority',
      /pfcwd_sw_enable has none/,
      (t) => eachPort(t, { pfcwd_sw_enable: '' }),
    ],
    [
      'a watchdog of one of two',
      'watchdog-other-priority',
      /pfc_enable has 4, which/,
      (t) => eachPort(t, { pfc_enable: '3,4', pfcwd_sw_enable: '3' }),
    ],
    ['no watchdog', 'watchdog-missing', /blocks this port permanently/, (t) => delete t.PFC_WD.Ethernet4],
    ['polls slower than detection', 'watchdog-slow-poll', /more slowly than detection_time/, (t) => {
      t.PFC_WD.GLOBAL.POLL_INTERVAL = '500';
      for (const port of PORTS) t.PFC_WD[port].restoration_time = '2000';
    }],
    [
      'polls slower than restoration',
      'watchdog-slow-poll',
      /more slowly than restoration_time/,
      (t) => (t.PFC_WD.Ethernet0.restoration_time = '100'),
    ],
    [
      'a detection that orchagent rejects',
      'watchdog-rejected',
      /detection_time of PFC_WD is out of range/,
      (t) => (t.PFC_WD.Ethernet0.detection_time = '6000'),
    ],
    [
      'a restoration that orchagent rejects',
      'watchdog-rejected',
      /restoration_time/,
      (t) => (t.PFC_WD.Ethernet0.restoration_time = '60001'),
    ],
    ['polls out of range', 'watchdog-rejected', /POLL_INTERVAL/, (t) => (t.PFC_WD.GLOBAL.POLL_INTERVAL = '50')],
    [
      'no detection_time',
      'watchdog-rejected',
      /has no detection_time/,
      (t) => delete t.PFC_WD.Ethernet0.detection_time,
    ],
    ['an action that only logs', 'watchdog-alert-only', /logs a storm/, (t) => (t.PFC_WD.Ethernet0.action = 'alert')],
    [
      'no restoration_time',
      'watchdog-without-restoration',
      /infinite/,
      (t) => delete t.PFC_WD.Ethernet0.restoration_time,
    ],
    ['the big red switch', 'big-red-switch', /drops all packets/, (t) => (t.PFC_WD.GLOBAL.BIG_RED_SWITCH = 'enable')],
    [
      'a pause of another queue',
      'pause-stops-other-queue',
      /stops queue 4 on a pause of priority 3/,
      (t) => (t.MAP_PFC_PRIORITY_TO_QUEUE.AZURE['3'] = '4'),
    ],
    ['CNPs that wait', 'cnp-not-strict', /queue 6 of the CNPs/, (t) => (t.SCHEDULER['scheduler.6'].type = 'DWRR')],
  ])('names %s', async (_what, rule, text, change) => {
    const found = await lint(change);
    expect(new Set(rulesOf(found))).toEqual(new Set([rule]));
    const [{ message, setting, source, advice }] = found.findings;
    expect(message).toMatch(text);
    expect(setting).toMatch(/[A-Z]{3,}/);
    expect([source, advice].every((words) => words !== '')).toBe(true);
    expect(JSON.stringify(found.findings)).not.toMatch(/Kmin|Kmax|xoff threshold/);
  });

  it('reports a switch without QoS tables', async () => {
    const bare = ({ DEVICE_METADATA, PORT }: Tables) => ({ DEVICE_METADATA, PORT });
    const profiles = ({ WRED_PROFILE, SCHEDULER }: Tables) => ({ WRED_PROFILE, SCHEDULER });
    const empty = ({ PORT }: Tables) => ({ PORT, PORT_QOS_MAP: {}, QUEUE: {}, BUFFER_PG: {} });
    for (const part of [bare, profiles, empty]) {
      const found = await lintJson(part(JSON.parse(BASE) as Tables));
      expect([found.exitCode, rulesOf(found)]).toEqual([3, ['qos-tables-missing']]);
      expect(found.findings[0].figures).toHaveProperty('tables');
      expect(found.findings[0].message).toMatch(/no QoS tables \(PORT_QOS_MAP, QUEUE, BUFFER_PG\)/);
    }
  });

  it('notes a missing QoS table if there are others', async () => {
    const found = await lint((t) => delete t.QUEUE);
    expect(found.notes).toContainEqual({
      code: 'table-missing',
      figures: { table: 'QUEUE' },
      text: 'config_db.json has no QUEUE.',
    });
    expect(rulesOf(found)).toContain('ecn-off');
  });
});

describe('No finding of a SONiC switch', () => {
  it.each<[what: string, change: Change, note?: RegExp]>([
    ['keys of a VOQ chassis', (t) => voqKeys(t, 'lc3|Asic0|')],
    ['a VOQ chassis with another line card', (t) => {
      Object.assign(t.DEVICE_METADATA.localhost, { hostname: 'lc3', asic_name: 'asic0' });
      const others = Object.fromEntries(Object.keys(t.QUEUE).map((key) => [`lc4|Asic1|${key}`, {}]));
      voqKeys(t, 'lc3|Asic0|');
      Object.assign(t.QUEUE, others, { 'lc4|Asic1|Ethernet64|3': {} });
    }, /only lc3\|Asic0 is read/],
    ['groups that buffermgrd makes', (t) => {
      withoutGroup(t);
      t.CABLE_LENGTH = cables('40m');
    }, /buffermgrd makes it.*pg_lossless_100000_40m_profile.*not known/],
    ['no BUFFER_PG at all, as buffermgrd makes it', (t) => {
      withoutGroup(t);
      delete t.BUFFER_PG;
      t.CABLE_LENGTH = cables('40m');
    }, /config_db\.json has no BUFFER_PG/],
    [
      'a profile that buffermgrd makes',
      (t) => Reflect.deleteProperty(t.BUFFER_PROFILE, PROFILE),
      /BUFFER_PROFILE has no pg_lossless/,
    ],
    ['the dynamic buffer model', (t) => {
      withoutGroup(t);
      t.DEVICE_METADATA.localhost.buffer_model = 'dynamic';
      t.BUFFER_PG[`${ALL}|3-4`] = { profile: 'NULL' };
      t.BUFFER_POOL = { ingress_lossless_pool: { type: 'ingress', mode: 'dynamic' } };
    }, /computed by the switch when it runs: their thresholds are not known/],
    ['a profile with a dynamic headroom', (t) => {
      t.BUFFER_PROFILE[PROFILE] = { headroom_type: 'dynamic', dynamic_th: '-1', pool: 'ingress_lossless_pool' };
    }, /not known/],
    ['a shared headroom by over_subscribe_ratio', (t) => {
      delete t.BUFFER_POOL.ingress_lossless_pool.xoff;
      t.DEFAULT_LOSSLESS_BUFFER_PARAMETER = { AZURE: { default_dynamic_th: '0', over_subscribe_ratio: '2' } };
    }],
    ['a reserve that holds xoff', (t) => {
      delete t.BUFFER_POOL.ingress_lossless_pool.xoff;
      t.BUFFER_PROFILE[PROFILE].size = '184320';
    }],
    ['no speed', (t) => {
      for (const port of PORTS) Reflect.deleteProperty(t.PORT[port], 'speed');
    }, /PORT has no speed of the port: xoff of .* is not compared/],
    ['no cable', (t) => (t.CABLE_LENGTH = cables('None'))],
    ['a watchdog of the same priorities', (t) => eachPort(t, { pfcwd_sw_enable: '3' })],
    ['keys of PORT_QOS_MAP for several ports', (t) => {
      t.PORT_QOS_MAP = { [ALL]: t.PORT_QOS_MAP.Ethernet0, global: { dscp_to_tc_map: 'AZURE' } };
    }],
    ['references in brackets', (t) => {
      eachPort(t, { dscp_to_tc_map: '[DSCP_TO_TC_MAP|AZURE]', tc_to_pg_map: '[TC_TO_PRIORITY_GROUP_MAP|AZURE]' });
      t.BUFFER_PG[`${ALL}|3`].profile = `[BUFFER_PROFILE|${PROFILE}]`;
      t.BUFFER_PROFILE[PROFILE].pool = '[BUFFER_POOL|ingress_lossless_pool]';
    }],
    ['thresholds for ECN alone', (t) => {
      const { green_min_threshold: min, green_max_threshold: max, ...rest } = t.WRED_PROFILE.AZURE_LOSSLESS;
      t.WRED_PROFILE.AZURE_LOSSLESS = { ...rest, ecn_green_min_threshold: min, ecn_green_max_threshold: max };
    }],
  ])('results from %s', async (_what, change, note = /./) => {
    const found = await lint(change);
    expect([found.findings, found.exitCode]).toEqual([[], 0]);
    expect(textsOf(found.notes).join('\n')).toMatch(note);
  });

  it('results from a file with several ASICs', async () => {
    const [one, other] = [JSON.parse(BASE) as Tables, JSON.parse(BASE) as Tables];
    const found = await lintJson({
      localhost: { DEVICE_METADATA: { localhost: { hostname: 'leaf9' } } },
      asic0: one,
      asic1: other,
    });
    expect([found.findings, found.exitCode]).toEqual([[], 0]);
    eachPort(other, { pfc_enable: '' });
    const differ = await lintJson({ localhost: { DEVICE_METADATA: one.DEVICE_METADATA }, asic0: one, asic1: other });
    expect(new Set(rulesOf(differ))).toEqual(new Set(['pause-one-sided']));
    expect(differ.findings[0].place).toMatch(/^leaf1 asic1\|Ethernet0/);
  });

  it('results from ECN if the profile has none', async () => {
    const found = await lint((t) => {
      t.WRED_PROFILE.AZURE_LOSSLESS.wred_green_enable = 'false';
      eachPort(t, { pfc_enable: '' });
    }, '--profile', 'lossy-2');
    expect(rulesOf(found)).not.toContain('ecn-off');
  });
});

describe('An invalid config_db.json', () => {
  it.each<[what: string, text: RegExp, change: Change]>([
    [
      'a cable without unit',
      /Ethernet0 of CABLE_LENGTH\|AZURE must be a length up to 200000m/,
      (t) => (t.CABLE_LENGTH = cables('300')),
    ],
    ['a cable to the moon', /CABLE_LENGTH/, (t) => (t.CABLE_LENGTH = cables('384000000m'))],
    [
      'a flag that is neither true nor false',
      /wred_green_enable of WRED_PROFILE\|AZURE_LOSSLESS must be "true" or "false" \(got "yes"\)/,
      (t) => (t.WRED_PROFILE.AZURE_LOSSLESS.wred_green_enable = 'yes'),
    ],
    ['a key of three parts', /a key of QUEUE must be ports and numbers/i, (t) => (t.QUEUE['lc3|Ethernet0|3'] = {})],
    ['a key of empty parts', /a key of QUEUE must be/i, (t) => (t.QUEUE['||Ethernet0|3'] = {})],
    ['a watchdog of an unknown action', /action of PFC_WD\|Ethernet0/, (t) => (t.PFC_WD.Ethernet0.action = 'reboot')],
    [
      'priorities that are none',
      /pfcwd_sw_enable of PORT_QOS_MAP\|Ethernet0/,
      (t) => eachPort(t, { pfcwd_sw_enable: '3;4' }),
    ],
    ['a profile that nothing makes', /profile of BUFFER_PG/, (t) => (t.BUFFER_PG[`${ALL}|3`].profile = 'mine')],
    ['a metadata list', /DEVICE_METADATA/, (t) => (t.DEVICE_METADATA = [] as never)],
    [
      'a ratio below 0',
      /over_subscribe_ratio/,
      (t) => (t.DEFAULT_LOSSLESS_BUFFER_PARAMETER = { AZURE: { over_subscribe_ratio: -1 } }),
    ],
  ])('with %s is rejected in one line', async (_what, text, change) => {
    const tables = JSON.parse(BASE) as Tables;
    change(tables);
    const file = path.join(folder, 'bad.json');
    writeFileSync(file, JSON.stringify(tables));
    const { exitCode, stdout, stderr } = await run(['lint', file]);
    expect([exitCode, stdout, stderr.split('\n').length]).toEqual([1, '', 2]);
    expect(stderr).toMatch(text);
  });

  it.each(['settings', 'run'])('without QoS tables is rejected by %s', async (command) => {
    const file = path.join(folder, 'bare.json');
    writeFileSync(file, JSON.stringify({ PORT: { Ethernet0: {} } }));
    const args = command === 'run' ? ['run', 'incast-16', '--settings', file] : ['settings', file];
    expect(await run(args)).toMatchObject({ exitCode: 1, stderr: expect.stringMatching(/no QoS tables/) as string });
  });
});

function voqKeys(tables: Tables, card: string): void {
  tables.QUEUE = Object.fromEntries(Object.entries(tables.QUEUE).flatMap(([key, fields]) => {
    const [ports, numbers] = key.split('|');
    return ports.split(',').map((port) => [`${card}${port}|${numbers}`, fields]);
  }));
}
