import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { importIrdma } from '../../src/config/importers/irdma.js';
import { dcqcnIrdma } from '../../src/config/algorithms/dcqcn/preset-irdma.js';
import { DEFAULT_NOTIFICATION_POINT } from '../../src/config/notification-point.js';
import { RoceError } from '../../src/errors.js';
import { gbps, us } from '../../src/units.js';
import { textsOf } from '../support/note-texts.js';

const options = { lineRateBps: gbps(100), mssBytes: 4096, rttPs: us(10) };
const sample = (name: string): string => readFileSync(new URL(`../data/settings/${name}`, import.meta.url), 'utf8');
const byDefault = dcqcnIrdma(options);

describe('importIrdma', () => {
  it('reads modprobe.d, several settings per line, and skips other modules', () => {
    const imported = importIrdma(sample('irdma-modprobe.conf'), options);
    expect(imported.parameters).toEqual({
      ...byDefault,
      minDecreaseFactor: 0.05,
      minRateBps: 100e6,
      byteCounterBytes: 200_000,
    });
    expect(imported.notificationPoint).toEqual(DEFAULT_NOTIFICATION_POINT);
    expect(imported.alphaConvention).toBe('none');
    expect(textsOf(imported.notes).join('\n')).toMatch(
      /Not about congestion control and left out: roce_ena, limits_sel/,
    );
    expect(textsOf(imported.notes).join('\n')).toMatch(/dcqcn_min_rate_MBps = 100 is read as megabits per second/);
    expect(textsOf(imported.warnings)).toEqual([
      'dcqcn_min_dec_factor = 5 has no effect: no cut takes more than half of the rate anyway (fixed).',
    ]);
  });

  it('reads the module folder as grep prints it, with 0 as no minimum time between cuts', () => {
    const imported = importIrdma(sample('irdma-sysfs.txt'), options);
    expect(imported.parameters).toEqual({ ...byDefault, cutTrigger: 'on-cnp' });
    expect(textsOf(imported.warnings).join('\n')).toMatch(/dcqcn_cc_cfg_valid is 0/);
  });

  it('assumes the defaults of the driver, notes them, and warns that the driver leaves DCQCN off', () => {
    const imported = importIrdma('', options);
    expect(imported.parameters).toEqual(byDefault);
    expect(imported.notes.filter(({ code }) => code === 'default-assumed')).toHaveLength(10);
    expect(textsOf(imported.warnings).join('\n')).toMatch(/dcqcn_enable is 0/);
  });

  it('reads the enable flags of configfs, as printed by a loop over the files or by grep', () => {
    const files = {
      ceq_itr: '50',
      roce_cwnd: '0x400',
      roce_dcqcn_enable: '1',
      roce_dctcp_enable: '0',
      roce_timely_enable: '0',
    };
    const lines = (join: string): string =>
      Object.entries(files).map(([name, value]) => `${join.replace('NAME', name)}${value}`).join('\n');
    for (const join of ['NAME: ', '/sys/kernel/config/irdma/rdmap175s0f0/NAME:']) {
      const imported = importIrdma(lines(join), options);
      expect(imported.enabledPriorities.reactionPoint).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
      expect(imported.warnings).toEqual([]);
      expect(imported.values.find(({ name }) => name === 'roce_dcqcn_enable')).toMatchObject({
        value: 1,
        isGiven: true,
      });
    }
  });

  it('enables no reaction point if all enable flags are 0', () => {
    const { enabledPriorities, warnings } = importIrdma('roce_dcqcn_enable: 0\nroce_timely_enable: 0', options);
    const statedBy = [
      { name: 'roce_dcqcn_enable', value: '0', place: 'line 1' },
      { name: 'roce_timely_enable', value: '0', place: 'line 2' },
    ];
    expect(enabledPriorities).toEqual({ reactionPoint: [], notificationPoint: null, statedBy });
    expect(textsOf(warnings)).toEqual(['roce_dcqcn_enable is 0: the driver leaves DCQCN off; the model has it on.']);
    expect(importIrdma('dcqcn_enable=0', options).enabledPriorities.reactionPoint).toEqual([]);
    expect(importIrdma('', options).enabledPriorities.reactionPoint).toBeNull();
  });

  it('reads the minimum rate by its name in the README', () => {
    expect(importIrdma('dcqcn_min_rate=20', options).parameters.minRateBps).toBe(20e6);
  });

  it('reads the minimum rate in the requested unit', () => {
    const floor = (minRateUnit?: 'megabits' | 'megabytes') =>
      importIrdma('dcqcn_min_rate_MBps=10', minRateUnit === undefined ? options : { ...options, minRateUnit })
        .parameters.minRateBps;
    expect(floor()).toBe(10e6);
    expect(floor('megabits')).toBe(10e6);
    expect(floor('megabytes')).toBe(80e6);
  });

  it('converts increases in MSS to rates', () => {
    const { parameters } = importIrdma('dcqcn_rai_factor=2\ndcqcn_hai_factor=10\r\n', options);
    expect(parameters).toMatchObject({ aiRateBps: 2 * byDefault.aiRateBps, haiRateBps: 10 * byDefault.aiRateBps });
  });

  it.each([
    ['an unknown name', 'dcqcn_magic=1', 'dcqcn_magic, line 1'],
    ['a flag that is neither 0 nor 1', 'roce_dcqcn_enable: 2', 'roce_dcqcn_enable, line 1'],
    ['a repeated flag', 'roce_dcqcn_enable: 1\nroce_dcqcn_enable: 1', 'roce_dcqcn_enable, line 2'],
    ['a misspelt name', '\noptions irdma dcqcn_enable=1 dcqn_F=5', 'dcqn_F, line 2'],
    ['a factor of 0 %', 'dcqcn_min_dec_factor=0', 'dcqcn_min_dec_factor, line 1'],
    ['a factor above 100 %', 'dcqcn_min_dec_factor=101', 'dcqcn_min_dec_factor, line 1'],
    ['F above 8', 'dcqcn_F=9', 'dcqcn_F, line 1'],
    ['T of 0', 'dcqcn_T=0', 'dcqcn_T, line 1'],
    ['B beyond 26 bits', 'dcqcn_B=67108864', 'dcqcn_B, line 1'],
    ['B below 64', 'dcqcn_B=63', 'dcqcn_B, line 1'],
    ['a value that is not a number', 'dcqcn_B=many', 'dcqcn_B, line 1'],
    ['a duplicate', 'options irdma dcqcn_F=5\noptions irdma dcqcn_F=5', 'dcqcn_F, line 2'],
    ['a setting without a value', 'options irdma dcqcn_F', 'text, line 1'],
  ])('rejects %s', (_, text, where) => {
    try {
      importIrdma(text, options);
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(RoceError);
      expect(error).toMatchObject({ code: 'invalid-settings', where });
    }
  });

  it.each(['lineRateBps', 'mssBytes', 'rttPs', 'minRateUnit'])('rejects a bad option %s by name', (option) => {
    expect(() => importIrdma('', { ...options, [option]: -1 })).toThrow(new RegExp(option));
  });
});
