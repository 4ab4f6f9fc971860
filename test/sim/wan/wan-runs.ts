/** Small WANs, and the packets of their runs by the names of the ports that they left. */
import { compileScenario, type CompiledScenario } from '../../../src/sim/compile/compile-scenario.js';
import { runScenarioSync, validateScenario, type PacketRecord, type ScenarioSpec, type SimResult,
  type WanSpec } from '../../../src/sim/index.js';

const PS_PER_BYTE_GBPS = 8000;
const WIRE_OVERHEAD_BYTES = 20;

/** One host and one leaf and spine on each side: h0, dc0.leaf0, dc0.spine0, dc0.gateway, pe0, r0, …, pe1, dc1.gateway, …, h1. */
export function lineWan(wan: WanSpec = {}, more: Partial<ScenarioSpec> = {}): ScenarioSpec {
  return {
    name: 'line',
    topology: {
      kind: 'two-data-centers',
      leaves: 1,
      spines: 1,
      hostsPerLeaf: 1,
      wan: { edges: 1, routers: 2, delayNs: 100_000 },
    },
    workload: { kind: 'flows', flows: [{ from: 'h0', to: 'h1', sizeBytes: 1024 }] },
    algorithms: { none: { preset: 'none' } },
    wan,
    ...more,
  };
}

/** A packet as it left a port, by its name. */
export interface SeenPacket extends Omit<PacketRecord, 'port'> {
  readonly port: string;
}

export interface WanRun {
  readonly compiled: CompiledScenario;
  readonly result: SimResult;
  readonly packets: readonly SeenPacket[];
}

/** Runs a scenario with all ports captured. */
export function runWan(spec: ScenarioSpec): WanRun {
  const names = compileScenario(validateScenario({ ...spec, record: {} })).portNames;
  const compiled = compileScenario(validateScenario({ ...spec, record: { ...spec.record, capture: [...names] } }));
  const packets: SeenPacket[] = [];
  const result = runScenarioSync(compiled, {
    onPackets: (records) => {
      packets.push(...records.map((record) => ({ ...record, port: names[record.port]! })));
    },
  });
  return { compiled, result, packets };
}

/** Time of a packet on a link, picoseconds. */
export function txPs(lenBytes: number, rateGbps = 100): number {
  return Math.ceil(((lenBytes + WIRE_OVERHEAD_BYTES) * PS_PER_BYTE_GBPS) / rateGbps);
}
