/** The simulator of examples/embed, built around the engine, has exactly the results of roce-cc/sim. */
import { describe, expect, it } from 'vitest';
import { simulate, type Control } from '../../examples/embed/star.js';
import { runScenarioSync } from '../../src/sim/index.js';

const CONTROLS: readonly Control[] = ['dcqcn', 'hpcc', 'fast-cnp'];
const SIZES: readonly (readonly [senders: number, sizeBytes: number])[] = [
  [1, 2000],
  [2, 1_000_000],
  [3, 100_001],
  [5, 1024 * 700],
  [16, 1_000_000],
  [64, 1_000_000],
  [100, 200_000],
];

describe.each(CONTROLS)('the simulator of examples/embed under %s', (control) => {
  it.each(SIZES)('equals roce-cc/sim with %i senders of %i bytes', (senders, sizeBytes) => {
    const { flows, summary, totals } = runScenarioSync({
      name: 'an incast',
      topology: { kind: 'star', hosts: senders + 1 },
      workload: { kind: 'incast', senders, sizeBytes },
      algorithms: { all: { preset: control === 'hpcc' ? 'hpcc-sigcomm19' : 'dcqcn-sigcomm15' } },
      switches: { pfc: false, bufferBytes: 1e9, fastCnp: { enabled: control === 'fast-cnp' } },
    });
    expect(simulate(senders, control, sizeBytes)).toEqual({
      completionPs: flows.map(({ completionPs }) => completionPs),
      maxQueueBytes: summary.maxQueueBytes,
    });
    if (senders >= 16)
      expect(totals[control === 'fast-cnp' ? 'fastCnps' : 'marks']).toBeGreaterThan(0);
  });
});
