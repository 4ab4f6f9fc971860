/** Tunnels, borders and ARNs in a run's result; empty for a network without provider edges. */
import type { CompiledScenario } from '../../compile/compile-scenario.js';
import type { SimKernel } from '../../kernel/kernel.js';
import type { RawWanNode, WanReader } from './memory.js';
import type { SimResult, ArnPortResult, HeldResult, WanNodeResult, WanResult } from '../../result.js';
import { decapsulateEcn } from '../../../tunnel/ecn.js';
import type { WanPlan } from './plan.js';

const CODES = 4;

export function wanResults(compiled: CompiledScenario, kernel: SimKernel): Pick<SimResult, 'wan'> {
  const { wan } = compiled.plan;
  const reader = kernel.wan;
  if (wan === undefined || reader === undefined) return {};
  const { nodes } = compiled.plan;
  const arnPorts = arnPortResults(compiled, reader);
  const held = heldResults(wan, reader);
  return {
    wan: {
      nodes: nodes.flatMap(({ name }, i) => nodeResult(name, reader.node(i))),
      services: serviceResults(compiled, wan),
      ...(arnPorts.length === 0 ? {} : { arnPorts }),
      ...(held.length === 0 ? {} : { held }),
    },
  };
}

function nodeResult(node: string, raw: RawWanNode): WanNodeResult[] {
  const { encapsulated, decapsulated, wrapped, unwrapped, deniedIn, deniedOut, cells } = raw;
  if (encapsulated + decapsulated + wrapped + unwrapped + deniedIn + deniedOut === 0) return [];
  const exits = cells.map((packets, i) => ({ packets, exit: decapsulateEcn(Math.floor(i / CODES), i % CODES) }));
  const sum = (counts: (cell: (typeof exits)[number]) => boolean): number =>
    exits.filter(counts).reduce((all, { packets }) => all + packets, 0);
  return [{
    node,
    encapsulated,
    decapsulated,
    endConSent: wrapped,
    endConReceived: unwrapped,
    fastCnpsDeniedIn: deniedIn,
    fastCnpsDeniedOut: deniedOut,
    ecnUnused: sum(({ exit }) => exit.warning === 'unused-combination'),
    ecnDangerous: sum(({ exit }) => exit.warning === 'dangerous'),
    ecnDropped: sum(({ exit }) => exit.ecn === 'drop'),
  }];
}

function serviceResults({ plan: { nodes, flows } }: CompiledScenario,
  { services, serviceOfFlow, domains }: WanPlan): WanResult['services'] {
  const counts = services.map(() => 0);
  serviceOfFlow.forEach((service, i) => {
    if (domains[flows.source[i]] !== domains[flows.destination[i]]) counts[service] += 1;
  });
  return services.map(({ name, edges, segments, overheadBytes }, i) => ({
    name,
    edges: edges.map((edge) => nodes[edge].name),
    via: segments.map((router) => nodes[router].name),
    overheadBytes,
    flows: counts[i],
  }));
}

function arnPortResults({ plan, portNames }: CompiledScenario, reader: WanReader): ArnPortResult[] {
  return plan.ports.flatMap((_, i) => {
    const { arnHeldPs, ...counts } = reader.port(i);
    if (counts.arnsSent + counts.arnsReceived === 0) return [];
    return [{ port: portNames[i], ...counts, heldPs: arnHeldPs }];
  });
}

function heldResults({ services, flowControl: { level } }: WanPlan, reader: WanReader): HeldResult[] {
  return reader.heldPs()
    .map((heldPs, key) => ({ level, key, name: level === 'service' ? services[key].name : String(key), heldPs }))
    .filter(({ heldPs }) => heldPs > 0)
    .sort((a, b) => b.heldPs - a.heldPs || a.key - b.key);
}
