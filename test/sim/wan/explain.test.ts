/** Explanations of a WAN, and its table on the command line. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { compileScenario, explainResult, parseResultJson, runScenarioSync, validateScenario, type ScenarioSpec,
  type SimResult } from '../../../src/sim/index.js';
import { wanSection } from '../../../src/cli/run/report-text.js';
import { run } from '../../cli/support/run.js';

const wanAnswer = (result: SimResult): string =>
  explainResult(result).find(({ topic }) => topic === 'wan')?.answer ?? '';

/** Both values are small, as only the sentences are tested. */
const node = {
  node: 'pe1',
  encapsulated: 0,
  decapsulated: 5,
  endConSent: 0,
  endConReceived: 0,
  fastCnpsDeniedIn: 0,
  fastCnpsDeniedOut: 0,
  ecnUnused: 0,
  ecnDangerous: 0,
  ecnDropped: 0,
};

describe('The report of a WAN', () => {
  test('of wan-all has a table, and explains END.CON, the first notification and the origins of ARNs', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'wan-'));
    const [file, route] = [path.join(folder, 'result.json'), path.join(folder, 'path.csv')];
    const shown = await run(['run', 'wan-all', '--json', file, '--path', route, '--flow', '0']);
    const result = parseResultJson(readFileSync(file, 'utf8'));
    const csv = readFileSync(route, 'utf8');
    rmSync(folder, { recursive: true });
    expect(shown.exitCode).toBe(0);
    expect(csv).toMatch(/^0,fast-cnp,\d+,1,r0:pe0,.*,end-con\r$/m);
    const [, table = ''] = shown.stdout.split(/^WAN$/m);
    expect(table).toMatch(
      /^ *node +encapsulated +decapsulated +END.CON sent +received +denied in +denied out +ECN warnings +dropped$/m,
    );
    expect(table).toMatch(/^ *pe0( +[\d,]+){8}$/m);
    expect(table).toMatch(/^ *r0( +[\d,]+){8}$/m);
    expect(table).toMatch(/^ *port +ARNs sent +refreshed +resumes +received +expired +held$/m);
    expect(table).toMatch(/^ *pe0:r0( +[\d,]+){5} +[\d.]+ µs$/m);
    expect(table).toMatch(/^ *service (gold|default) +[\d.]+ µs$/m);
    const answer = wanAnswer(result);
    const r0 = result.wan!.nodes.find((one) => one.node === 'r0')!;
    expect(answer).toContain('packets entered tunnels at pe0 and pe1.');
    expect(answer).toContain(`Fast CNPs went by END.CON: r0 sent ${r0.endConSent}`);
    expect(answer).toMatch(/a Fast CNP notified h\d first at [\d.]+ µs \(flow \d\)/);
    expect(answer).toMatch(/ARNs held service \w+ for [\d.]+ µs/);
    expect(answer).toMatch(/pe0:r0 waited [\d.]+ µs because r0 paused it/);
  });

  test('is rejected with --flow for an unknown flow, or without an option that uses it', async () => {
    const report = await run(['run', 'wan-all', '--flow', '1']);
    expect([report.exitCode === 0, report.stderr]).toEqual([
      false,
      expect.stringMatching(/'--flow' has no effect without '--report', '--path' or '--trace'/),
    ]);
    const none = await run(['run', 'wan-all', '--flow', '4', '--path', path.join(tmpdir(), 'none.csv')]);
    expect([none.exitCode === 0, none.stderr]).toEqual([
      false,
      expect.stringMatching(/--flow must be at least 0 and below 4 \(got 4\)/),
    ]);
    expect((await run(['run', 'wan-all', '--flow', 'x', '--path', 'none.csv'])).stderr).toMatch(/the index of a flow/);
  });

  test('names the nodes of inconsistent ECN fields and of access lists that reject', () => {
    const result = runScenarioSync({
      name: 'star',
      topology: { kind: 'star', hosts: 2 },
      workload: { kind: 'incast', senders: 1, sizeBytes: 1000 },
    });
    expect(wanAnswer(result)).toBe('');
    expect(wanSection(result, { isStyled: false } as never)).toEqual([]);
    const wan = {
      services: [],
      nodes: [
        { ...node, ecnUnused: 2, ecnDangerous: 3, ecnDropped: 1 },
        { ...node, node: 'dc1.gateway', fastCnpsDeniedOut: 4 },
        { ...node, node: 'pe0', fastCnpsDeniedIn: 6 },
      ],
    };
    expect(wanAnswer({ ...result, wan })).toBe(
      'No packet entered a tunnel. pe1 warns of 5 packets whose inner and outer ECN fields are inconsistent (RFC 6040), and ' +
        'dropped 1 of them: marked outside, not ECN-capable inside. Access lists rejected Fast CNPs: 4 at dc1.gateway on the ' +
        'way out and 6 at pe0 on the way in; wan.accessLists names those that may pass.',
    );
  });

  test('names the far ends of pauses between its nodes, and the start if it is recorded', () => {
    const result = runScenarioSync({
      name: 'small WAN',
      topology: { kind: 'two-data-centers', leaves: 1, spines: 1, hostsPerLeaf: 1, wan: { edges: 1, delayNs: 1000 } },
      workload: { kind: 'flows', flows: [{ from: 'h0', to: 'h1', sizeBytes: 2000 }] },
      record: { pauses: true },
    });
    const ports = result.ports.map((port) => (port.name === 'pe0:r0' ? { ...port, pausedPs: 7e6 } : port));
    const pauses = [{ port: 'pe0:r0', trafficClass: 3, fromPs: 3e6, toPs: 10e6, endedBy: 'resume' as const }];
    expect(wanAnswer({ ...result, ports, pauses })).toContain('PFC paused pe0:r0 for 7 µs by r0, first at 3 µs.');
    expect(wanAnswer(result)).not.toContain('PFC paused');
  });
});

describe('Victim flows of services with several routers', () => {
  const spec = (via: readonly string[], victims: boolean): ScenarioSpec => ({
    name: 'via',
    topology: {
      kind: 'two-data-centers',
      leaves: 1,
      spines: 1,
      hostsPerLeaf: 1,
      wan: { edges: 1, routers: 2, delayNs: 1000 },
    },
    workload: { kind: 'flows', flows: [{ from: 'h0', to: 'h1', sizeBytes: 2000 }] },
    wan: { services: [{ name: 'led', via: [...via] }] },
    record: { victims },
  });
  const notesOf = (via: readonly string[], victims: boolean): boolean =>
    compileScenario(validateScenario(spec(via, victims))).notes.some((note) => note.startsWith('Victims of pauses'));

  test('have a note that another port may be named, and only there', () => {
    expect([notesOf(['r0', 'r1'], true), notesOf(['r0'], true), notesOf(['r0', 'r1'], false)]).toEqual([
      true,
      false,
      false,
    ]);
  });
});
