/**
 * Random networks of source routes in outer headers: kernel and plain model agree, and every packet follows the path of
 * its uSIDs, shifted by one at each switch.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { dissect } from '../../src/packet/dissect.js';
import type { CompiledScenario } from '../../src/sim/compile/compiled-scenario.js';
import { compileScenario } from '../../src/sim/compile/compile-scenario.js';
import { FrameTemplates } from '../../src/sim/files/capture-templates.js';
import type { PacketRecord } from '../../src/sim/result.js';
import { runScenarioSync } from '../../src/sim/run/run-scenario.js';
import type { ScenarioSpec } from '../../src/sim/scenario/spec.js';
import { validateScenario } from '../../src/sim/scenario/validate.js';
import { UsidCarrier } from '../../src/wire/mrc/ip-fields.js';
import { withoutRules } from '../support/agreement/balancing-networks.js';
import { planOf } from '../support/agreement/model-balance.js';
import { mrcNetworks } from '../support/agreement/mrc-networks.js';
import { expectAgreement } from '../support/agreement/outcomes.js';
import { planeNetworks } from '../support/agreement/plane-networks.js';
import { SMALL } from '../support/agreement/standard-networks.js';
import { caseCount } from '../support/effort.js';

const RUNS = caseCount('ROCE_USID_NETWORKS', { few: 100, all: 2000 });
const ROUTED_RUNS = caseCount('ROCE_USID_ROUTES', { few: 150, all: 300 });
const SEED = 20_261_129;
const FIRST_LOCAL_USID = 0xe000;
const DESTINATION_AT = 14 + 24;
const HOP_LIMIT_AT = 14 + 7;
const INNER_AT = 14 + 40;
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

type Withdrawn = typeof withdrawn extends fc.Arbitrary<infer One> ? One : never;

const withdrawn = fc.record({
  which: fc.nat(),
  times: fc.constantFrom({}, { fromUs: 3 }, { toUs: 60 }, { fromUs: 2, toUs: 30 }),
  isOwn: fc.boolean(),
});

/** A switch on some path lacks its own uSID, or that of a neighbour. */
function withoutUsid(spec: ScenarioSpec, { which, times, isOwn }: Withdrawn): ScenarioSpec {
  if (planOf(spec) === undefined) return spec;
  const { plan: { nodes, ports } } = compileScenario(validateScenario(spec));
  const ofSwitches = ports.filter(({ node }) => nodes[node]!.kind === 'switch' && nodes[node]!.isAdapter !== true);
  const { node, peerPort } = ofSwitches[which % ofSwitches.length]!;
  const next = isOwn ? {} : { next: nodes[ports[peerPort]!.node]!.name };
  const fault = { kind: 'usid-withdrawn', node: nodes[node]!.name, ...next, ...times } as const;
  return { ...spec, faults: [...spec.faults ?? [], fault] };
}

/** All switches forward by source routes, in outer headers, with which hosts may not report their ports. */
function withUsids(spec: ScenarioSpec): ScenarioSpec {
  const overrides = withoutRules(spec.overrides ?? []);
  const hosts = { ...spec.hosts, mrc: { ...spec.hosts?.mrc, portStatus: false } };
  return { ...spec, hosts, switches: { ...spec.switches, loadBalancing: 'source-route', usids: true }, overrides };
}

const networks = fc.oneof(mrcNetworks({ ...SMALL, hosts: 6, flows: 6, flowBytes: 60_000 }), planeNetworks).map(
  withUsids,
);

it(`Kernel and model agree on ${RUNS} random networks with uSIDs`, () => {
  let [trimmed, wrong] = [0, 0];
  const property = fc.property(networks, fc.option(withdrawn), (spec, fault) => {
    const plan = planOf(fault === null ? spec : withoutUsid(spec, fault));
    fc.pre(plan !== undefined);
    const { totals } = expectAgreement(plan);
    trimmed += Number((totals.trimmedPackets ?? 0) > 0);
    wrong += Number(totals.drops.wrongUsid !== undefined);
  });
  fc.assert(property, { seed: SEED, numRuns: RUNS });
  expect(trimmed).toBeGreaterThan(RUNS / 25);
  expect(wrong).toBeGreaterThan(RUNS / 10);
}, 60_000 + 300 * RUNS);

