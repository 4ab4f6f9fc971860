/** Discovery before traffic: its packets in a run, its findings, and the effect on the flows. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { FINDING_SENTENCES } from '../../../src/discovery/finding.js';
import { ReplyPacket, RequestPacket } from '../../../src/wire/discovery/packets.js';
import { explainResult } from '../../../src/sim/explain/explain.js';
import { PortCapture } from '../../../src/sim/files/capture.js';
import { parseResultJson, resultToJson } from '../../../src/sim/files/result-json.js';
import { compileScenario } from '../../../src/sim/compile/compile-scenario.js';
import type { PacketRecord, SimResult } from '../../../src/sim/result.js';
import { runScenarioSync } from '../../../src/sim/run/run-scenario.js';
import { isHashRight } from '../../../src/sim/results/result-hash.js';
import type { DiscoveryRouterSpec, DiscoverySpec, ScenarioSpec } from '../../../src/sim/scenario/spec.js';
import { validateScenario } from '../../../src/sim/scenario/validate.js';

const EXAMPLE = JSON.parse(
  readFileSync(new URL('../../../examples/scenarios/discovery.json', import.meta.url), 'utf8'),
) as ScenarioSpec;
type FindingCode = keyof typeof FINDING_SENTENCES;

const LINK_PS = 1_000_000;
const WIRE_BYTES = 20;

/** Time of a frame on the wire; whole picoseconds at the rates here. */
const txPs = (lenBytes: number, rateGbps: number) => ((lenBytes + WIRE_BYTES) * 8000) / rateGbps;

/** One flow over leaf0, spine0 and leaf1; links of 1 µs. */
function line(discovery: DiscoverySpec, given: Partial<ScenarioSpec> = {}): ScenarioSpec {
  return {
    name: 'line',
    topology: { kind: 'leaf-spine', leaves: 2, spines: 1, hostsPerLeaf: 1, uplink: { rateGbps: 400 } },
    workload: { kind: 'flows', flows: [{ from: 'h0', to: 'h1', sizeBytes: 10_000, startUs: 3 }] },
    discovery,
    ...given,
  };
}

function run(spec: ScenarioSpec): { result: SimResult; packets: PacketRecord[] } {
  const packets: PacketRecord[] = [];
  const result = runScenarioSync(spec, { onPackets: (records) => packets.push(...records) });
  return { result, packets };
}

/** The findings of discovery on the line with one router configured in this way. */
function found(router: Omit<DiscoveryRouterSpec, 'nodes'>, discovery: DiscoverySpec = {}) {
  const { result } = run(line({ timeoutUs: 100, ...discovery, routers: [{ nodes: ['spine0'], ...router }] }));
  return result.discovery!;
}

