import { describe, expect, it } from 'vitest';
import { dctcpNs3 } from '../../src/config/algorithms/dctcp.js';
import { HPCC_NS3_SETS, hpccNs3, hpccSigcomm19 } from '../../src/config/algorithms/hpcc-presets.js';
import { hpccPintNs3 } from '../../src/config/algorithms/hpcc-pint.js';
import { hpccPpDraft } from '../../src/config/algorithms/hpcc-pp.js';
import { swiftSigcomm20 } from '../../src/config/algorithms/swift.js';
import { timelyNs3, timelySigcomm15 } from '../../src/config/algorithms/timely.js';
import { gbps, ns, us } from '../../src/units.js';
import { hpccParametersOf, rowsBy } from '../support/golden-acks.js';
import { GOLDEN_UNIT } from '../support/golden.js';

const lineRateBps = gbps(100);

describe('hpccNs3', () => {
  const path = { lineRateBps, baseRttPs: ns(4160) };

  it.each([
    ['run.py', 'runpy_hp95_100'],
    ['paper-stage5', 'paper_stage5'],
    ['multirate', 'multirate'],
    ['nofast', 'nofast'],
    ['sample', 'sample'],
  ] as const)("its set %s equals the row %s of the simulator's traces", (set, row) => {
    const config = rowsBy(GOLDEN_UNIT, 'hpcc_configs.csv', 'config').get(row)!;
    const scenario = rowsBy(GOLDEN_UNIT, 'hpcc_scenarios.csv', 'scenario').get('onehop')!;
    expect(hpccNs3(set, path)).toEqual(hpccParametersOf(config, scenario));
  });

  it('lists its sets, and rejects others', () => {
    expect(HPCC_NS3_SETS).toEqual(['run.py', 'paper-stage5', 'multirate', 'nofast', 'sample']);
    expect(() => hpccNs3('toString' as never, path)).toThrow(/hpccNs3\.set/);
  });

  it('scales rates and record units with the line rate only in the set run.py', () => {
    expect(hpccNs3('run.py', { ...path, lineRateBps: gbps(400) })).toMatchObject({
      aiRateBps: 160e6,
      intMultiplier: 16,
    });
    expect(hpccNs3('run.py', { ...path, lineRateBps: gbps(10) })).toMatchObject({ aiRateBps: 4e6, intMultiplier: 1 });
    expect(hpccNs3('sample', { ...path, lineRateBps: gbps(400) })).toMatchObject({ aiRateBps: 40e6, intMultiplier: 1 });
  });

  it('accepts overrides of any field, and rejects invalid ones by name', () => {
    expect(hpccNs3('run.py', { ...path, maxStage: 5 })).toMatchObject({ maxStage: 5 });
    expect(() => hpccNs3('run.py', { ...path, maxStage: -1 })).toThrow(/hpccNs3\.maxStage/);
    expect(() => hpccNs3('run.py', { ...path, eta: 1 } as never)).toThrow(/hpccNs3\.eta/);
    expect(() => hpccNs3('run.py', { ...path, baseRttPs: 0 })).toThrow(/hpccNs3\.baseRttPs/);
    expect(() => hpccNs3('run.py', { ...path, lineRateBps: 0.5 })).toThrow(/hpccNs3\.lineRateBps/);
  });
});

describe('hpccSigcomm19', () => {
  const path = { lineRateBps, baseRttPs: us(13) };

  it('has the values of the paper', () => {
    expect(hpccSigcomm19(path)).toMatchObject({
      primary: 'window',
      numbers: 'float64',
      windowBytes: 162_500,
      targetUtilization: 0.95,
      maxStage: 5,
      fastReact: true,
      multiRate: false,
      ewma: 'adaptive',
      records: 'exact',
      pathChange: 'reset',
      windowMode: 'variable',
    });
  });

  it('divides 1 - eta of the window among the expected flows', () => {
    expect(hpccSigcomm19(path).aiWindowBytes).toBeCloseTo(81.25, 9);
    expect(hpccSigcomm19({ ...path, expectedFlows: 10 }).aiWindowBytes).toBeCloseTo(812.5, 9);
    expect(hpccSigcomm19({ ...path, targetUtilization: 0.9, windowBytes: 100_000 }).aiWindowBytes).toBeCloseTo(100, 9);
    expect(hpccSigcomm19({ ...path, aiWindowBytes: 80 }).aiWindowBytes).toBe(80);
    expect(() => hpccSigcomm19({ ...path, expectedFlows: 0 })).toThrow(/hpccSigcomm19\.expectedFlows/);
  });
});

