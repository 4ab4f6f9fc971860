import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importMlxconfig, listMlxconfig } from '../../src/config/importers/mlxconfig.js';
import { importRoceSysfsFolder } from '../../src/config/importers/node-sysfs-folder.js';
import { NVIDIA_KEYS, NVIDIA_SETTINGS } from '../../src/config/importers/nvidia-names.js';
import { importCcParams, importRoceSysfs } from '../../src/config/importers/nvidia-runtime.js';
import { dcqcnConnectx } from '../../src/config/algorithms/dcqcn/preset-connectx.js';
import { RoceError } from '../../src/errors.js';
import { gbps, us } from '../../src/units.js';
import { textsOf } from '../support/note-texts.js';

const options = { lineRateBps: gbps(100) };
const sample = (name: string): string => readFileSync(new URL(`../data/settings/${name}`, import.meta.url), 'utf8');
const shipped = dcqcnConnectx(options);

/** The error that a call throws. */
function errorOf(call: () => unknown): RoceError {
  try {
    call();
  } catch (error) {
    expect(error).toBeInstanceOf(RoceError);
    return error as RoceError;
  }
  throw new Error('accepted');
}

describe('importMlxconfig', () => {
  it('reads a full query of shipped settings as the ConnectX preset', () => {
    const imported = importMlxconfig(sample('mlxconfig-query.txt'), options);
    expect(imported.parameters).toEqual(shipped);
    expect(imported.notificationPoint).toMatchObject({
      scope: 'port',
      minTimeBetweenCnpsPs: us(4),
      cnp: { dscp: 48, pcp: 6, ecn: 'ect0', becn: true },
    });
    expect(imported.alphaConvention).toBe('retention');
    expect(imported.warnings).toEqual([]);
  });

  it('notes each assumption and each omitted setting', () => {
    const notes = textsOf(importMlxconfig(sample('mlxconfig-query.txt'), options).notes).join('\n');
    expect(notes).toMatch(/DCE_TCP_G_P1 = 1019 is read as retention: the gain of alpha is 5\/1024/);
    expect(notes).toMatch(/RPG_BYTE_RESET_P1 = 32767 is read in units of 64 bytes: 2097088 bytes/);
    expect(notes).toMatch(/RPG_MAX_RATE_P1 = 0 is the port's rate/);
    expect(notes).toMatch(/ROCE_CC_CNP_MODERATION_P1 = DEVICE_DEFAULT\(0\) \(line \d+\) is left out/);
    expect(notes).toMatch(/12 settings that are not about RoCE congestion control/);
    expect(notes).not.toMatch(/is not given/);
  });

  it('reads the requested port', () => {
    const { parameters, notificationPoint } = importMlxconfig(sample('mlxconfig-query.txt'), { ...options, port: 2 });
    expect(parameters).toEqual({
      ...shipped,
      aiRateBps: 20e6,
      haiRateBps: 200e6,
      increasePeriodPs: us(55),
      cutScale: 1,
    });
    expect(notificationPoint.minTimeBetweenCnpsPs).toBe(us(50));
    expect(errorOf(() => importMlxconfig(sample('mlxconfig-query.txt'), { ...options, port: 3 })).where).toMatch(
      /port 3/,
    );
  });

  it('reads each column of an extended query, the current one by default, with Windows line ends', () => {
    const text = sample('mlxconfig-extended-crlf.txt');
    expect(text).toContain('\r\n');
    expect(importMlxconfig(text, options).parameters).toEqual({ ...shipped, aiRateBps: 10e6, clampTargetRate: true });
    expect(importMlxconfig(text, { ...options, column: 'default' }).parameters).toEqual(shipped);
    expect(importMlxconfig(text, { ...options, column: 'next-boot' }).parameters).toEqual({
      ...shipped,
      aiRateBps: 40e6,
      clampTargetRate: true,
      alphaGain: 9 / 1024,
    });
  });

  it('rejects a column that the query lacks', () => {
    expect(errorOf(() => importMlxconfig(sample('mlxconfig-query.txt'), { ...options, column: 'default' })).where).toBe(
      'options.column',
    );
  });

  it('requires a device number if the query has several devices', () => {
    const text = sample('mlxconfig-two-devices.txt');
    expect(errorOf(() => importMlxconfig(text, options)).where).toBe('options.device');
    expect(errorOf(() => importMlxconfig(text, { ...options, device: 3 })).where).toBe('options.device');
    expect(importMlxconfig(text, { ...options, device: 1 }).parameters).toEqual(shipped);
    expect(importMlxconfig(text, { ...options, device: 2 }).parameters.aiRateBps).toBe(20e6);
  });

  it('reads single lines of a query, and assumes defaults for the other settings', () => {
    const { parameters, notes } = importMlxconfig('  RPG_AI_RATE_P1   7\n\n  RPG_GD_P1 = 10\n', options);
    expect(parameters).toEqual({ ...shipped, aiRateBps: 7e6, cutScale: 1 });
    expect(notes.filter(({ code }) => code === 'default-assumed')).toHaveLength(NVIDIA_KEYS.length - 2);
    expect(textsOf(notes)).toContain("RPG_TIME_RESET_P1 is not given: NVIDIA's default 300.");
  });

  it('notes unknown names of newer firmware in a complete query', () => {
    const text = sample('mlxconfig-query.txt').replace('RPG_GD_P1  ',
      'ROCE_CC_MAGIC_P1  True(1)\n         RPG_GD_P1  ');
    expect(textsOf(importMlxconfig(text, options).notes).join('\n')).toMatch(
      /ROCE_CC_MAGIC_P1 \(line \d+\) is unknown/,
    );
  });

  it('reads the New column that mlxconfig prints after a set', () => {
    const text = 'Configurations:      Next Boot       New\n  RPG_AI_RATE_P1  5  7\n  LINK_TYPE_P1 ETH(2) ETH(2)\n';
    expect(importMlxconfig(text, options).parameters.aiRateBps).toBe(7e6);
    expect(importMlxconfig(text, { ...options, column: 'next-boot' }).parameters.aiRateBps).toBe(5e6);
  });

  it.each([
    ['255', [0, 1, 2, 3, 4, 5, 6, 7]],
    ['0xff', [0, 1, 2, 3, 4, 5, 6, 7]],
    ['0x8', [3]],
    ['8', [3]],
    ['0', []],
  ])('reads a mask of priorities: %s', (mask, priorities) => {
    const { enabledPriorities } = importMlxconfig(`RPG_GD_P1 11\nROCE_CC_PRIO_MASK_P1 ${mask}`, options);
    const statedBy = [{ name: 'ROCE_CC_PRIO_MASK_P1', value: mask, place: 'line 2' }];
    expect(enabledPriorities).toEqual({ reactionPoint: priorities, notificationPoint: priorities, statedBy });
  });

  it.each<[string, string]>([
    ['256', 'ROCE_CC_PRIO_MASK_P1, line 1'],
    ['-1', 'ROCE_CC_PRIO_MASK_P1, line 1'],
    ['all', 'ROCE_CC_PRIO_MASK_P1, line 1'],
    ['255\nROCE_CC_PRIO_MASK_P1 255', 'ROCE_CC_PRIO_MASK_P1, line 2'],
  ])('rejects the mask %s', (mask, where) => {
    expect(errorOf(() => importMlxconfig(`ROCE_CC_PRIO_MASK_P1 ${mask}`, options)).where).toBe(where);
  });

  it.each([
    ['mlxconfig -d /dev/mst/mt4119_pciconf0 set RPG_AI_RATE_P1=10 CNP_DSCP_P1=46'],
    ['# mlxconfig -d 4b:00.0 -y set RPG_AI_RATE_P1=10 CNP_DSCP_P1=46 LINK_TYPE_P1=2  # with a comment'],
    ['[root@h1 ~]# sudo mstconfig -y -d 4b:00.0 s RPG_AI_RATE_P1=0xa CNP_DSCP_P1="46"'],
    ['$ mlxconfig -d 4b:00.0 set \\\n    RPG_AI_RATE_P1=10 \\\r\n    CNP_DSCP_P1=46'],
    ['mlxconfig -d 4b:00.0 set RPG_AI_RATE_P1=5\nmlxconfig -d 4b:00.0 set CNP_DSCP_P1=46 RPG_AI_RATE_P1=10'],
    ['mlxconfig -d 4b:00.0 set\nRPG_AI_RATE_P1=10\nCNP_DSCP_P1=46'],
    ['RPG_AI_RATE_P1=10 CNP_DSCP_P1=46'],
    ["/usr/bin/mlxconfig --yes --dev 4b:00.0 set 'RPG_AI_RATE_P1=10' CNP_DSCP_P1=46 RPG_AI_RATE_P2=7\n\nDone!"],
  ])('reads mlxconfig set commands: %s', (text) => {
    const { parameters, notificationPoint } = importMlxconfig(text, options);
    expect([parameters, notificationPoint.cnp.dscp]).toEqual([{ ...shipped, aiRateBps: 10e6 }, 46]);
  });

  it('lists devices and ports, of queries and of command lines', () => {
    expect(listMlxconfig(sample('mlxconfig-query.txt'))).toEqual([
      { device: 1, name: '/dev/mst/mt4125_pciconf0', ports: [1, 2] },
    ]);
    const commands =
      'mlxconfig -d a set RPG_GD_P1=11\nmlxconfig -d b set RPG_GD_P2=10\nmlxconfig -d a set CNP_DSCP_P2=48';
    expect(listMlxconfig(commands)).toEqual([{ device: 1, name: 'a', ports: [1, 2] }, {
      device: 2,
      name: 'b',
      ports: [2],
    }]);
    expect(importMlxconfig(commands, { ...options, device: 2, port: 2 }).parameters.cutScale).toBe(1);
    expect(errorOf(() => importMlxconfig(commands, options))).toMatchObject({
      where: 'options.device',
      allowed: [1, 2],
    });
    expect(listMlxconfig('')).toEqual([{ device: 1, name: '', ports: [] }]);
  });

  it('rejects a misspelt name in a command line', () => {
    const text = '\nmlxconfig -d 4b:00.0 set RPG_AI_RAET_P1=10';
    expect(errorOf(() => importMlxconfig(text, options)).where).toBe('RPG_AI_RAET_P1, line 2');
  });

  it.each([
    ['a misspelt name', 'RPG_AI_RAET_P1 5', 'RPG_AI_RAET_P1, line 1'],
    ['a new name of a known family', 'ROCE_CC_MAGIC_P1 True(1)', 'ROCE_CC_MAGIC_P1, line 1'],
    ['an unknown name of another port', 'RPG_MAGIC_P2 1', 'RPG_MAGIC_P2, line 1'],
    ['a value out of range', '\n RPG_GD_P1 12', 'RPG_GD_P1, line 2'],
    ['a value below its range', 'INITIAL_ALPHA_VALUE_P1 0', 'INITIAL_ALPHA_VALUE_P1, line 1'],
    ['a rate above the port', 'RPG_MIN_RATE_P1 100001', 'RPG_MIN_RATE_P1, line 1'],
    ['a byte counter beyond its field', 'RPG_BYTE_RESET_P1 32768', 'RPG_BYTE_RESET_P1, line 1'],
    ['a negative value', 'RPG_AI_RATE_P1 -5', 'RPG_AI_RATE_P1, line 1'],
    ['a fraction', 'RPG_AI_RATE_P1 5.5', 'RPG_AI_RATE_P1, line 1'],
    ['a word', 'RPG_AI_RATE_P1 N/A', 'RPG_AI_RATE_P1, line 1'],
    ['an array', 'RPG_AI_RATE_P1 Array[0..7]', 'RPG_AI_RATE_P1, line 1'],
    ['a missing value', 'RPG_AI_RATE_P1', 'RPG_AI_RATE_P1, line 1'],
    ['two values', 'RPG_AI_RATE_P1 5 6', 'RPG_AI_RATE_P1, line 1'],
    ['a second value', 'RPG_AI_RATE_P1 5\r\nRPG_AI_RATE_P1 5', 'RPG_AI_RATE_P1, line 2'],
    ['a minimum above the maximum', 'RPG_MAX_RATE_P1 10\nRPG_MIN_RATE_P1 11', 'RPG_MIN_RATE_P1, line 2'],
    [
      'a first rate below the minimum',
      'RPG_MIN_RATE_P1 11\nRATE_TO_SET_ON_FIRST_CNP_P1 10',
      'RATE_TO_SET_ON_FIRST_CNP_P1, line 2',
    ],
    ['no setting at all', 'Device #1:\nLINK_TYPE_P1 ETH(2)\n', 'text, port 1'],
  ])('rejects %s', (_, text, where) => {
    const error = errorOf(() => importMlxconfig(text, options));
    expect(error).toMatchObject({ code: 'invalid-settings', where });
  });

  it('warns about settings that the model does not support', () => {
    const text =
      'RPG_AI_RATE_P1 5\nROCE_CC_PRIO_MASK_P1 8\nROCE_CC_LEGACY_DCQCN False(0)\nROCE_CC_SHAPER_COALESCE_P1 DEST_IP(1)\n';
    const warnings = textsOf(importMlxconfig(text, options).warnings).join('\n');
    expect(warnings).toMatch(/ROCE_CC_PRIO_MASK_P1 = 8 \(line 2\)/);
    expect(warnings).toMatch(/ROCE_CC_LEGACY_DCQCN = False\(0\) \(line 3\)/);
    expect(warnings).toMatch(/ROCE_CC_SHAPER_COALESCE_P1 = DEST_IP\(1\) \(line 4\)/);
  });
});

describe('the convention of alpha', () => {
  const withG = (g: number, alphaConvention: 'retention' | 'gain') =>
    importRoceSysfs(`dce_tcp_g=${g}`, { ...options, alphaConvention });

  it('reads the same number as two different gains', () => {
    expect(withG(1019, 'retention').parameters.alphaGain).toBe(5 / 1024);
    expect(withG(1019, 'gain').parameters.alphaGain).toBe(1019 / 1024);
    expect(withG(5, 'gain')).toMatchObject({ alphaConvention: 'gain', parameters: { alphaGain: 5 / 1024 } });
    expect(withG(0, 'retention').parameters.alphaGain).toBe(1);
  });

  it('warns if the number is plausible only under the other convention', () => {
    const warnsOfAlpha = (...args: Parameters<typeof withG>): boolean =>
      withG(...args).warnings.some(({ code }) => ['retention-read-as-gain', 'gain-read-as-retention'].includes(code));
    expect(warnsOfAlpha(1019, 'gain')).toBe(true);
    expect(warnsOfAlpha(5, 'retention')).toBe(true);
    expect(warnsOfAlpha(1019, 'retention')).toBe(false);
    expect(warnsOfAlpha(5, 'gain')).toBe(false);
    expect(warnsOfAlpha(512, 'gain')).toBe(false);
    expect(warnsOfAlpha(512, 'retention')).toBe(false);
  });
});

describe('importRoceSysfs', () => {
  it('reads the output of grep as the ConnectX preset', () => {
    const imported = importRoceSysfs(sample('roce-sysfs.txt'), options);
    expect(imported.parameters).toEqual(shipped);
    expect(textsOf(imported.notes)).toContain(
      'The reaction point is enabled for 1 of 2 priorities; the model has it for every QP.',
    );
    expect(textsOf(imported.warnings)).toContain(
      'The notification point is disabled for every given priority; the model has it enabled.',
    );
  });

  it('reads name=value with blanks, comments and Windows line ends', () => {
    const text = '\uFEFF# comment\r\n\r\n rpg_gd = 10 \r\nroce_np/cnp_dscp: 46\r\nrpg_threshold\t5\r\n';
    const { parameters, notificationPoint } = importRoceSysfs(text, options);
    expect(parameters).toEqual({ ...shipped, cutScale: 1, fastRecoverySteps: 5 });
    expect(notificationPoint.cnp.dscp).toBe(46);
  });

  it('accepts each setting at the ends of its range, and rejects the next value by name', () => {
    for (const key of NVIDIA_KEYS) {
      const { sysfs, low, high } = NVIDIA_SETTINGS[key];
      const highest = high === 'line' ? 100_000 : high;
      for (const value of [low, highest]) expect(() => importRoceSysfs(`${sysfs}=${value}`, options)).not.toThrow();
      for (const value of [low - 1, highest + 1]) {
        expect(errorOf(() => importRoceSysfs(`${sysfs}=${value}`, options)).where).toBe(`${sysfs}, line 1`);
      }
    }
  });

  it.each([
    ['an unknown name', 'rpg_magic=1', 'rpg_magic, line 1'],
    ['the name of another format', 'RPG_GD_P1=11', 'RPG_GD_P1, line 1'],
    ['a name of Object', 'constructor=1', 'constructor, line 1'],
    ['a duplicate', 'rpg_gd=11\nrpg_gd=11', 'rpg_gd, line 2'],
    ['a repeated flag of a priority', 'roce_rp/enable/3=1\nroce_rp/enable/3=0', 'roce_rp/enable/3, line 2'],
    ['a flag that is neither 0 nor 1', 'roce_rp/enable/3=2', 'roce_rp/enable/3, line 1'],
    ['a priority that does not exist', 'roce_rp/enable/8=1', 'roce_rp/enable/8, line 1'],
    ['a line without a value', 'rpg_gd=', 'text, line 1'],
    ['a sentence', 'the gd is set to 11', 'text, line 1'],
  ])('rejects %s', (_, text, where) => {
    expect(errorOf(() => importRoceSysfs(text, options))).toMatchObject({ code: 'invalid-settings', where });
  });

  it('reads the byte counter in the requested unit, and rejects less than 64 bytes', () => {
    expect(importRoceSysfs('rpg_byte_reset=100', { ...options, byteResetUnitBytes: 1 }).parameters.byteCounterBytes)
      .toBe(100);
    expect(importRoceSysfs('rpg_byte_reset=1', options).parameters.byteCounterBytes).toBe(64);
    expect(errorOf(() => importRoceSysfs('rpg_byte_reset=63', { ...options, byteResetUnitBytes: 1 })).where).toBe(
      'rpg_byte_reset, line 1',
    );
    const off = importRoceSysfs('rpg_byte_reset=0', options);
    expect(off.parameters.byteCounterBytes).toBe(0);
    expect(off.warnings).toContainEqual({
      code: 'setting-idle',
      figures: { name: 'rpg_hai_rate', value: 50, reason: 'no-byte-stage', because: [] },
      text: expect.stringMatching(/^rpg_hai_rate = 50 has no effect: without a byte counter/) as string,
    });
  });

  it.each([
    ['options.lineRateBps', {}],
    ['options.lineRateBps', { lineRateBps: 0 }],
    ['options.alphaConvention', { ...options, alphaConvention: 'both' }],
    ['options.byteResetUnitBytes', { ...options, byteResetUnitBytes: 2 }],
    ['options.cnpScope', { ...options, cnpScope: 'flow' }],
  ])('rejects a bad %s', (where, bad) => {
    expect(errorOf(() => importRoceSysfs('rpg_gd=11', bad as never))).toMatchObject({ code: 'invalid-config', where });
  });

  it('rejects values that are not text', () => {
    expect(errorOf(() => importRoceSysfs(undefined as never, options)).code).toBe('invalid-settings');
  });
});

describe('the notification point', () => {
  it('is unknown if some of its eight files are missing and none of the others is 1', () => {
    const np = (text: string) => importRoceSysfs(text, options).enabledPriorities.notificationPoint;
    expect(np('roce_np/enable/3:0')).toBeNull();
    expect(np('roce_np/enable/3:0\nroce_np/enable/4:1')).toEqual([4]);
    expect(np(sample('roce-sysfs-np-priority-0.txt'))).toEqual([0]);
    expect(np(Array.from({ length: 8 }, (_, priority) => `roce_np/enable/${priority}:0`).join('\n'))).toEqual([]);
  });
});

describe('importCcParams', () => {
  it('reads the debug files of the mlx5 driver', () => {
    const imported = importCcParams(sample('cc-params.txt'), options);
    expect(imported.parameters).toEqual({
      ...shipped,
      maxRateBps: 50e9,
      alphaGain: 9 / 1024,
      haiRateBps: 150e6,
      rateOnFirstCnpBps: 40e9,
    });
    expect(imported.notificationPoint).toMatchObject({ minTimeBetweenCnpsPs: 0, cnp: { dscp: 46, pcp: 5 } });
    expect(textsOf(imported.warnings).join('\n')).toMatch(/np_cnp_prio_mode = 1/);
    expect(textsOf(imported.warnings).join('\n')).toMatch(
      /rp_max_rate = 50000 is also the rate of a QP without a limiter/,
    );
  });

  it('rejects unknown names', () => {
    expect(errorOf(() => importCcParams('rp_magic=1', options)).where).toBe('rp_magic, line 1');
    expect(errorOf(() => importCcParams('np_cnp_prio_mode=1\nnp_cnp_prio_mode=1', options)).where).toBe(
      'np_cnp_prio_mode, line 2',
    );
  });
});

describe('importRoceSysfsFolder', () => {
  it('reads the files of the two folders, and names an invalid file in the error', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'ecn-'));
    try {
      await expect(importRoceSysfsFolder(folder, options)).rejects.toThrow(RoceError);
      for (const line of sample('roce-sysfs.txt').split('\n').filter((text) => text.startsWith('/'))) {
        const [path = '', value = ''] = line.slice(line.indexOf('/ecn/') + 5).split(':');
        await mkdir(join(folder, path, '..'), { recursive: true });
        await writeFile(join(folder, path), `${value}\n`);
      }
      expect(await readFile(join(folder, 'roce_rp/rpg_gd'), 'utf8')).toBe('11\n');
      const imported = await importRoceSysfsFolder(folder, options);
      expect(imported.parameters).toEqual(shipped);
      expect(textsOf(imported.notes)).toContain(
        'The reaction point is enabled for 1 of 2 priorities; the model has it for every QP.',
      );
      await writeFile(join(folder, 'roce_rp/rpg_gd'), '9\n');
      await expect(importRoceSysfsFolder(folder, options)).rejects.toThrow(/roce_rp\/rpg_gd, file .*rpg_gd/);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('rejects files of more than 4 KiB, and folders of more than 256 files', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'ecn-'));
    try {
      const group = join(folder, 'roce_rp');
      await mkdir(group);
      const file = join(group, 'rpg_gd');
      await writeFile(file, `11${' '.repeat(4094)}`);
      await expect(importRoceSysfsFolder(folder, options)).resolves.toBeDefined();
      await writeFile(file, `11${' '.repeat(4095)}`);
      await expect(importRoceSysfsFolder(folder, options)).rejects.toMatchObject({
        code: 'invalid-settings',
        where: file,
        allowed: { max: 4096, unit: 'bytes' },
      });
      await rm(file);
      for (let index = 0; index < 257; index++) await writeFile(join(group, `f${index}`), '1');
      await expect(importRoceSysfsFolder(folder, options)).rejects.toMatchObject({ got: 257, where: group });
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
