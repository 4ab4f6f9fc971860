/** What only SONiC's tables show: buffers made at run time, headroom, the watchdog, keys of large switches. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { lintInput } from '../../src/cli/lint/lint-input.js';
import { RECOMMENDED_INTENT, importSonicConfig } from '../../src/qos/index.js';
import { isSonicConfig } from '../../src/qos/sonic/import-sonic.js';
import { lintSonicPort } from '../../src/qos/sonic/lint-port.js';

type Tables = Record<string, Record<string, Record<string, unknown>>>;

const TEXT = readFileSync(new URL('../../examples/operators/leaf1-config_db.json', import.meta.url), 'utf8');
const PORTS = ['Ethernet0', 'Ethernet4', 'Ethernet8'];
const changed = (change: (tables: Tables) => void): string => {
  const tables = JSON.parse(TEXT) as Tables;
  change(tables);
  return JSON.stringify(tables);
};
const cables = (metres: string) => ({ AZURE: Object.fromEntries(PORTS.map((port) => [port, metres])) });
/** Rules that the command line reports for a switch. */
async function lint(change: (tables: Tables) => void) {
  const config = importSonicConfig(changed(change));
  return lintInput({ kind: 'sonic', config }, { lineRate: 100e9 } as never);
}
const rulesOf = async (change: (tables: Tables) => void) => (await lint(change)).findings.map(({ rule }) => rule);
const lossless = (tables: Tables) => Object.values(tables.BUFFER_PROFILE).find(({ xoff }) => xoff !== undefined)!;

describe('headroom against CABLE_LENGTH and speed', () => {
  const withXoff = (xoff: number, metres: string) => (tables: Tables) => {
    tables.CABLE_LENGTH = cables(metres);
    lossless(tables).xoff = String(xoff);
  };

  it.each([
    [20_000, '300m', ['headroom-too-small']],
    [55_803, '300m', ['headroom-too-small']],
    [55_804, '300m', ['headroom-below-bound']],
    [81_020, '300m', []],
    [20_000, '5m', ['headroom-below-bound']],
    [165_888, '40m', []],
  ])('of %i bytes on %s', async (xoff, metres, rules) => {
    expect(await rulesOf(withXoff(xoff, metres))).toEqual(rules);
  });

  it('is not checked without a cable, and not where the switch computes it', async () => {
    expect(await rulesOf((tables) => {
      lossless(tables).xoff = '20000';
    })).toEqual([]);
    expect(await rulesOf((tables) => {
      tables.CABLE_LENGTH = cables('300m');
      lossless(tables).headroom_type = 'dynamic';
    })).toEqual([]);
  });

  it('follows rate and MTU of the port', () => {
    const faultsOf = (port: Record<string, string>) => {
      const config = importSonicConfig(changed((tables) => {
        withXoff(60_000, '40m')(tables);
        Object.assign(tables.PORT.Ethernet0, port);
      }));
      return lintSonicPort(config.ports[0], RECOMMENDED_INTENT, 'lossless').map(({ rule }) => rule);
    };
    expect(faultsOf({})).toEqual([]);
    expect(faultsOf({ speed: '400000' })).toEqual(['headroom-below-bound']);
    expect(faultsOf({ speed: '800000', mtu: '16000' })).toEqual(['headroom-too-small']);
  });

  it.each(['300', 'long', '-5m', '3000000m'])('rejects the length %j', (metres) => {
    expect(() =>
      importSonicConfig(changed((tables) => {
        tables.CABLE_LENGTH = cables(metres);
      }))
    ).toThrow(/Ethernet0 of CABLE_LENGTH\|AZURE must be metres/);
  });
});

describe('priority groups that buffermgrd makes', () => {
  const withoutGroup = (tables: Tables) => {
    delete tables.BUFFER_PG['Ethernet0,Ethernet4,Ethernet8|3'];
  };

  it('are lossless, with thresholds that are not known', async () => {
    const { findings, notes } = await lint((tables) => {
      withoutGroup(tables);
      tables.CABLE_LENGTH = cables('300m');
    });
    expect(findings).toEqual([]);
    expect(notes.join(' ')).toMatch(/buffermgrd makes it.*pg_lossless_100000_300m_profile.*thresholds are not known/);
  });

  it('are made by the dynamic buffer model without a cable too', async () => {
    expect(await rulesOf((tables) => {
      withoutGroup(tables);
      tables.DEVICE_METADATA.localhost.buffer_model = 'dynamic';
    })).toEqual([]);
  });

  it.each<[string, (tables: Tables) => void]>([
    ['without CABLE_LENGTH', () => undefined],
    ['with a cable of 0m', (tables) => {
      tables.CABLE_LENGTH = cables('0m');
    }],
    ['without PORT speed', (tables) => {
      tables.CABLE_LENGTH = cables('5m');
      for (const port of PORTS) delete tables.PORT[port].speed;
    }],
  ])('are not made %s', async (_, change) => {
    expect(await rulesOf((tables) => {
      withoutGroup(tables);
      change(tables);
    })).toEqual(['pause-without-buffer']);
  });
});

