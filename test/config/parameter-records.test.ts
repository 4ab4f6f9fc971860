/** The host writes the fields of the engine's classes, in the same order and without gaps. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { PARAMETER_SET_BYTES } from '../../src/abi/layout.js';
import { ALGORITHMS, parameterRecord, type AlgorithmName } from '../../src/config/algorithms/registry.js';
import { ALGORITHM_EXAMPLES } from '../support/algorithm-examples.js';

const ROOT = fileURLToPath(new URL('../../assembly/', import.meta.url));
const SOURCE = readdirSync(ROOT, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => readFileSync(path.join(ROOT, name), 'utf8'))
  .join('\n');

/** `hpcc-pint` has the class HpccPintParameterSet. */
function classOf(algorithm: AlgorithmName): string {
  const words = algorithm.split('-').map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `${words.join('')}ParameterSet`;
}

/** Fields of a class as `name: type`, inherited ones first. */
function fieldsOf(name: string): string[] {
  const [, parent, body] = new RegExp(`class ${name}(?: extends (\\w+))? \\{\\n(.*?)^\\}`, 'ms').exec(SOURCE)!;
  const own = [...body!.matchAll(/^ {2}(\w+): (u32|f64);/gm)].map(([, field, type]) => `${field}: ${type}`);
  return parent === undefined ? own : [...fieldsOf(parent), ...own];
}

describe.each(Object.keys(ALGORITHMS) as AlgorithmName[])('the parameter record of %s', (algorithm) => {
  const engineClass = classOf(algorithm);
  const record = parameterRecord(ALGORITHM_EXAMPLES[algorithm]);

  it('begins with the code of the algorithm and continues in the order of the class', () => {
    const written = record.map(([name, , type]) => `${name}: ${type ?? 'f64'}`);
    expect(record[0]).toStrictEqual(['algorithm', ALGORITHMS[algorithm].code, 'u32']);
    expect(fieldsOf(engineClass).slice(0, written.length)).toStrictEqual(written);
  });

  it('has only numbers, aligns each f64 to 8 bytes, and fits into its region', () => {
    let at = 0;
    for (const [name, value, type] of record) {
      expect(Number.isNaN(value), name).toBe(false);
      if (type !== 'u32') expect(at % 8, name).toBe(0);
      at += type === 'u32' ? 4 : 8;
    }
    expect(at).toBeLessThanOrEqual(PARAMETER_SET_BYTES);
  });
});
