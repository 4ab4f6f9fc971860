import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { dcqcnConnectx } from '../../src/config/algorithms/dcqcn/preset-connectx.js';
import { dcqcnIrdma, windowToRateBps } from '../../src/config/algorithms/dcqcn/preset-irdma.js';
import { DCQCN_NS3_SETS, dcqcnNs3, dcqcnNs3Custom,
  type DcqcnNs3Knobs } from '../../src/config/algorithms/dcqcn/preset-ns3.js';
import { dcqcnSigcomm15 } from '../../src/config/algorithms/dcqcn/preset-sigcomm15.js';
import { ineffectiveSettings } from '../../src/config/algorithms/dcqcn/ineffective-settings.js';
import { validateDcqcn } from '../../src/config/algorithms/dcqcn.js';
import { gbps, mbps, us } from '../../src/units.js';

const lineRateBps = gbps(100);

/** The rows of the reference simulator's table of parameter sets. */
function ns3Rows(): { name: string; knobs: DcqcnNs3Knobs }[] {
  const text = readFileSync(new URL('../data/settings/dcqcn-ns3-configs.csv', import.meta.url), 'utf8');
  const [header = '', ...lines] = text.trim().split('\n');
  const columns = header.trim().split(',');
  return lines.map((line) => {
    const words = line.trim().split(',');
    const value = (column: string): number => Number(words[columns.indexOf(column)]);
    return {
      name: words[0],
      knobs: {
        alphaIntervalUs: value('alpha_interval_us'),
        decreaseIntervalUs: value('decrease_interval_us'),
        increaseTimerUs: value('increase_timer_us'),
        g: value('g'),
        fastRecoveryTimes: value('fast_recovery_times'),
        raiBps: value('rai_bps'),
        rhaiBps: value('rhai_bps'),
        minRateBps: value('min_rate_bps'),
        clampTarget: value('clamp_target') === 1,
        lineRateBps: value('line_rate_bps'),
        rateOnFirstCnp: value('rate_on_first_cnp'),
      },
    };
  });
}

describe('dcqcnSigcomm15', () => {
  it('has the values of the paper', () => {
    expect(dcqcnSigcomm15({ lineRateBps: gbps(40) })).toMatchObject({
      numbers: 'float64',
      maxRateBps: 40e9,
      alphaGain: 1 / 256,
      initialAlpha: 1,
      alphaUpdate: 'on-cnp',
      alphaPeriodPs: 55e6,
      cutTrigger: 'on-cnp',
      cutAlphaOrder: 'cut-first',
      cutScale: 0.5,
      firstCnpCuts: true,
      clampTargetRate: true,
      increasePeriodPs: 55e6,
      byteCounterBytes: 10e6,
      fastRecoverySteps: 5,
      stages: 'time-and-bytes',
      aiRateBps: 40e6,
      haiRateBps: 200e6,
      hyperThreshold: 'at',
      hyperFactor: 'stage',
      limiterRelease: 'at-max-rate',
      releaseGapBps: 0,
    });
  });

  it('accepts overrides of any field, and rejects unknown ones by name', () => {
    expect(dcqcnSigcomm15({ lineRateBps, haiRateBps: mbps(400), cutAlphaOrder: 'alpha-first' })).toMatchObject({
      haiRateBps: 400e6,
      cutAlphaOrder: 'alpha-first',
    });
    expect(() => dcqcnSigcomm15({ lineRateBps, hai: 1 } as never)).toThrow(/dcqcnSigcomm15\.hai\b/);
    expect(() => dcqcnSigcomm15({ lineRateBps, minRateBps: undefined } as never)).toThrow(/dcqcnSigcomm15\.minRateBps/);
  });

  it('reports only the cut period as ineffective', () => {
    expect(ineffectiveSettings(dcqcnSigcomm15({ lineRateBps })).map((s) => s.split(':')[0])).toEqual(['cutPeriodPs']);
  });
});

describe('dcqcnNs3', () => {
  it.each(ns3Rows())('builds the parameter set $name', ({ knobs }) => {
    expect(dcqcnNs3Custom(knobs)).toMatchObject({
      numbers: 'whole-bps',
      alphaPeriodPs: us(knobs.alphaIntervalUs),
      cutPeriodPs: us(knobs.decreaseIntervalUs),
      cutOffsetPs: 1000,
      increasePeriodPs: us(knobs.increaseTimerUs),
      alphaGain: knobs.g,
      fastRecoverySteps: knobs.fastRecoveryTimes,
      aiRateBps: knobs.raiBps,
      haiRateBps: knobs.rhaiBps,
      minRateBps: knobs.minRateBps,
      clampTargetRate: knobs.clampTarget,
      clampTargetRateAfterTimeIncrease: true,
      maxRateBps: knobs.lineRateBps,
      rateOnFirstCnpFraction: knobs.rateOnFirstCnp,
      byteCounterBytes: 0,
      stages: 'time',
      hyperThreshold: 'above',
      hyperFactor: 'constant',
      limiterRelease: 'never',
      increaseTimerStart: 'first-cut',
      firstCnpCuts: true,
      simultaneous: 'event-first',
      minDecreaseFactor: 0,
    });
  });

  it.each([
    ['dcqcn', 'runpy_dcqcn100'],
    ['dcqcn_paper', 'runpy_dcqcn_paper100'],
    ['config.txt', 'config_txt25'],
    ['attribute-defaults', 'attr_default100'],
  ] as const)('its set %s equals the row %s', (set, row) => {
    const knobs = ns3Rows().find(({ name }) => name === row)!.knobs;
    expect(dcqcnNs3(set, { lineRateBps: knobs.lineRateBps })).toEqual(dcqcnNs3Custom(knobs));
  });

  it('scales the rates of run.py with the line rate', () => {
    expect(dcqcnNs3('dcqcn', { lineRateBps: gbps(25) })).toMatchObject({
      aiRateBps: 5e6,
      haiRateBps: 50e6,
      minRateBps: 1e9,
    });
    expect(dcqcnNs3('dcqcn_paper', { lineRateBps: gbps(400) })).toMatchObject({ aiRateBps: 80e6, haiRateBps: 800e6 });
    expect(dcqcnNs3('config.txt', { lineRateBps: gbps(400) })).toMatchObject({ aiRateBps: 50e6, haiRateBps: 100e6 });
  });

  it('rejects unknown sets and fractions of a microsecond by name', () => {
    expect(DCQCN_NS3_SETS).toHaveLength(4);
    expect(() => dcqcnNs3('dcqcn2' as never, { lineRateBps })).toThrow(/dcqcnNs3\.set/);
    expect(() => dcqcnNs3('toString' as never, { lineRateBps })).toThrow(/dcqcnNs3\.set/);
    const knobs = ns3Rows()[0].knobs;
    expect(() => dcqcnNs3Custom({ ...knobs, alphaIntervalUs: 1.5 })).toThrow(/dcqcnNs3Custom\.alphaIntervalUs/);
    expect(() => dcqcnNs3Custom({ ...knobs, rhaiBps: 0.5 })).toThrow(/dcqcnNs3Custom\.haiRateBps/);
  });
});

