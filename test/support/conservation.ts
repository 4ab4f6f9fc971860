/** What is true of the counters of each run: packets, bytes and flows are accounted for. */
import { expect } from 'vitest';
import { runScenarioSync } from '../../src/sim/run/run-scenario.js';
import type { SimResult } from '../../src/sim/result.js';
import type { ScenarioSpec } from '../../src/sim/scenario/spec.js';

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);

/** In = out + in flight + dropped, and in bytes what was trimmed; ports sent as many packets as there were hops; marks and drops sum up. */
function expectBalance({ totals, ports, packetHops }: SimResult): void {
  expect(totals.packetsIn).toBe(totals.packetsOut + totals.packetsInFlight + totals.packetsDropped);
  expect(totals.bytesIn).toBe(
    totals.bytesOut + totals.bytesInFlight + totals.bytesDropped + (totals.bytesTrimmed ?? 0),
  );
  expect(Math.min(totals.packetsInFlight, totals.bytesInFlight)).toBeGreaterThanOrEqual(0);
  expect(totals.bytesInFlight > 0).toBe(totals.packetsInFlight > 0);
  expect(sum(Object.values(totals.drops))).toBe(totals.packetsDropped);
  expect(sum(ports.map(({ drops }) => drops))).toBeLessThanOrEqual(totals.packetsDropped);
  const { dataPackets, acks, naks, cnps, fastCnps, pauses, resumes } = totals;
  const { nacks = 0, probes = 0, readRequests = 0, rnrNaks = 0 } = totals;
  const { endpointRequests = 0, endpointResponses = 0 } = totals;
  const ofMrc = nacks + probes + endpointRequests + endpointResponses;
  expect(dataPackets + acks + naks + cnps + fastCnps + pauses + resumes + ofMrc + readRequests + rnrNaks).toBe(
    totals.packetsIn,
  );
  expect(sum(ports.map(({ txPackets }) => txPackets))).toBe(packetHops);
  expect(sum(ports.map(({ marks }) => marks))).toBe(totals.marks);
  expect(sum(ports.map(({ trimmedPackets = 0 }) => trimmedPackets))).toBe(totals.trimmedPackets ?? 0);
  expect(sum(ports.map(({ trimmedDropped = 0 }) => trimmedDropped))).toBe(totals.trimmedDropped ?? 0);
}

/** Delivered is at most the size, and the size if the flow is done; `ended` agrees with the flows. */
function expectFlows({ flows, ended, simulatedPs, totals, scenario }: SimResult): void {
  for (const flow of flows) {
    expect(flow.deliveredBytes).toBeLessThanOrEqual(flow.sizeBytes);
    if (flow.completionPs === null) continue;
    expect(flow.deliveredBytes).toBe(flow.sizeBytes);
    expect(flow.startPs + flow.completionPs).toBeLessThanOrEqual(simulatedPs);
  }
  const unfinished = flows.filter(({ completionPs }) => completionPs === null).length;
  expect(ended === 'all-flows-done').toBe(unfinished === 0);
  if (ended === 'stuck') expect(totals.packetsInFlight).toBe(0);
  if (ended === 'all-flows-done') expect(totals.packetsInFlight).toBeLessThanOrEqual(mostLate(scenario, totals));
}

/** Most packets that may be in flight where the time of a run ends after its last flow. */
function mostLate({ fidelity, hosts = {}, overrides = [] }: ScenarioSpec,
  { timeouts, cnps }: SimResult['totals']): number {
  // The longest random networks of `reference` have little time: what a timeout sent needlessly may still be in flight.
  if (fidelity === 'reference' && timeouts > 0) return Infinity;
  const delays = [hosts, ...overrides.map(({ host = {} }) => host)].map(({ cnpDelayUs = 0 }) => cnpDelayUs);
  return Math.max(...delays) > 0 ? cnps : 0;
}

/**
 * Without packets in flight, what adapters sent into a plane has left it or was dropped by its switches. Packets that cut links lose were sent
 * or not, so of runs with such drops only bounds are known.
 */
export function expectPlaneBalance({ ports, totals }: SimResult): void {
  const planeOf = (node: string): string | undefined => /^p\d+\./.exec(node)?.[0];
  for (const plane of new Set(ports.flatMap(({ node }) => planeOf(node) ?? []))) {
    const entries = ports.filter(({ node, peer }) => planeOf(node) === undefined && planeOf(peer) === plane);
    const within = ports.filter(({ node }) => planeOf(node) === plane);
    const egress = within.filter(({ peer }) => planeOf(peer) === undefined);
    const missing = sum(entries.map(({ txPackets }) => txPackets)) - sum(egress.map(({ txPackets }) => txPackets));
    const dropsOf = (some: typeof ports): number => sum(some.map(({ drops }) => drops));
    if (totals.drops.linkDown + totals.drops.loss === 0) expect(missing, plane).toBe(dropsOf(within));
    expect(missing, plane).toBeLessThanOrEqual(dropsOf(within) + dropsOf(entries));
    expect(missing, plane).toBeGreaterThanOrEqual(dropsOf(within) - dropsOf(egress));
  }
}

export function runBalanced(spec: ScenarioSpec): SimResult {
  const result = runScenarioSync(spec);
  expectBalance(result);
  expectFlows(result);
  return result;
}
