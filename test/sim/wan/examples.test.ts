/** The examples of notifications over a WAN: each does what its description says. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { wanToCsv } from '../../../src/sim/files/result-csv.js';
import { parseResultJson, resultToJson } from '../../../src/sim/files/result-json.js';
import { runScenarioSync, type ScenarioSpec, type SimResult } from '../../../src/sim/index.js';

function run(name: string, change: (spec: ScenarioSpec) => ScenarioSpec = (spec) => spec): SimResult {
  const file = new URL(`../../../examples/scenarios/${name}.json`, import.meta.url);
  return runScenarioSync(change(JSON.parse(readFileSync(file, 'utf8')) as ScenarioSpec));
}

const endCon = ({ wan }: SimResult) => wan!.nodes.reduce((sum, { endConReceived }) => sum + endConReceived, 0);
const denied = ({ wan }: SimResult) =>
  wan!.nodes.reduce((sum, node) => sum + node.fastCnpsDeniedIn + node.fastCnpsDeniedOut, 0);

describe('The examples of a WAN', () => {
  test('include wan-cnp, where only receivers send CNPs', () => {
    const { totals, ended, flows } = run('wan-cnp');
    expect([ended, totals.fastCnps, totals.packetsDropped]).toEqual(['all-flows-done', 0, 0]);
    expect(flows.some(({ cnps }) => cnps > 0)).toBe(true);
  });

  test('include wan-fast-cnp-dc, where Fast CNPs of the far data centre cross the tunnel if permitted', () => {
    const result = run('wan-fast-cnp-dc');
    expect([result.ended, endCon(result), denied(result)]).toEqual(['all-flows-done', 0, 0]);
    expect(result.flows[0]!.fastCnps + result.flows[1]!.fastCnps).toBeGreaterThan(0);
    const closed = run('wan-fast-cnp-dc', (spec) => ({ ...spec, wan: {} }));
    expect(denied(closed)).toBeGreaterThan(0);
    expect(closed.flows[0]!.fastCnps + closed.flows[1]!.fastCnps).toBe(0);
  });

  test('include wan-fast-cnp-end-con, where those of a router pass END.CON long before a CNP could arrive', () => {
    const result = run('wan-fast-cnp-end-con');
    expect([result.ended, result.totals.cnps, denied(result)]).toEqual(['all-flows-done', 0, 0]);
    expect(endCon(result)).toBeGreaterThan(0);
    const byCnp = run('wan-cnp');
    const first = ({ flows }: SimResult) =>
      Math.min(...flows.map(({ firstNotificationPs }) => firstNotificationPs ?? Infinity));
    // A CNP continues over two links of the WAN and back by three; the Fast CNP goes back by one.
    expect(first(byCnp) - first(result)).toBeGreaterThan(4 * 50_000_000);
  });

  test('include wan-all, with all mechanisms and ARNs, whose JSON reads back and whose CSV has each count', () => {
    const result = run('wan-all');
    expect(result.ended).toBe('all-flows-done');
    expect(endCon(result)).toBeGreaterThan(0);
    expect(result.totals.arns).toBeGreaterThan(0);
    expect(parseResultJson(resultToJson(result))).toEqual(result);
    const csv = wanToCsv(result);
    for (const { node, encapsulated } of result.wan!.nodes)
      if (encapsulated > 0) expect(csv).toContain(`node,${node},encapsulated,${encapsulated}\r\n`);
    expect(csv).toMatch(/port,.*,arnsSent,\d+/);
  });

  test('have notes on borders that permit nothing, and on modes that hide congestion', () => {
    const closed = run('wan-fast-cnp-end-con',
      (spec) => ({ ...spec, durationUs: 10, wan: { tunnel: { ecn: 'compatibility' } } }));
    expect(closed.notes.join(' ')).toContain('no access list lets them out');
    expect(closed.notes.join(' ')).toContain('Outer headers of pe0, pe1 are Not-ECT');
  });
});
