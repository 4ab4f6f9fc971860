/** The reference simulator's golden networks and flows as scenarios, read from its files in the simplest way. */
import { readFileSync } from 'node:fs';
import type { EdgesSpec, FlowSpec } from '../../src/sim/scenario/spec.js';
import { GOLDEN_SYSTEM } from './golden.js';

export const GOLDEN_SCENARIOS = [
  'single_1MB',
  'incast2_1MB',
  'incast16_1MB',
  'leafspine32_48f',
  'fattree4_32f',
] as const;

function linesOf(scenario: string, file: string): string[][] {
  const text = readFileSync(`${GOLDEN_SYSTEM}${scenario}/${file}`, 'utf8');
  return text.split('\n').map((line) => line.trim().split(/\s+/)).filter(([first]) => first !== '');
}

/** Nodes are named `n0`, `n1`, … by their ids. */
export function goldenTopology(scenario: string): EdgesSpec {
  const [[nodeCount], switches, ...links] = linesOf(scenario, 'topology.txt');
  return {
    kind: 'edges',
    nodes: Array.from({ length: Number(nodeCount) },
      (_, i) => ({ name: `n${i}`, kind: switches.includes(String(i)) ? 'switch' : 'host' })),
    links: links.map(([from, to, rate, delay]) => ({
      from: `n${from}`,
      to: `n${to}`,
      rateGbps: parseFloat(rate),
      delayNs: parseFloat(delay),
    })),
  };
}

/** In the order of the file; starts as the golden completion times give them are not needed here. */
export function goldenFlows(scenario: string): FlowSpec[] {
  return linesOf(scenario, 'flow.txt').slice(1).map(([from, to, trafficClass, port, size, start]) => ({
    from: `n${from}`,
    to: `n${to}`,
    trafficClass: Number(trafficClass),
    destinationPort: Number(port),
    sizeBytes: Number(size),
    startPs: Math.round(Number(start) * 1e9) * 1000,
  }));
}