interface OnLink {
  readonly kind: PacketRecord['kind'];
  readonly port: number;
  readonly frame: Uint8Array;
}

/** Source-routed packets, each as it was on its links, in order. */
function routesOf(spec: ScenarioSpec, { plan, portNames }: CompiledScenario): OnLink[][] {
  const templates = new FrameTemplates(plan);
  const routes = new Map<string, OnLink[]>();
  const add = (record: PacketRecord): void => {
    const { kind, flow, sequence, port, mrc, sourcePort } = record;
    if ((kind !== 'data' && kind !== 'probe') || mrc === undefined) return;
    const key = [kind, flow, sequence, mrc.sentPs, mrc.cause, sourcePort].join(' ');
    const route = routes.get(key) ?? [];
    route.push({ kind, port, frame: templates.frameOf(record).slice() });
    routes.set(key, route);
  };
  runScenarioSync({ ...spec, record: { capture: portNames } }, {
    onPackets: (records) => {
      records.forEach(add);
    },
  });
  return [...routes.values()];
}

/** The links outside of hosts: one between a host and its adapter is within the host. */
function outside({ plan: { nodes, ports } }: CompiledScenario, route: readonly OnLink[]): OnLink[] {
  return route.filter(({ port }) => {
    const ends = [ports[port]!.node, ports[ports[port]!.peerPort]!.node].map((node) => nodes[node]!);
    return !(ends.some(({ isAdapter }) => isAdapter) && ends.some(({ kind }) => kind === 'host'));
  });
}

/** The ports of a list of uSIDs from a sender's port, by a table of all switches. */
function expectAsked({ plan: { nodes, ports } }: CompiledScenario, route: readonly OnLink[]): void {
  const switches = [...nodes.keys()].filter((node) => nodes[node]!.kind === 'switch' && !nodes[node]!.isAdapter);
  const { usids } = UsidCarrier.read(route[0]!.frame.subarray(DESTINATION_AT, INNER_AT));
  route.forEach(({ port }, hop) => {
    const usid = usids[hop]!;
    const head = ports[ports[port]!.peerPort]!.node;
    if (usid < FIRST_LOCAL_USID) expect(head).toBe(switches[usid - 1]);
    else expect([port - nodes[ports[port]!.node]!.firstPort, hop]).toEqual([usid - FIRST_LOCAL_USID, usids.length - 1]);
  });
}

function expectShifted(route: readonly OnLink[]): void {
  route.slice(1).forEach(({ frame }, hop) => {
    const before = route[hop]!.frame;
    expect(hex(frame.subarray(DESTINATION_AT, INNER_AT))).toBe(
      hex(UsidCarrier.shift(before.subarray(DESTINATION_AT, INNER_AT))),
    );
    expect(frame[HOP_LIMIT_AT]).toBe(before[HOP_LIMIT_AT]! - 1);
    expect(hex(frame.subarray(INNER_AT))).toBe(hex(before.subarray(INNER_AT, frame.length)));
  });
}

it(`Packets follow the path of their uSIDs in ${ROUTED_RUNS} random networks`, () => {
  const seen = { routes: 0, long: 0, probes: 0, trimmed: 0, planes: 0 };
  const property = fc.property(networks, (spec) => {
    fc.pre(planOf(spec) !== undefined);
    const compiled = compileScenario(validateScenario(spec));
    for (const all of routesOf(spec, compiled)) {
      const route = outside(compiled, all);
      // Lost within the host.
      if (route.length === 0) continue;
      seen.planes += Number(route.length < all.length);
      expectAsked(compiled, route);
      expectShifted(route);
      const { mrc } = dissect(route.at(-1)!.frame);
      seen.routes++;
      seen.probes += Number(route[0]!.kind === 'probe');
      seen.long += Number(route.length > 3);
      seen.trimmed += Number(mrc?.isTrimmed === true);
    }
  });
  fc.assert(property, { seed: SEED, numRuns: ROUTED_RUNS, endOnFailure: true });
  for (const [what, count] of Object.entries(seen)) expect(count, what).toBeGreaterThan(0);
}, 60_000 + 300 * RUNS);
