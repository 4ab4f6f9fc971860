/** The sizes of the simulator's records in docs/internals/design.md are current. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { compileScenario } from '../../src/sim/compile/compile-scenario.js';
import { SimKernel } from '../../src/sim/kernel/kernel.js';
import { validateScenario } from '../../src/sim/scenario/validate.js';
import type { ScenarioSpec } from '../../src/sim/scenario/spec.js';
import { pageTable } from './support/page-blocks.js';
import { SIM_FLOW, SIM_NODE, SIM_PORT } from '../../src/abi/records/network.js';

const PAGE = readFileSync(new URL('../../docs/internals/design.md', import.meta.url), 'utf8');
const ROWS = new Map(pageTable(PAGE, 'memory').map((row) => [row['memory']!, row['bytes']!]));

function packetBytes(preset: string, topology: ScenarioSpec['topology']): number {
  const spec: ScenarioSpec = {
    name: 'one flow',
    topology,
    workload: { kind: 'incast', senders: 1, sizeBytes: 1 },
    algorithms: { a: { preset } },
  };
  return new SimKernel(compileScenario(validateScenario(spec)).plan).packetBytes;
}

/** Two hosts connected by a chain of this many switches. */
function chain(switches: number): ScenarioSpec['topology'] {
  const names = ['h0', ...Array.from({ length: switches }, (_, i) => `s${i}`), 'h1'];
  const nodes = names.map((name) => ({ name, kind: name.startsWith('h') ? 'host' as const : 'switch' as const }));
  return { kind: 'edges', nodes, links: names.slice(1).map((to, i) => ({ from: names[i]!, to })) };
}

describe('docs/internals/design.md on the simulator', () => {
  it('has the sizes of its records', () => {
    expect([ROWS.get('node'), ROWS.get('port'), ROWS.get('flow')!.split(',')[0]]).toEqual(
      [SIM_NODE, SIM_PORT, SIM_FLOW].map(({ bytes }) => String(bytes)),
    );
  });

  it('has the sizes of packets', () => {
    const row = ROWS.get('packet')!;
    expect(row).toContain(`${packetBytes('dcqcn-sigcomm15', { kind: 'star', hosts: 2 })}, or 60 and 20 per hop`);
    const lengths = [
      packetBytes('hpcc-sigcomm19', { kind: 'star', hosts: 2 }),
      packetBytes('hpcc-sigcomm19', { kind: 'fat-tree', k: 4 }),
    ];
    expect(row).toContain(`one switch ${lengths[0]}, five ${lengths[1]}`);
    expect(packetBytes('hpcc-ns3', { kind: 'star', hosts: 2 })).toBe(lengths[1]);
    expect(row).toContain(`seven ${packetBytes('hpcc-sigcomm19', chain(7))}`);
    expect(packetBytes('hpcc-sigcomm19', chain(7))).toBeLessThanOrEqual(200);
  });
});