describe('The example of a misconfigured router', () => {
  it('drops packets at the router in report mode, and discovery names the router', () => {
    const { result } = run(EXAMPLE);
    const { discovery, totals, ports } = result;
    expect(totals.drops.buffer).toBeGreaterThan(0);
    const dropping = new Set(ports.filter(({ drops }) => drops > 0).map(({ node }) => node));
    expect([...dropping]).toEqual(['spine0']);
    expect(discovery).toMatchObject({ verdict: 'not-lossless', isAsAsked: false, rounds: 1, changed: [] });
    for (const { reasons } of discovery!.paths)
      expect(reasons).toContain('Hop 2 (spine0, 2001:db8::11) answers "not supported".');
    const [{ topic, answer, inShort }] = explainResult(result) as [ReturnType<typeof explainResult>[number]];
    expect(topic).toBe('discovery');
    expect(answer).toMatch(/^Discovery probed 7 paths; none is lossless\. Hop 2 \(spine0, .* 7 requests, 28 replies/);
    expect(inShort).toContain('spine0');
    expect(result.notes).toContain(inShort);
    expect(parseResultJson(resultToJson(result))).toEqual(result);
  });

  it('loses nothing in push mode, as the policy fixes the router', () => {
    const { result: { discovery, totals } } = run({ ...EXAMPLE, discovery: { onMismatch: 'push' } });
    expect(totals.packetsDropped).toBe(0);
    expect(totals.retransmittedPackets).toBe(0);
    expect(discovery).toMatchObject({ verdict: 'lossless', isAsAsked: true, rounds: 3, changed: ['spine0'] });
    expect(discovery!.paths[0]).toMatchObject({ verdict: 'not-lossless', verdictAfter: 'lossless', reasonsAfter: [] });
    expect(discovery!.paths[0]!.pushed).toContain('Hop 2 (spine0, 2001:db8::11) took the policy.');
  });

  it('is rejected with the reason if the policy must be satisfied', () => {
    expect(() => run({ ...EXAMPLE, discovery: { onMismatch: 'refuse' } })).toThrow(expect.objectContaining({
      code: 'invalid-scenario',
      where: 'discovery.onMismatch',
      message: expect.stringMatching(/path from h0 to h13 does not satisfy the policy \(Hop 2 \(spine0, /) as string,
    }));
    const corrected = { ...EXAMPLE, overrides: [], discovery: { onMismatch: 'refuse' as const } };
    expect(() => compileScenario(validateScenario(corrected))).not.toThrow();
  });
});

describe.each([
  // Ethernet 14 and FCS 4; header 20 with the option of 38 or less, or 40 and the options header; UDP 8.
  { form: 'ipv4' as const, header: 20 },
  { form: 'ipv6' as const, header: 40 },
])('Packets of discovery over $form', ({ form, header }) => {
  const capture = ['h0:leaf0', 'leaf0:spine0', 'spine0:leaf1', 'leaf1:h1', 'h1:leaf1', 'leaf0:h0'];
  const { result, packets } = run(line({ form }, { record: { capture } }));
  const names = compileScenario(validateScenario(line({ form }))).portNames;
  const sent = packets.filter(({ kind }) => kind === 'discovery');
  const at = (port: string) => sent.filter((record) => names[record.port] === port);
  const [request] = at('h0:leaf0') as [PacketRecord];
  const replies = at('leaf0:h0');
  const replyBytes = replies[0]!.lenBytes;

  it('take the time of their links on an idle network, to the picosecond', () => {
    expect(request.lenBytes).toBe(18 + request.ipPacket!.length);
    expect(request.ipPacket!.length).toBeGreaterThan(header + 8);
    const there = (rateGbps: number) => LINK_PS + txPs(request.lenBytes, rateGbps);
    const back = (rateGbps: number) => LINK_PS + txPs(replyBytes, rateGbps);
    const both = (rateGbps: number) => there(rateGbps) + back(rateGbps);
    expect(result.discovery!.paths[0]!.hops).toEqual([
      { node: 'leaf0', hop: 1, roundTripPs: both(100) },
      { node: 'spine0', hop: 2, roundTripPs: both(100) + both(400) },
      { node: 'leaf1', hop: 3, roundTripPs: both(100) + 2 * both(400) },
      { node: 'h1', hop: 3, roundTripPs: 2 * both(100) + 2 * both(400) },
    ]);
    expect(replies.every(({ lenBytes }) => lenBytes === replyBytes)).toBe(true);
    expect(result.discovery!.endPs).toBe(2 * both(100) + 2 * both(400));
    expect(result.flows[0]!.startPs).toBe(result.discovery!.endPs + 3 * LINK_PS);
  });

  it('increment hop counts and decrement hop limits on each link, from the data sender to its receiver and back', () => {
    const requests = ['h0:leaf0', 'leaf0:spine0', 'spine0:leaf1', 'leaf1:h1'].map((port) => {
      const parsed = at(port).flatMap(({ ipPacket }) => RequestPacket.read(ipPacket!) ?? []);
      expect(parsed).toHaveLength(1);
      return parsed[0]!;
    });
    expect(requests.map(({ request: { outboundHopCount } }) => outboundHopCount)).toEqual([0, 1, 2, 3]);
    expect(requests.map(({ hopLimit }) => hopLimit)).toEqual([31, 30, 29, 28]);
    expect(requests.map(({ dscp }) => dscp)).toEqual([26, 26, 26, 26]);
    const responses = replies.map(({ ipPacket }) => ReplyPacket.read(ipPacket!)!);
    expect(responses.map(({ reply: { outboundHopCount, flags } }) => [outboundHopCount, flags])).toEqual([
      [1, 0],
      [2, 0],
      [3, 0],
      [3, 1],
    ]);
    expect(responses.map(({ hopLimit }) => hopLimit)).toEqual([64, 63, 62, 61]);
  });

  it('are in captures, before the data, as whole frames', () => {
    const { plan } = compileScenario(validateScenario(line({ form })));
    const file = new PortCapture(plan);
    for (const record of packets.filter(({ port }) => names[port] === 'h0:leaf0')) file.add(record);
    expect(file.count).toBe(1 + Math.ceil(10_000 / 1024));
    const bytes = file.finish();
    // Behind the file's header of 24 bytes and the record's of 16: Ethernet, then the packet.
    const frame = bytes.subarray(40, 40 + 14 + request.ipPacket!.length);
    expect(frame.subarray(14)).toEqual(request.ipPacket);
    expect([...frame.subarray(12, 14)]).toEqual(form === 'ipv4' ? [0x08, 0x00] : [0x86, 0xdd]);
  });
});

describe('Discovery finds', () => {
  it('no fault on a correctly configured path', () => {
    expect(found({})).toMatchObject({ verdict: 'lossless', isAsAsked: true, requests: 1, replies: 4 });
  });

  it('a router that maps data to a class without PFC and marks, until the policy restores the mapping', () => {
    const { reasons, verdict } = found({ rocePriority: 0 }).paths[0]!;
    expect(verdict).toBe('not-lossless');
    expect(reasons.join(' ')).toContain('maps DSCP 26 to priority 0, hop 1 to priority 3');
    const settings = (onMismatch: 'report' | 'push') => {
      const routers = [{ nodes: ['spine0'], rocePriority: 0 }];
      const { plan } = compileScenario(validateScenario(line({ onMismatch, routers })));
      const node = plan.nodes.findIndex(({ name }) => name === 'spine0');
      return [plan.nodes[node]!.pfc, plan.ports.filter((port) => port.node === node).every(({ ecn }) => ecn)];
    };
    expect(settings('report')).toEqual([false, false]);
    expect(settings('push')).toEqual([true, true]);
  });

  it('a router without marks, lossless but not compliant, which the policy fixes', () => {
    const overrides = [{ nodes: ['spine0'], switch: { ecn: { enabled: false } } }];
    const report = run(line({}, { overrides })).result.discovery!;
    expect(report).toMatchObject({ verdict: 'lossless', isAsAsked: false });
    expect(report.paths[0]!.remarks.join(' ')).toContain('spine0');
    expect(report.paths[0]!.remarks.join(' ')).toContain('does not mark ECN on RoCE data');
    const pushed = run(line({ onMismatch: 'push' }, { overrides })).result.discovery!;
    expect(pushed).toMatchObject({ isAsAsked: true, changed: ['spine0'] });
  });

  it('an unresponsive router by the gap in the hop counts, after a timeout', () => {
    const { verdict, paths, endPs, replies } = found({ responses: 'silent' });
    expect({ verdict, endPs, replies }).toEqual({ verdict: 'not-lossless', endPs: 100e6, replies: 3 });
    expect(paths[0]!.reasons).toEqual([
      "Hop 2 did not reply: request or reply was lost, so lossless treatment can't be assumed there.",
    ]);
  });

  it('the loss of replies to an access list in the same way', () => {
    const { verdict, repliesDropped, paths } = found({ dropsReplies: true });
    expect({ verdict, repliesDropped }).toEqual({ verdict: 'unknown', repliesDropped: 2 });
    expect(paths[0]!.reasons.join(' ')).toContain('the last reply is that of hop 2');
  });

  it('no hop at a router that does not support requests', () => {
    const { verdict, paths, isAsAsked } = found({ responses: 'unaware' });
    expect({ verdict, isAsAsked }).toEqual({ verdict: 'lossless', isAsAsked: true });
    expect(paths[0]!.hops.map(({ node, hop }) => [node, hop])).toEqual([['leaf0', 1], ['leaf1', 2], ['h1', 2]]);
  });

  it('a router that rejects the policy and stays unchanged', () => {
    const discovery = found({ takesPolicies: false, rocePriority: 0 }, { onMismatch: 'push' });
    expect(discovery).toMatchObject({ verdict: 'not-lossless', isAsAsked: false, changed: [] });
    expect(discovery.paths[0]!.pushed![1]).toMatch(
      /^Hop 2 \(spine0, .*\) rejected the policy: it accepts no policy from this originator/,
    );
  });
});

describe('Findings of discovery', () => {
  it('have codes, figures and hops, from which reasons and remarks are formatted', () => {
    const { reasons, remarks, findings = [] } = found({ rocePriority: 0 }).paths[0]!;
    expect(findings).toContainEqual({
      weight: 'not-lossless',
      code: 'priorities-differ',
      figures: {
        node: 'Hop 2 (spine0, 2001:db8::5)',
        neighbour: 'hop 1',
        dscp: 26,
        priority: 0,
        neighbourPriority: 3,
        isLossless: false,
      },
      hop: 2,
    });
    const texts = findings.map(({ code, figures }) => FINDING_SENTENCES[code as FindingCode](figures as never));
    expect(new Set(texts)).toEqual(new Set([...reasons, ...remarks]));
    expect(texts).toHaveLength(reasons.length + remarks.length);
  });

  it('are excluded from the hash, and included in the explanation', () => {
    const { result } = run(line({ routers: [{ nodes: ['spine0'], rocePriority: 0 }] }));
    const [{ findings }] = explainResult(result) as [ReturnType<typeof explainResult>[number]];
    const records = findings.flatMap((one) => (one.code === 'path-differs' ? [one.figures.found?.code] : []));
    expect(records).toContain('priorities-differ');
    expect(records).not.toContain(undefined);
    const without = structuredClone(result);
    for (const path of without.discovery!.paths) delete (path as { findings?: unknown }).findings;
    expect(isHashRight(without)).toBe(true);
    expect(explainResult(without)[0]?.answer).toBe(explainResult(result)[0]?.answer);
  });
});

describe('Discovery', () => {
  it('only delays all flows and the end by its duration', () => {
    const without = Object.fromEntries(Object.entries(EXAMPLE).filter(([key]) => key !== 'discovery'));
    const plain = run({ ...(without as unknown as ScenarioSpec), durationUs: 500 });
    expect(plain.result.discovery).toBeUndefined();
    const later = run({ ...EXAMPLE, durationUs: 500 }).result;
    const { endPs } = later.discovery!;
    expect(later.flows.map(({ startPs }) => startPs - endPs)).toEqual(plain.result.flows.map(({ startPs }) => startPs));
    expect(later.flows.map(({ completionPs }) => completionPs)).toEqual(
      plain.result.flows.map(({ completionPs }) => completionPs),
    );
    expect(later.totals).toEqual(plain.result.totals);
  });

  it.each<[Partial<ScenarioSpec>, string]>([
    [{ discovery: { routers: [{ nodes: ['spine9'], responses: 'silent' }] } }, 'discovery.routers[0].nodes[0]'],
    [{ discovery: { onMismatch: 'push' }, network: 'lossy-1' }, 'discovery.onMismatch'],
    [{ discovery: {}, fidelity: 'reference' }, 'discovery'],
    [{ discovery: { timeoutUs: 0 } }, 'discovery.timeoutUs'],
    [{
      discovery: {},
      topology: { kind: 'two-data-centers', leaves: 1, spines: 1, hostsPerLeaf: 1, wan: { edges: 1 } },
    }, 'discovery'],
  ])('rejects %j', (given, where) => {
    expect(() => validateScenario(line({}, given))).toThrow(
      expect.objectContaining({ code: 'invalid-scenario', where }),
    );
  });
});
