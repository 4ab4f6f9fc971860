/**
 * Captures of ports of a WAN, byte by byte: what our dissector and tshark read in them, and what src/tunnel makes of the same
 * packets.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { dissect } from '../../../src/packet/index.js';
import { FrameTemplates } from '../../../src/sim/files/capture-templates.js';
import { PortCapture } from '../../../src/sim/files/capture.js';
import type { ScenarioSpec } from '../../../src/sim/index.js';
import { answerFromWan, configureEndCon, createEndConCounters, endConReceive } from '../../../src/tunnel/index.js';
import { formatIpAddress } from '../../../src/wire/index.js';
import { describeWithTool, runTool } from '../../support/foreign-tools.js';
import { lineWan, runWan, type SeenPacket } from './wan-runs.js';

const ETHERNET_BYTES = 14;
const FCS_BYTES = 4;
const { compiled, packets } = runWan(lineWan({
  services: [{ name: 'led', via: ['r0'] }],
  accessLists: [{ at: 'gateways', permit: ['wan'] }, { at: 'edges', permit: ['wan'] }],
  flowControl: { kind: 'arn', level: 'service', xoffBytes: 2000, xonBytes: 0 },
}, {
  topology: {
    ...lineWan().topology,
    wan: { edges: 1, routers: 2, delayNs: 100_000, links: [{}, { rateGbps: 10 }, {}] },
  } as ScenarioSpec['topology'],
  workload: { kind: 'flows', flows: [{ from: 'h0', to: 'h1', sizeBytes: 6 * 1024 }] },
  algorithms: { dcqcn: { preset: 'dcqcn-sigcomm15' } },
  switches: { ecn: { kminKB: 1, kmaxKB: 1.001, pmax: 1, scaleWithRate: false }, fastCnp: { enabled: true } },
}));
const templates = new FrameTemplates(compiled.plan);
const recordOf = ({ port, ...rest }: SeenPacket) => ({ ...rest, port: compiled.portNames.indexOf(port) });
const frameOf = (packet: SeenPacket): Uint8Array => templates.frameOf(recordOf(packet)).slice();
const on = (port: string, kind: string): SeenPacket[] =>
  packets.filter((one) => one.port === port && one.kind === kind);
const ipOf = (packet: SeenPacket): Uint8Array => frameOf(packet).subarray(ETHERNET_BYTES);

/** Kinds and addresses of the layers, from the link up. */
function layersOf(bytes: Uint8Array): string[] {
  return dissect(bytes, { arnPort: 49_152 }).layers.map(({ kind, value }) => {
    if (kind !== 'ipv6') return kind;
    const { source, destination, ecn } = value as { source: Uint8Array; destination: Uint8Array; ecn: number };
    return `ipv6 ${formatIpAddress(source)} ${formatIpAddress(destination)} ecn ${ecn}`;
  });
}

const addressOf = (name: string): string =>
  `2001:db8::${(compiled.plan.nodes.findIndex((node) => node.name === name) + 1).toString(16)}`;
const sidOf = (name: string, word: string): string => addressOf(name).replace('::', word);

