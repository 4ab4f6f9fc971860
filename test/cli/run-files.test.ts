/** Files of real runs, read by independent readers: captures by tshark, traces as JSON. */
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readCapture } from '../../src/capture/index.js';
import { dissect } from '../../src/packet/index.js';
import type { PortResult, SimResult } from '../../src/sim/result.js';
import { describeWithTool, runTool } from '../support/foreign-tools.js';
import { run } from './support/run.js';

const PORTS = ['s0:h16', 's0:h3', 'h16:s0'];
const ACKNOWLEDGE = 17;
const CNP = 0x81;
/** Up to SEND ONLY with immediate. */
const LAST_SEND = 5;

let folder = '';
let result: SimResult;
const inFolder = (...parts: string[]) => path.join(folder, ...parts);
const capture = (port: string) => inFolder('captures', `${port.replace(':', '-')}.pcap`);
const portNamed = (name: string): PortResult => result.ports.find((port) => port.name === name)!;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'roce-cc-files-'));
  const capturePorts = PORTS.flatMap((port) => ['--capture-port', port]);
  const args = [
    'run',
    'incast-16-fast-cnp',
    '--set',
    'workload.sizeBytes=200000',
    '--pcap',
    inFolder('captures'),
    ...capturePorts,
  ];
  const { exitCode, stderr } = await run([
    ...args,
    '--json',
    inFolder('result.json'),
    '--perfetto',
    inFolder('trace.json'),
    '--quiet',
  ]);
  expect([exitCode, stderr]).toEqual([0, '']);
  result = JSON.parse(readFileSync(inFolder('result.json'), 'utf8')) as SimResult;
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

describe('Captures of a run', () => {
  it('contain every packet that the port sent, without dissection errors', async () => {
    expect(readdirSync(inFolder('captures')).sort()).toEqual(
      PORTS.map((port) => `${port.replace(':', '-')}.pcap`).sort(),
    );
    for (const port of PORTS) {
      const classes: (string | undefined)[] = [];
      for await (const { bytes } of readCapture(readFileSync(capture(port)))) {
        const packet = dissect(bytes);
        expect(packet.trouble ?? []).toEqual([]);
        classes.push(packet.class);
      }
      expect(classes).toHaveLength(portNamed(port).txPackets);
    }
  });

  it('have the switch as the sender of its Fast CNPs', async () => {
    const sources = new Set<string>();
    for await (const { bytes } of readCapture(readFileSync(capture('s0:h3')))) {
      const packet = dissect(bytes);
      const ip = packet.layers.find(({ kind }) => kind === 'ipv6');
      if (packet.class === 'fast-cnp-1' && ip?.kind === 'ipv6') sources.add([...ip.value.source].join('.'));
    }
    // Node 17 is s0, behind 17 hosts: its index + 1 ends its address.
    expect([...sources].map((source) => source.split('.').at(-1))).toEqual(['18']);
  });
});

describeWithTool('tshark', 'tshark counts in captures of a run what the result counts', (tshark) => {
  const opcodes = (port: string) =>
    runTool(tshark, ['-r', capture(port), '-T', 'fields', '-e', 'infiniband.bth.opcode']).trim().split('\n').map(
      Number,
    );
  const countOf = (port: string, matches: (opcode: number) => boolean) => opcodes(port).filter(matches).length;

  it('reads data towards the receiver', () => {
    const data = countOf('s0:h16', (opcode) => opcode <= LAST_SEND);
    expect(data).toBe(portNamed('s0:h16').txPackets);
    expect(data).toBe(result.totals.dataPackets);
  });

  it('reads all ACKs of the receiver', () => {
    expect(countOf('h16:s0', (opcode) => opcode === ACKNOWLEDGE)).toBe(result.totals.acks);
    expect(portNamed('h16:s0').txPackets).toBe(result.totals.acks);
  });

  it('reads ACKs and Fast CNPs towards a sender', () => {
    const { fastCnps } = result.flows.find(({ from }) => from === 'h3')!;
    const [acks, cnps] = [
      countOf('s0:h3', (opcode) => opcode === ACKNOWLEDGE),
      countOf('s0:h3', (opcode) => opcode === CNP),
    ];
    expect(fastCnps).toBeGreaterThan(0);
    expect([cnps, acks + cnps]).toEqual([fastCnps, portNamed('s0:h3').txPackets]);
  });
});

describe('The trace of a run', () => {
  it('is readable by ui.perfetto.dev: events with a phase, times in microseconds, slices within the run', () => {
    const { traceEvents } = JSON.parse(readFileSync(inFolder('trace.json'), 'utf8')) as {
      traceEvents: Readonly<Record<string, unknown>>[];
    };
    const endUs = result.simulatedPs / 1e6;
    expect(new Set(traceEvents.map(({ ph }) => ph))).toEqual(new Set(['M', 'C', 'X']));
    for (const { ph, name, pid, ts, dur = 0 } of traceEvents) {
      expect([typeof name, typeof pid]).toEqual(['string', 'number']);
      if (ph !== 'M') expect((ts as number) + (dur as number)).toBeLessThanOrEqual(endUs * (1 + 1e-9));
    }
    expect(traceEvents.filter(({ ph }) => ph === 'X')).toHaveLength(result.flows.length);
    expect(traceEvents.some(({ name }) => name === 'queue s0:h16')).toBe(true);
  });
});
