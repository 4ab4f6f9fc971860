import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { importIrdma } from '../../src/config/importers/irdma.js';
import { dcqcnIrdma } from '../../src/config/algorithms/dcqcn/preset-irdma.js';
import { DEFAULT_NOTIFICATION_POINT } from '../../src/config/notification-point.js';
import { RoceError } from '../../src/errors.js';
import { gbps, us } from '../../src/units.js';

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
    expect(imported.notes.join('\n')).toMatch(/Not about congestion control and left out: roce_ena, limits_sel/);
    expect(imported.notes.join('\n')).toMatch(/dcqcn_min_rate_MBps = 100 is read as megabits per second/);
    expect(imported.warnings.join('\n')).not.toMatch(/dcqcn_/);
  });

  it('reads the module folder as grep prints it, with 0 as no minimum time between cuts', () => {
    const imported = importIrdma(sample('irdma-sysfs.txt'), options);
    expect(imported.parameters).toEqual({ ...byDefault, cutTrigger: 'on-cnp' });
    expect(imported.warnings.join('\n')).toMatch(/dcqcn_cc_cfg_valid is 0/);
  });

  it('takes the defaults of the driver, says so, and warns that DCQCN is off there', () => {
    const imported = importIrdma('', options);
    expect(imported.parameters).toEqual(byDefault);
    expect(imported.notes.filter((note) => note.includes('is not given'))).toHaveLength(10);
    expect(imported.warnings.join('\n')).toMatch(/dcqcn_enable is 0/);
  });

  it('reads the minimum rate in the requested unit', () => {
    const floor = (minRateUnit?: 'megabits' | 'megabytes') =>
      importIrdma('dcqcn_min_rate_MBps=10', minRateUnit === undefined ? options : { ...options, minRateUnit })
        .parameters.minRateBps;
    expect(floor()).toBe(10e6);
    expect(floor('megabits')).toBe(10e6);
    expect(floor('megabytes')).toBe(80e6);
  });

  it('turns MSS into rates', () => {
    const { parameters } = importIrdma('dcqcn_rai_factor=2\ndcqcn_hai_factor=10\r\n', options);
    expect(parameters).toMatchObject({ aiRateBps: 2 * byDefault.aiRateBps, haiRateBps: 10 * byDefault.aiRateBps });
  });

  it.each([
    ['an unknown name', 'dcqcn_magic=1', 'dcqcn_magic, line 1'],
    ['a misspelt name', '\noptions irdma dcqcn_enable=1 dcqn_F=5', 'dcqn_F, line 2'],
    ['a factor of 0 %', 'dcqcn_min_dec_factor=0', 'dcqcn_min_dec_factor, line 1'],
    ['a factor above 100 %', 'dcqcn_min_dec_factor=101', 'dcqcn_min_dec_factor, line 1'],
    ['F above 8', 'dcqcn_F=9', 'dcqcn_F, line 1'],
    ['T of 0', 'dcqcn_T=0', 'dcqcn_T, line 1'],
    ['B beyond 26 bits', 'dcqcn_B=67108864', 'dcqcn_B, line 1'],
    ['B below 64', 'dcqcn_B=63', 'dcqcn_B, line 1'],
    ['a number that is none', 'dcqcn_B=many', 'dcqcn_B, line 1'],
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