describe('the watchdog', () => {
  const watches = (priorities: string) => (tables: Tables) => {
    for (const port of PORTS) tables.PORT_QOS_MAP[port].pfcwd_sw_enable = priorities;
  };

  it.each([['4', ['watchdog-other-priority']], ['', ['watchdog-other-priority']], ['3', []], ['3,4', []]])(
    'on priorities %j',
    async (priorities, rules) => {
      expect(await rulesOf(watches(priorities))).toEqual(rules);
    },
  );

  it.each([['401', ['watchdog-polls-slowly']], ['400', []], ['200', []]])('that polls every %s ms, of 400 to detect',
    async (poll, rules) => {
      expect(await rulesOf((tables) => {
        tables.PFC_WD.GLOBAL = { POLL_INTERVAL: poll };
      })).toEqual(rules);
    });
});

describe('WRED profiles', () => {
  it('without green packets never mark, and the finding states why', async () => {
    const { findings } = await lint((tables) => {
      tables.WRED_PROFILE.AZURE_LOSSLESS.wred_green_enable = 'false';
    });
    expect(findings).toMatchObject([{
      rule: 'ecn-off',
      got: expect.stringMatching(/wred_green_enable false.*no effect/),
    }]);
  });

  it('without wred_green_enable are doubtful', async () => {
    const { findings, warnings } = await lint((tables) => {
      delete tables.WRED_PROFILE.AZURE_LOSSLESS.wred_green_enable;
    });
    expect(findings).toEqual([]);
    expect(warnings.join(' ')).toMatch(/no wred_green_enable/);
  });
});

describe('keys of large switches', () => {
  const ofLineCard = (card: string, tables: Tables) =>
    Object.fromEntries(Object.entries(tables.QUEUE).flatMap(([key, entry]) => {
      const [ports = '', queues] = key.split('|');
      return ports.split(',').map((port) => [`${card}|${port}|${queues}`, entry]);
    }));

  it('name line card and ASIC in a VOQ chassis', async () => {
    expect(await rulesOf((tables) => {
      tables.QUEUE = ofLineCard('lc3|Asic0', tables);
    })).toEqual([]);
  });

  it('leave out the ports of other line cards', async () => {
    expect(await rulesOf((tables) => {
      const own = ofLineCard('leaf1|Asic0', tables);
      const remote = Object.fromEntries(Object.keys(ofLineCard('lc0|Asic0', tables)).map((key) => [key, {}]));
      tables.QUEUE = { ...remote, ...own };
    })).toEqual([]);
  });

  it('name several ports in PORT_QOS_MAP and PFC_WD', async () => {
    expect(await rulesOf((tables) => {
      const [map] = Object.values(tables.PORT_QOS_MAP);
      const watchdog = tables.PFC_WD.Ethernet0;
      tables.PORT_QOS_MAP = { [PORTS.join(',')]: map };
      tables.PFC_WD = { [PORTS.join(',')]: watchdog };
    })).toEqual([]);
  });

  it('have the tables of each ASIC in a file of several', () => {
    const both = {
      localhost: { DEVICE_METADATA: {} },
      asic0: JSON.parse(TEXT) as Tables,
      asic1: JSON.parse(TEXT) as Tables,
    };
    expect(isSonicConfig(both)).toBe(true);
    expect(importSonicConfig(JSON.stringify(both)).ports).toHaveLength(2 * PORTS.length);
  });
});

describe('a config_db.json without QoS tables', () => {
  it('is known, and states what it lacks', () => {
    const bare = { DEVICE_METADATA: { localhost: { hostname: 'leaf9' } }, PORT: { Ethernet0: { speed: '100000' } } };
    expect(isSonicConfig(bare)).toBe(true);
    expect(() => importSonicConfig(JSON.stringify(bare))).toThrow(/has no QoS tables.*PORT_QOS_MAP, QUEUE, BUFFER_PG/);
  });
});
