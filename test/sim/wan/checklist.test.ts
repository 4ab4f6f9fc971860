/**
 * The requirements in capital letters (draft-xiao-rtgwg-rocev2-fast-cnp-01, "xiao"; draft-hu-rtgwg-rocev2-fcn-00,
 * "hu"), item by item, on packets inside runs over a WAN.
 */
import { describe, expect, test } from 'vitest';
import { dissect } from '../../../src/packet/index.js';
import { FrameTemplates } from '../../../src/sim/files/capture-templates.js';
import type { ScenarioSpec, WanSpec } from '../../../src/sim/index.js';
import { lineWan, runWan, type WanRun } from './wan-runs.js';

const OPEN: WanSpec = { accessLists: [{ at: 'gateways', permit: ['wan'] }, { at: 'edges', permit: ['wan'] }] };
const ECN = { kminKB: 1, kmaxKB: 1.001, pmax: 1, scaleWithRate: false };

function congested(more: Partial<ScenarioSpec> = {}, wan: WanSpec = OPEN, packets = 4): WanRun {
  return runWan(lineWan(wan, {
    topology: {
      ...lineWan().topology,
      wan: { edges: 1, routers: 2, delayNs: 100_000, links: [{}, { rateGbps: 10 }, {}] },
    } as ScenarioSpec['topology'],
    workload: { kind: 'flows', flows: [{ from: 'h0', to: 'h1', sizeBytes: packets * 1024 }] },
    algorithms: { one: { preset: 'dcqcn-sigcomm15' } },
    switches: { ecn: ECN, fastCnp: { enabled: true } },
    ...more,
  }));
}

/** Type and data of the option in the first Fast CNP, as a capture of the port behind the ingress edge has it. */
function optionOf(run: WanRun): { readonly type: number; readonly data: Uint8Array } {
  const packet = run.packets.find(({ kind, port }) => kind === 'fast-cnp' && port === 'pe0:dc0.gateway')!;
  const frame = new FrameTemplates(run.compiled.plan).frameOf({
    ...packet,
    port: run.compiled.portNames.indexOf(packet.port),
  });
  const { layers } = dissect(frame);
  const header = layers.find(({ kind }) => kind === 'destination-options')!.value as unknown as {
    options: { type?: number; data?: Uint8Array }[];
  };
  const option = header.options.find(({ type }) => type !== undefined && type > 1)!;
  return { type: option.type!, data: option.data! };
}

const sentBy = (run: WanRun, port: string) => run.packets.filter((one) => one.kind === 'fast-cnp' && one.port === port);

describe('draft-xiao-rtgwg-rocev2-fast-cnp-01, section 4', () => {
  test('1, 2: a sender that supports Fast CNPs gets one and no mark, any other gets marks and CNPs', () => {
    const able = congested();
    expect([able.result.totals.fastCnps, able.result.totals.marks]).toEqual([1, 0]);
    const unable = congested({ hosts: { acceptFastCnp: false } });
    expect([unable.result.totals.fastCnps, unable.result.totals.marks > 0]).toEqual([0, true]);
    expect(unable.result.totals.cnps).toBeGreaterThan(0);
  });

  test('3, 4, 5: option 1 has action bits 10, change bit 0, and the 16 bytes of the original destination', () => {
    const { type, data } = optionOf(congested());
    expect([type >> 6, (type >> 5) & 1, data.length]).toEqual([2, 0, 16]);
  });

  test('6, 7: option 2, for packets with a trace, has the same bits', () => {
    const run = congested({
      algorithms: { one: { preset: 'hpcc-pp-fast-cnp' } },
      switches: { ecn: ECN, fastCnp: { enabled: true, option: 2 } },
    });
    const { type, data } = optionOf(run);
    expect([type >> 6, (type >> 5) & 1, data.length > 16]).toEqual([2, 0, true]);
  });
});

describe('draft-xiao-rtgwg-rocev2-fast-cnp-01, section 5', () => {
  test('8, 11, 12: no Fast CNP leaves or enters a domain unless a list permits it', () => {
    const { result } = congested({}, {});
    expect(result.totals.drops.accessList).toBe(1);
    expect(result.flows[0]!.fastCnps).toBe(0);
  });

  test('9: routers of the WAN limit their rate of Fast CNPs per flow', () => {
    const fast = congested({}, OPEN, 200);
    // 200 packets at 10 Gb/s take 184 us; 20,000 a second are one each 50 us.
    const times = sentBy(fast, 'r0:pe0').map(({ timePs }) => timePs);
    expect(times.length).toBeGreaterThan(1);
    expect(times.length).toBeLessThan(6);
    for (const [i, timePs] of times.slice(1).entries()) expect(timePs - times[i]!).toBeGreaterThan(49_000_000);
  });

  test('10: a gateway checks the source against a list before the sender does', () => {
    const { result } = congested({}, {
      accessLists: [{ at: 'edges', permit: ['r0'] }, { at: 'gateways', direction: 'in', permit: ['r1'] }],
    });
    expect(result.wan?.nodes.find(({ node }) => node === 'dc0.gateway')).toMatchObject({ fastCnpsDeniedIn: 1 });
  });

  test('13, 14: Fast CNPs are disabled unless enabled', () => {
    const off = congested({ switches: { ecn: ECN } });
    expect([off.result.totals.fastCnps, off.result.totals.marks > 0]).toEqual([0, true]);
  });

  test('15: an END.CON packet carries only the Fast CNP, whose source is the router', () => {
    const run = congested();
    const [wrapped] = sentBy(run, 'r0:pe0');
    const frame = new FrameTemplates(run.compiled.plan).frameOf({
      ...wrapped!,
      port: run.compiled.portNames.indexOf('r0:pe0'),
    });
    expect(dissect(frame).layers.map(({ kind }) => kind)).toEqual([
      'ethernet',
      'ipv6',
      'ipv6',
      'destination-options',
      'udp',
      'bth',
      'cnp-reserved',
      'icrc',
    ]);
  });
});

describe('draft-hu-rtgwg-rocev2-fcn-00, section 4.2.1', () => {
  test('24, 25: the ingress edge uses the normal mode unless configured otherwise, which a note states', () => {
    const normal = congested({ switches: { ecn: ECN } });
    expect(
      normal.packets.filter(({ kind, port }) => kind === 'data' && port === 'pe0:r0').every(({ tunnel }) =>
        tunnel?.outerEcn === 2
      ),
    ).toBe(true);
    expect(normal.result.notes.join(' ')).not.toContain('Not-ECT');
    const other = congested({ switches: { ecn: ECN } }, { ...OPEN, tunnel: { ecn: 'compatibility' } });
    expect(other.result.notes.join(' ')).toContain('Outer headers of pe0, pe1 are Not-ECT (compatibility)');
    expect(other.result.totals.cnps).toBe(0);
  });
});