describe('Captures of a WAN', () => {
  test('have each frame in full, without dissection errors', () => {
    for (const packet of packets) {
      const bytes = frameOf(packet);
      expect(dissect(bytes, { arnPort: 49_152 }).trouble ?? null).toBeNull();
      expect(bytes.length).toBe(packet.lenBytes - FCS_BYTES);
    }
    expect(new Set(packets.map(({ kind }) => kind))).toEqual(new Set(['data', 'ack', 'fast-cnp', 'arn']));
  });

  test('have data in its tunnel, with the source END.CON and the next segment as destination', () => {
    const inner = `ipv6 ${addressOf('h0')} ${addressOf('h1')} ecn 2`;
    const outer = (destination: string) => `ipv6 ${sidOf('pe0', ':0:c::')} ${destination} ecn 2`;
    expect(layersOf(frameOf(on('dc0.gateway:pe0', 'data')[0]!)).slice(0, 3)).toEqual(['ethernet', inner, 'udp']);
    const led = layersOf(frameOf(on('pe0:r0', 'data')[0]!));
    expect(led.slice(0, 5)).toEqual(['ethernet', outer(sidOf('r0', ':0:5::')), 'segment-routing', inner, 'udp']);
    const past = layersOf(frameOf(on('r0:r1', 'data')[0]!));
    expect(past.slice(0, 5)).toEqual(['ethernet', outer(sidOf('pe1', ':e::')), 'segment-routing', inner, 'udp']);
    expect(frameOf(on('pe1:dc1.gateway', 'data')[0]!).subarray(ETHERNET_BYTES)).toEqual(
      ipOf(on('dc0.gateway:pe0', 'data')[0]!),
    );
  });

  test('have the Fast CNP that src/tunnel builds from the congested packet, which END.CON forwards', () => {
    const [wrapped] = on('r0:pe0', 'fast-cnp');
    const cause = on('r0:r1', 'data').find(({ sequence }) => sequence === wrapped!.sequence)!;
    const router = compiled.plan.nodes.findIndex(({ name }) => name === 'r0');
    const address = new Uint8Array(ipOf(wrapped!).subarray(8, 24));
    const response = answerFromWan(ipOf(cause), { switchAddress: address });
    if (response.action !== 'send') throw new Error(response.reason);
    // BECN is that of the CNPs in the capture; the flow label is that of the data.
    expect(ipOf(wrapped!)).toEqual(response.packet);
    expect(wrapped!.origin).toBe(router);
    const sid = ipOf(wrapped!).slice(24, 40);
    const endCon = configureEndCon({ localSids: [sid], accept: 'fast-cnp', hopLimit: 'keep' });
    const result = endConReceive(endCon, createEndConCounters(), ipOf(wrapped!));
    if (result.action !== 'forward') throw new Error(result.action);
    expect(result.packet).toEqual(ipOf(on('pe0:dc0.gateway', 'fast-cnp')[0]!));
  });

  test('have ARNs to the upstream node, with the outer addresses of the service and the time', () => {
    const [pause, ...rest] = on('r0:pe0', 'arn');
    const read = (packet: SeenPacket) =>
      dissect(frameOf(packet), { arnPort: 49_152 }).layers.find(({ kind }) => kind === 'arn')?.value;
    expect(read(pause!)).toMatchObject({ type: 1, compressionTime: 335 });
    const { flow } = read(pause!) as { flow: { source: Uint8Array; destination: Uint8Array; protocol: number } };
    expect([formatIpAddress(flow.source), formatIpAddress(flow.destination), flow.protocol]).toEqual([
      sidOf('pe0', ':0:c::'),
      sidOf('pe1', ':e::'),
      41,
    ]);
    expect(read(rest.at(-1)!)).toMatchObject({ type: 1, compressionTime: 0 });
  });
});

describeWithTool('tshark', 'tshark reads captures of a WAN', (tshark) => {
  test('decodes tunnels, segments, and the Fast CNPs inside', () => {
    const capture = new PortCapture(compiled.plan);
    const chosen = [on('pe0:r0', 'data')[0]!, on('r0:r1', 'data')[0]!, on('r0:pe0', 'fast-cnp')[0]!].sort((a, b) =>
      a.timePs - b.timePs
    );
    for (const packet of chosen) capture.add(recordOf(packet));
    const folder = mkdtempSync(join(tmpdir(), 'roce-wan-capture-'));
    try {
      const path = join(folder, 'wan.pcap');
      writeFileSync(path, capture.finish());
      const fields = ['ipv6.src', 'ipv6.dst', 'ipv6.routing.segleft', 'ipv6.tclass.ecn', 'infiniband.bth.opcode'];
      const lines = runTool(tshark, [
        '-n',
        '-r',
        path,
        '-T',
        'fields',
        '-E',
        'separator=;',
        ...fields.flatMap((name) => ['-e', name]),
      ]);
      const [h0, h1] = [addressOf('h0'), addressOf('h1')];
      const conSid = sidOf('pe0', ':0:c::');
      expect(lines.trim().split('\n').sort()).toEqual([
        `${conSid},${h0};${sidOf('r0', ':0:5::')},${h1};1;2,2;0`,
        `${conSid},${h0};${sidOf('pe1', ':e::')},${h1};0;2,2;0`,
        `${addressOf('r0')},${addressOf('r0')};${conSid},${h0};;1,1;129`,
      ].sort());
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
