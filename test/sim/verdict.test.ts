/** The three sentences of a run, on shipped scenarios whose outcome is known. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { runScenarioSync, type ScenarioSpec } from '../../src/sim/index.js';
import { verdictOf, verdictWords } from '../../src/sim/explain/explain.js';

function scenario(name: string): ScenarioSpec {
  return JSON.parse(readFileSync(`examples/scenarios/${name}.json`, 'utf8')) as ScenarioSpec;
}

describe('The advice of a verdict', () => {
  it.each([
    ['deadlock', {}, /routes without a cycle/],
    ['pause-storm', {}, /^Look at h3 first: it paused its switch 15 times/],
    ['slow-receiver', {}, /^Look at h1 first/],
    // HPCC does not read marks, so thresholds of marking are no advice.
    ['long-link-hpcc', {}, /^Try: parameters of hpcc/],
    ['long-link', {}, /^Try: a lower switches\.ecn\.kminKB .*or switches\.fastCnp/],
    ['long-link', { ecn: { enabled: false } }, /^Try: switches\.ecn/],
    ['long-link', { pfc: false, bufferBytes: 500_000 }, /^Try: a larger switches\.bufferBytes.*found the buffer full/],
    ['incast-16', {}, /^Try: faster recovery .*s0:h16 idled/],
    // The load leaves links idle, whatever congestion control does.
    ['leaf-spine-websearch', {}, /^Nothing to change: .*nothing was lost/],
    ['silent-link-mrc', {}, /^Look at the drops first: 212 packets, none for lack of buffer in a switch/],
  ] as const)('for %s %j names the next step', (name, switches, advice) => {
    const given = scenario(name);
    const spec = { ...given, switches: { ...given.switches, ...switches } };
    expect(verdictOf(runScenarioSync(spec)).advice.text).toMatch(advice);
  });
});

it('The outcome counts flows, and the bottleneck has the figures of the result', () => {
  const result = runScenarioSync(scenario('incast-16'));
  const [outcome, bottleneck] = verdictWords(verdictOf(result));
  expect(outcome).toMatch(/^16 of 16 flows completed in 10 ms on average .*; goodput 50\.9 Gb\/s\. Congestion control/);
  expect(bottleneck).toBe('The longest queue, 8.26 MB, was at s0:h16: 56 % utilization.');
  expect(result.summary.maxQueuePort).toBe('s0:h16');
});
