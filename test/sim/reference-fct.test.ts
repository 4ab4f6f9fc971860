/** The fct file is the reference simulator's, line by line, ideal times included, where the runs are equal. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { readReferenceExperiment, referenceFctParts, runScenarioSync } from '../../src/sim/index.js';
import { GOLDEN_SYSTEM } from '../support/golden.js';

const FOLDER = `${GOLDEN_SYSTEM}incast2_1MB/`;
const read = (name: string) => readFileSync(path.join(FOLDER, path.basename(name)), 'utf8');

/** `src,dst,sport,dport,size,start_ns,fct_ns,standalone_ns` of the sample as the simulator itself wrote it. */
function lineOfSample(row: string): string {
  const [source, destination, ...rest] = row.split(',').map(Number);
  const address = (id: number) => (0x0b000001 + (id % 256) * 0x100).toString(16).padStart(8, '0');
  return [address(source!), address(destination!), ...rest].join(' ');
}

describe('The fct file', () => {
  it.each(['dcqcn_step', 'hpcc', 'timely'])('of %s matches the reference simulator', (name) => {
    const spec = readReferenceExperiment({
      config: read(`config_${name}.txt`),
      configName: `config_${name}.txt`,
      readFile: read,
    });
    const lines = [...referenceFctParts(runScenarioSync(spec))].join('').trimEnd().split('\n');
    const [, ...sample] = read(`fct_${name}.csv`).trimEnd().split('\n');
    expect(lines).toEqual(sample.map(lineOfSample));
  });

  it('has the port that the scripts expect, unless a flow has an explicit one', () => {
    const result = runScenarioSync({
      name: 'two',
      topology: { kind: 'star', hosts: 3 },
      workload: {
        kind: 'flows',
        flows: [{ from: 'h0', to: 'h2', sizeBytes: 1000 }, {
          from: 'h1',
          to: 'h2',
          sizeBytes: 1000,
          destinationPort: 200,
        }],
      },
    });
    const ports = [...referenceFctParts(result)].join('').trimEnd().split('\n').map((line) => line.split(' ')[3]);
    expect(ports.sort()).toEqual(['100', '200']);
  });
});