describe('dcqcnConnectx', () => {
  it('has the shipped settings', () => {
    expect(dcqcnConnectx({ lineRateBps })).toMatchObject({
      numbers: 'alpha-q10',
      alphaGain: 5 / 1024,
      initialAlpha: 1023 / 1024,
      alphaPeriodPs: us(1),
      cutPeriodPs: us(4),
      cutScale: 0.5,
      minDecreaseFactor: 0.5,
      minRateBps: 1e6,
      rateOnFirstCnpBps: 0,
      clampTargetRate: false,
      clampTargetRateAfterTimeIncrease: true,
      increasePeriodPs: us(300),
      fastRecoverySteps: 1,
      aiRateBps: 5e6,
      haiRateBps: 50e6,
      byteCounterBytes: 32767 * 64,
      firstCnpCuts: false,
      increaseTimerStart: 'first-cnp',
      hyperThreshold: 'above',
      limiterRelease: 'at-max-rate',
      releaseGapBps: 1,
      simultaneous: 'timers-first',
    });
  });

  it('reads the byte counter in units of 64 bytes or 1 byte, and rejects other units', () => {
    expect(dcqcnConnectx({ lineRateBps, byteResetUnitBytes: 1 }).byteCounterBytes).toBe(32767);
    expect(() => dcqcnConnectx({ lineRateBps, byteResetUnitBytes: 8 as never })).toThrow(
      /dcqcnConnectx\.byteResetUnitBytes/,
    );
  });

  it('reports that the shipped limit of a cut has no effect', () => {
    expect(ineffectiveSettings(dcqcnConnectx({ lineRateBps }))).toEqual([
      expect.stringMatching(/^minDecreaseFactor: /),
    ]);
  });
});

describe('dcqcnIrdma', () => {
  const path = { lineRateBps, mssBytes: 4096, rttPs: us(10) };

  it('converts MSS per window to rates', () => {
    expect(windowToRateBps(12_500, us(1))).toBe(100e9);
    expect(dcqcnIrdma(path)).toMatchObject({
      aiRateBps: 3_276_800_000,
      haiRateBps: 5 * 3_276_800_000,
      increasePeriodPs: us(55),
      byteCounterBytes: 150_000,
      fastRecoverySteps: 5,
      cutPeriodPs: us(50),
      minDecreaseFactor: 0.01,
    });
    expect(dcqcnIrdma({ ...path, raiFactor: 2, haiFactor: 0 })).toMatchObject({
      aiRateBps: 6_553_600_000,
      haiRateBps: 0,
    });
  });

  it.each(['mssBytes', 'rttPs'] as const)('requires %s', (option) => {
    const rest = Object.entries(path).filter(([key]) => key !== option);
    expect(() => dcqcnIrdma(Object.fromEntries(rest) as never)).toThrow(new RegExp(`dcqcnIrdma\\.${option}`));
    expect(() => dcqcnIrdma({ ...path, [option]: Number.NaN })).toThrow(new RegExp(`dcqcnIrdma\\.${option}`));
  });
});

describe('every preset', () => {
  const presets = [
    ['dcqcnSigcomm15', dcqcnSigcomm15],
    ['dcqcnNs3', (options: { lineRateBps: number }) => dcqcnNs3('dcqcn', options)],
    ['dcqcnConnectx', dcqcnConnectx],
    ['dcqcnIrdma', (options: { lineRateBps: number }) => dcqcnIrdma({ mssBytes: 1024, rttPs: us(8), ...options })],
  ] as const;

  it.each(presets)('%s is valid at all usual line rates, and frozen', (_, preset) => {
    for (const rate of [10, 25, 40, 50, 100, 200, 400, 800, 1600]) {
      const parameters = preset({ lineRateBps: gbps(rate) });
      expect(validateDcqcn(parameters)).toEqual(parameters);
      expect(Object.isFrozen(parameters)).toBe(true);
    }
  });

  it.each(presets)('%s rejects a bad line rate by name', (name, preset) => {
    for (const bad of [undefined, null, 0, -1, 0.5, Number.NaN, Infinity, 2 ** 43 + 1, '100', 100n]) {
      expect(() => preset({ lineRateBps: bad as never })).toThrow(new RegExp(`${name}\\.lineRateBps`));
    }
  });
});
