/** The fields that the host writes are those of the engine's classes, in their order, and lie without a hole. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { PARAMETER_SET_BYTES } from '../../src/abi/layout.js';
import { dcqcnSigcomm15 } from '../../src/config/algorithms/dcqcn/preset-sigcomm15.js';
import { dctcpNs3 } from '../../src/config/algorithms/dctcp/preset-ns3.js';
import { hpccPintNs3 } from '../../src/config/algorithms/hpcc-pint/preset-ns3.js';
import { hpccPpDraft } from '../../src/config/algorithms/hpcc-pp/preset-draft.js';
import { hpccSigcomm19 } from '../../src/config/algorithms/hpcc/preset-sigcomm19.js';
import { ALGORITHMS, parameterRecord, type AlgorithmName,
  type AlgorithmParameters } from '../../src/config/algorithms/registry.js';
import { swiftSigcomm20 } from '../../src/config/algorithms/swift/preset-sigcomm20.js';
import { timelySigcomm15 } from '../../src/config/algorithms/timely/preset-sigcomm15.js';
import { gbps, us } from '../../src/units.js';

const ROOT = fileURLToPath(new URL('../../assembly/', import.meta.url));
const SOURCE = readdirSync(ROOT, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => readFileSync(path.join(ROOT, name), 'utf8'))
  .join('\n');
const LINE = { lineRateBps: gbps(100) };
const PATH = { ...LINE, baseRttPs: us(10) };

const CLASSES: Readonly<Record<AlgorithmName, readonly [engineClass: string, example: AlgorithmParameters]>> = {
  dcqcn: ['DcqcnParameterSet', dcqcnSigcomm15(LINE)],
  hpcc: ['HpccParameterSet', hpccSigcomm19(PATH)],
  'hpcc-pint': ['HpccPintParameterSet', hpccPintNs3(PATH)],
  timely: ['TimelyParameterSet', timelySigcomm15(LINE)],
  dctcp: ['DctcpParameterSet', dctcpNs3(LINE)],
  swift: ['SwiftParameterSet', swiftSigcomm20(LINE)],
  'hpcc-pp': ['HpccPpParameterSet', hpccPpDraft(PATH)],
};

/** Fields of a class as `name: type`, those that it inherits first. */
function fieldsOf(name: string): string[] {
  const [, parent, body] = new RegExp(`class ${name}(?: extends (\\w+))? \\{\\n(.*?)^\\}`, 'ms').exec(SOURCE)!;
  const own = [...body!.matchAll(/^ {2}(\w+): (u32|f64);/gm)].map(([, field, type]) => `${field}: ${type}`);
  return parent === undefined ? own : [...fieldsOf(parent), ...own];
}

describe.each(Object.keys(ALGORITHMS) as AlgorithmName[])('the parameter record of %s', (algorithm) => {
  const [engineClass, example] = CLASSES[algorithm];
  const record = parameterRecord(example);

  it('begins with the code of the algorithm and continues in the order of the class', () => {
    const written = record.map(([name, , type]) => `${name}: ${type ?? 'f64'}`);
    expect(record[0]).toStrictEqual(['algorithm', ALGORITHMS[algorithm].code, 'u32']);
    expect(fieldsOf(engineClass).slice(0, written.length)).toStrictEqual(written);
  });

  it('has numbers alone, each f64 at a multiple of 8, and fits into its place', () => {
    let at = 0;
    for (const [name, value, type] of record) {
      expect(Number.isNaN(value), name).toBe(false);
      if (type !== 'u32') expect(at % 8, name).toBe(0);
      at += type === 'u32' ? 4 : 8;
    }
    expect(at).toBeLessThanOrEqual(PARAMETER_SET_BYTES);
  });
});
