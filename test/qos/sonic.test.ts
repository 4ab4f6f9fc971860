/** Imports port settings from SONiC's config_db.json; the sample in examples/operators was written by hand. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { RoceError } from '../../src/errors.js';
import { importSonicConfig, LINT_RULE_NAMES, lintPath, recommendedHost, ruleSourceOf, validatePortQos, vendorSettingOf,
  type LintFinding } from '../../src/qos/index.js';
import { isSonicConfig } from '../../src/qos/sonic/import-sonic.js';

type Tables = Record<string, Record<string, Record<string, unknown>>>;

const TEXT = readFileSync(fileURLToPath(new URL('../../examples/operators/leaf1-config_db.json', import.meta.url)),
  'utf8');
const changed = (change: (tables: Tables) => void): string => {
  const tables = JSON.parse(TEXT) as Tables;
  change(tables);
  return JSON.stringify(tables);
};
const firstPort = (change: (tables: Tables) => void) => importSonicConfig(changed(change)).ports[0];

describe('a SONiC configuration', () => {
  const config = importSonicConfig(TEXT);

  it('yields valid ports, which have no findings between recommended hosts', () => {
    expect([config.name, config.ports.map(({ name }) => name)]).toEqual(['leaf1', [
      'Ethernet0',
      'Ethernet4',
      'Ethernet8',
    ]]);
    const [{ qos, findings, notes }] = config.ports;
    validatePortQos(qos, 'port');
    expect([findings, notes]).toEqual([[], [{
      code: 'cable-of-profile',
      figures: { cable: '300m', place: expect.any(String) as string },
      text: expect.stringMatching(/^CABLE_LENGTH has no length of the port: 300m/) as string,
    }]]);
    const node = { kind: 'switch', name: 'leaf1', upstream: qos, downstream: qos } as const;
    expect(lintPath([recommendedHost('a'), node, recommendedHost('b')])).toEqual([]);
  });

  it('sets maps, PFC, ECN, schedulers, buffers, rate and watchdog of a port', () => {
    const [{ qos, rateBps, watchdog }] = config.ports;
    expect(qos.dscpToPriority.slice(24, 33)).toEqual([3, 3, 3, 3, 3, 3, 3, 3, 0]);
    expect(qos.pfc).toEqual({ sendPriorities: [3], honourPriorities: [3] });
    expect(qos.trafficClasses[3].ecn).toEqual({ minBytes: 400_000, maxBytes: 1_600_000, probability: 0.2 });
    expect(qos.trafficClasses[6].scheduler).toEqual({ kind: 'strict' });
    // Weight 40 of a total of 6 * 10 + 40.
    expect(qos.trafficClasses[3].scheduler).toEqual({ kind: 'ets', weightPercent: 40 });
    // alpha = 2^-1: a third of the pool, if no other group uses it.
    expect(qos.groups[3]).toEqual({
      kind: 'lossless',
      reservedBytes: 18_432,
      alpha: 0.5,
      xoffBytes: 4_000_000,
      xonBytes: 18_432,
      headroomBytes: 165_888,
    });
    expect([rateBps, watchdog]).toEqual([100e9, { detectionMs: 400, restorationMs: 400, action: 'drop' }]);
  });

  it('accepts references in brackets and keys for several ports, as older versions write them', () => {
    const port = firstPort((tables) => {
      Object.assign(tables.PORT_QOS_MAP.Ethernet0, { dscp_to_tc_map: '[DSCP_TO_TC_MAP|AZURE]' });
      Object.assign(tables.QUEUE['Ethernet0,Ethernet4,Ethernet8|3'], { wred_profile: '[WRED_PROFILE|AZURE_LOSSLESS]' });
    });
    expect(port.qos).toEqual(config.ports[0].qos);
  });

  it('maps everything to 0 if a port has no maps, with a note', () => {
    const port = firstPort((tables) => {
      tables.PORT_QOS_MAP.Ethernet0 = {};
    });
    expect([new Set(port.qos.dscpToPriority), new Set(port.qos.priorityToTrafficClass)]).toEqual([
      new Set([0]),
      new Set([0]),
    ]);
    expect(port.notes.map(({ text }) => text).join(' ')).toMatch(
      /neither dscp_to_tc_map.*no tc_to_pg_map.*no tc_to_queue_map/,
    );
  });

  it('warns if a pause stops a queue other than the egress queue of its class', () => {
    const port = firstPort((tables) => {
      tables.MAP_PFC_PRIORITY_TO_QUEUE.AZURE['3'] = '4';
    });
    expect(port.findings).toEqual([expect.objectContaining({
      rule: 'pause-stops-other-queue',
      message: expect.stringMatching(
        /MAP_PFC_PRIORITY_TO_QUEUE\|AZURE stops queue 4 on a pause of priority 3.*leaves by queue 3/,
      ) as string,
    })]);
  });

  it('honours pauses of all priorities under asymmetric PFC', () => {
    const port = firstPort((tables) => {
      tables.PORT.Ethernet0.pfc_asym = 'on';
    });
    expect(port.qos.pfc).toEqual({ sendPriorities: [3], honourPriorities: [0, 1, 2, 3, 4, 5, 6, 7] });
  });

  it('disables ECN marking if ecn is ecn_none', () => {
    const port = firstPort((tables) => {
      tables.WRED_PROFILE.AZURE_LOSSLESS.ecn = 'ecn_none';
    });
    expect(port.qos.trafficClasses[3].ecn).toBeNull();
    expect(port.reasons.find(({ index }) => index === 3)?.message).toMatch(/is ecn_none, which marks no packets/);
  });

  it('skips the rules about buffers that the switch computes', () => {
    const port = firstPort((tables) => {
      tables.BUFFER_PG['Ethernet0|3'] = { profile: 'NULL' };
      delete tables.BUFFER_PG['Ethernet0,Ethernet4,Ethernet8|3'];
    });
    expect(port.qos.groups[3].kind).toBe('lossless');
    expect(port.notStated).toEqual(['pause-without-xoff', 'pause-without-headroom']);
  });

  it.each<[string, RegExp, (tables: Tables) => void]>([
    [
      'a class beyond 7',
      /^DSCP_TO_TC_MAP\|AZURE: 26 of DSCP_TO_TC_MAP\|AZURE must be a whole number between 0 and 7 \(got "8"\)\.$/,
      (t) => (t.DSCP_TO_TC_MAP.AZURE['26'] = '8'),
    ],
    ['a map that is not there', /tc_to_pg_map of PORT_QOS_MAP\|Ethernet0/, (t) => {
      t.PORT_QOS_MAP.Ethernet0.tc_to_pg_map = 'NONE';
    }],
    ['a priority given twice', /pfc_enable of PORT_QOS_MAP\|Ethernet0/, (t) => {
      t.PORT_QOS_MAP.Ethernet0.pfc_enable = '3,3';
    }],
    ['a range without end', /a key of QUEUE must be/i, (t) => {
      t.QUEUE['Ethernet0|0-4294967295'] = {};
    }],
    ['thresholds that are missing', /green_max_threshold of WRED_PROFILE\|AZURE_LOSSLESS/, (t) => {
      delete t.WRED_PROFILE.AZURE_LOSSLESS.green_max_threshold;
    }],
    ['an entry that is a list', /WRED_PROFILE\|AZURE_LOSSLESS/, (t) => {
      t.WRED_PROFILE.AZURE_LOSSLESS = [] as unknown as Record<string, unknown>;
    }],
  ])('rejects %s, by table and field', (_what, message, change) => {
    expect(() => importSonicConfig(changed(change))).toThrow(message);
    expect(() => importSonicConfig(changed(change))).toThrow(RoceError);
  });

  it.each([['no JSON', 'x'], ['JSON of something else', '{}'], ['a list', '[]'], ['depth', '['.repeat(20_000)]])(
    'rejects %s',
    (_what, text) => {
      expect(() => importSonicConfig(text)).toThrow(RoceError);
    },
  );

  it('is recognized by its tables', () => {
    const known = [JSON.parse(TEXT), { PORT: {} }, { localhost: {}, asic0: { PORT: {} } }];
    expect(known.map((json) => isSonicConfig(json))).toEqual([true, true, true]);
    const others = [{ hops: [] }, null, [], { asic0: {} }, { localhost: { hops: [] } }, {}];
    expect(others.some((json) => isSonicConfig(json))).toBe(false);
  });
});

describe('vendor settings', () => {
  const finding = (rule: string) => ({ rule }) as LintFinding;

  it('exist for each rule of the linter', () => {
    for (const rule of LINT_RULE_NAMES) {
      expect(ruleSourceOf(rule)).not.toBe('');
      expect(vendorSettingOf(finding(rule), 'sonic')).not.toBe('');
      expect(vendorSettingOf(finding(rule), 'nvidia')).not.toBe('');
    }
    expect(vendorSettingOf(finding('pause-missing'), 'sonic')).toBe('PORT_QOS_MAP pfc_enable');
  });

  it('are rejected for an unknown rule', () => {
    expect(() => vendorSettingOf(finding('x'), 'sonic')).toThrow(/finding.rule/);
  });
});