describe.each([['hpccSigcomm19', hpccSigcomm19], ['hpccPpDraft', hpccPpDraft]] as const)('%s', (name, preset) => {
  it('accepts overrides that are valid only in combination', () => {
    expect(preset({ lineRateBps: 50e6, baseRttPs: us(13), minRateBps: 1e6 })).toMatchObject({
      maxRateBps: 50e6,
      minRateBps: 1e6,
    });
    expect(preset({ lineRateBps, baseRttPs: us(10), windowBytes: 100, minRateBps: 1000 })).toMatchObject({
      windowBytes: 100,
      minRateBps: 1000,
    });
  });

  it('can control a rate instead of a window, with the same additive step', () => {
    const path = { lineRateBps, baseRttPs: us(13) };
    const { aiWindowBytes } = preset(path);
    expect(preset({ ...path, primary: 'rate' })).toMatchObject({
      aiWindowBytes: 0,
      aiRateBps: (aiWindowBytes * 8e12) / us(13),
    });
    expect(preset({ ...path, primary: 'rate', numbers: 'whole-bps', expectedFlows: 3 }).aiRateBps).toBe(1_666_666_666);
    expect(preset({ ...path, primary: 'rate', aiRateBps: 5 * 2 ** 20, aiWindowBytes: 0 }).aiRateBps).toBe(5 * 2 ** 20);
  });

  it('rejects invalid fields by the names of the preset and the field', () => {
    const path = { lineRateBps, baseRttPs: us(13) };
    expect(() => preset({ ...path, minRateBps: 200e9 })).toThrow(`${name}.minRateBps`);
    for (const bad of ['x', 1n, Symbol('x'), null, 2]) {
      expect(() => preset({ ...path, targetUtilization: bad as never })).toThrow(`${name}.targetUtilization`);
      expect(() => preset({ ...path, windowBytes: (bad === 2 ? 0 : bad) as never })).toThrow(`${name}.windowBytes`);
    }
    expect(() => preset({ ...path, expectedFlows: 0 })).toThrow(`${name}.expectedFlows`);
    expect(() => preset({ ...path, lineRateBps: 0 })).toThrow(`${name}.lineRateBps`);
    expect(() => preset({ ...path, eta: 1 } as never)).toThrow(`${name}.eta`);
    expect(() => preset(undefined as never)).toThrow(name);
  });
});

describe('the other presets', () => {
  it("hpccPintNs3 has the values of the simulator's traces", () => {
    expect(hpccPintNs3({ lineRateBps, baseRttPs: ns(4160) })).toEqual({
      algorithm: 'hpcc-pint',
      numbers: 'whole-bps',
      maxRateBps: 100e9,
      minRateBps: 1e9,
      windowBytes: 52_000,
      windowMode: 'variable',
      targetUtilization: 0.95,
      maxStage: 0,
      aiRateBps: 40e6,
      fastReact: true,
      pintBase: 1.05,
      pintBits: 8,
      pintProbability: 1,
      sequence: 'u32',
      sendGap: 'ns3-nanoseconds',
    });
    expect(hpccPintNs3({ lineRateBps, baseRttPs: ns(4160), pintBase: 1.01, pintBits: 11 }).pintBits).toBe(11);
    expect(() => hpccPintNs3({ lineRateBps, baseRttPs: -1 })).toThrow(/hpccPintNs3\.baseRttPs/);
    expect(() => hpccPintNs3(undefined as never)).toThrow(
      /^hpccPintNs3 is missing; it must be an object with fields\.$/,
    );
  });

  it('timelyNs3 scales its steps with the line rate', () => {
    expect(timelyNs3({ lineRateBps })).toMatchObject({
      ewmaAlpha: 0.875,
      decreaseBeta: 0.8,
      lowRttPs: us(50),
      highRttPs: us(500),
      minRttPs: us(20),
      minRateBps: 1e9,
      aiRateBps: 100e6,
      haiRateBps: 500e6,
      hyperAfterSteps: 5,
      lowRttIncrease: 'staged',
      updateOn: 'round-trip',
    });
    expect(timelyNs3({ lineRateBps: gbps(25) })).toMatchObject({ aiRateBps: 25e6, haiRateBps: 125e6 });
    expect(() => timelyNs3({ lineRateBps: 0 })).toThrow(/timelyNs3\.lineRateBps/);
  });

  it('timelySigcomm15 has the values of the papers', () => {
    expect(timelySigcomm15({ lineRateBps })).toMatchObject({
      numbers: 'float64',
      ewmaAlpha: 0.875,
      decreaseBeta: 0.8,
      lowRttPs: us(50),
      highRttPs: us(500),
      minRttPs: us(20),
      aiRateBps: 10e6,
      haiRateBps: 50e6,
      hyperAfterSteps: 5,
      lowRttIncrease: 'additive',
      updateOn: 'ack',
    });
  });

  it("dctcpNs3 has the values of the simulator's traces", () => {
    expect(dctcpNs3({ lineRateBps })).toEqual({
      algorithm: 'dctcp',
      numbers: 'whole-bps',
      maxRateBps: 100e9,
      minRateBps: 1e9,
      alphaGain: 1 / 16,
      aiRateBps: 615e6,
      sequencePerPacket: 1000,
      sequence: 'u32',
      sendGap: 'ns3-nanoseconds',
    });
  });

  it('swiftSigcomm20 accepts the base target delay of a network', () => {
    expect(swiftSigcomm20({ lineRateBps, baseTargetPs: us(50) })).toMatchObject({
      maxRateBps: 100e9,
      baseTargetPs: us(50),
      aiPackets: 1,
      decreaseBeta: 0.8,
      maxDecrease: 0.5,
      flowScaleMinCwnd: 0.1,
      flowScaleMaxCwnd: 100,
    });
    expect(() => swiftSigcomm20({ lineRateBps, baseTargetPs: 0 })).toThrow(/swiftSigcomm20\.baseTargetPs/);
  });
});
