/** Files of pauses and of queues are the reference simulator's, line by line, where the runs are equal. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { readReferenceExperiment, referencePfcParts, referenceQlenParts,
  runScenarioSync } from '../../src/sim/index.js';
import { GOLDEN_SYSTEM, GOLDEN_SYSTEM_LOSSY } from '../support/golden.js';

function run(folder: string, name: string) {
  const readFile = (file: string) => readFileSync(path.join(folder, path.basename(file)), 'utf8');
  const spec = readReferenceExperiment({ config: readFile(`config_${name}.txt`), readFile, queues: true });
  return runScenarioSync({ ...spec, record: { ...spec.record, pauses: true } });
}

/** Rows of numbers behind a line of names. */
function rowsOf(text: string): number[][] {
  return text.trimEnd().split('\n').slice(1).map((row) => row.split(',').map(Number));
}

/** As `switch_node,ifindex,qlen_kb,samples_100ns`, of lengths from 1 kB on. */
function histogramRows(text: string): number[][] {
  const [, ...lines] = text.trimEnd().split('\n');
  return lines.map((line) => line.split(' ').map(Number)).flatMap(([node, port, , ...counts]) =>
    counts.flatMap((count, index) => (count === 0 ? [] : [[node!, port!, index + 1, count]]))
  );
}

const sorted = (rows: readonly number[][]) => [...rows].sort((a, b) => a[0]! - b[0]! || a[1]! - b[1]! || a[2]! - b[2]!);

/**
 * Folder and name of the runs that have such a file; those of HPCC-PINT are excluded, as its random numbers differ from
 * the simulator's.
 */
function runsWith(folder: string, kind: string, names: RegExp, extension: string): (readonly [string, string])[] {
  return readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory()).flatMap(({ name }) =>
    readdirSync(`${folder}${name}`).filter((file) => file.startsWith(kind) && names.test(file)).map((file) =>
      [name, file.slice(kind.length, -extension.length)] as const
    )
  );
}

function pauseRows(folder: string, name: string): number[][] {
  const text = [...referencePfcParts(run(folder, name))].join('').trimEnd();
  return text === '' ? [] : text.split('\n').map((line) => line.split(' ').map(Number));
}

describe('The file of pauses', () => {
  it.each(runsWith(GOLDEN_SYSTEM, 'pfc_', /dcqcn_step|dcqcn_paper\.|timely/, '.csv'))('of %s, %s', (scenario, name) => {
    const folder = `${GOLDEN_SYSTEM}${scenario}`;
    const golden = rowsOf(readFileSync(`${folder}/pfc_${name}.csv`, 'utf8'));
    expect(sorted(pauseRows(folder, name))).toEqual(sorted(golden));
  });

  it('is rejected if pauses are not recorded', () => {
    const { scenario } = run(`${GOLDEN_SYSTEM}incast2_1MB`, 'timely');
    expect(() => referencePfcParts({ scenario })).toThrow('record.pauses');
  });
});

describe('The file of pauses that expire and are repeated', () => {
  const system = GOLDEN_SYSTEM_LOSSY;
  it.each(runsWith(system, 'pfc_', /pause5|gbn_pfc_hpcc_conga|irn_pfc_timely\./, '.csv'))('of %s, %s',
    (scenario, name) => {
      const folder = `${system}${scenario}`;
      const golden = rowsOf(readFileSync(`${folder}/pfc_${name}.csv`, 'utf8'));
      expect(sorted(pauseRows(folder, name))).toEqual(sorted(golden));
    });
});

describe('The file of queues', () => {
  it.each(runsWith(GOLDEN_SYSTEM, 'qlen_', /dcqcn_step|hpcc\.|timely/, '.csv'))('of %s, %s', (scenario, name) => {
    const folder = `${GOLDEN_SYSTEM}${scenario}`;
    const text = [...referenceQlenParts(run(folder, name))].join('');
    expect(histogramRows(text)).toEqual(sorted(rowsOf(readFileSync(`${folder}/qlen_${name}.csv`, 'utf8'))));
  });

  it('counts each poll of each switch port', () => {
    const { scenario, simulatedPs, queueHistogram } = run(`${GOLDEN_SYSTEM}incast2_1MB`, 'timely');
    const [, ...lines] = [...referenceQlenParts({ scenario, simulatedPs, queueHistogram: queueHistogram! })];
    const sampleCounts = lines.map((line) =>
      line.trim().split(' ').slice(2).map(Number).reduce((sum, count) => sum + count, 0)
    );
    expect(new Set(sampleCounts)).toEqual(new Set([queueHistogram!.polls]));
    expect(lines.length).toBe(3);
  });

  it('is rejected without a histogram', () => {
    const { scenario, simulatedPs } = run(`${GOLDEN_SYSTEM}incast2_1MB`, 'timely');
    expect(() => referenceQlenParts({ scenario, simulatedPs })).toThrow('record.queueHistogram');
  });
});
