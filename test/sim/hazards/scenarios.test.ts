/** The examples of PFC hazards and their explanations: the pausing port, the cycle, and the actions of the watchdog. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { explainResult } from '../../../src/sim/explain/explain.js';
import type { SimResult } from '../../../src/sim/result.js';
import { runScenarioSync } from '../../../src/sim/run/run-scenario.js';
import type { ScenarioSpec } from '../../../src/sim/scenario/spec.js';

const RING = ['r0:r1', 'r1:r2', 'r2:r0'];

function run(name: string): SimResult {
  const file = new URL(`../../../examples/scenarios/${name}.json`, import.meta.url);
  return runScenarioSync(JSON.parse(readFileSync(file, 'utf8')) as ScenarioSpec);
}

function response(result: SimResult, topic: string): string {
  return explainResult(result).find((one) => one.topic === topic)?.answer ?? '';
}

describe('The hazard examples', () => {
  it('show in pause-storm that a flow to another host is a victim', () => {
    const result = run('pause-storm');
    expect(result.ended).toBe('time');
    expect(result.flows.map(({ heldPs = 0 }) => heldPs > 4e9)).toEqual([false, true]);
    expect(result.flows[1]).toMatchObject({ heldAt: 'leaf0:spine0', heldBy: 'leaf1:h3' });
    const words = response(result, 'hazard');
    expect(words).toContain('Pause storm: h3 paused leaf1 from 100 µs on, without end (15 pause frames).');
    expect(words).toContain('flow 1 (h1 to h4) for 4.49 ms at leaf0:spine0, by the storm of h3, which paused leaf1:h3');
    expect(response(result, 'unfinished')).toContain('h3 pauses its switch without end.');
    expect(response(result, 'pause')).toContain('15 pauses came from hosts.');
    expect(result.deadlocks).toBeUndefined();
  });

  it('show in pause-storm-watchdog that the watchdog drops stuck packets, and restores the queues', () => {
    const result = run('pause-storm-watchdog');
    expect(result.ended).toBe('all-flows-done');
    const port = result.ports.find(({ name }) => name === 'leaf1:h3');
    // Paused at 101.0 us and a frame: the first poll more than 2 ms later is at 2.5 ms; the storm ends at 6.1 ms, and 1
    // ms without pauses is detected at 7.5 ms.
    expect(port).toMatchObject({ watchdogStorms: 1, watchdogRestored: 1, stormedPs: 5e9 });
    expect(result.totals.drops.watchdog).toBe(result.totals.packetsDropped);
    expect(response(result, 'hazard')).toContain(
      'The watchdog at leaf1:h3 declared a queue stormed 1 time (5 ms in all)',
    );
    expect(response(result, 'loss')).toContain('because the PFC watchdog of a switch had declared their queue stormed');
  });

  it('name the cycle in deadlock, with which the run ends', () => {
    const result = run('deadlock');
    expect(result.ended).toBe('deadlock');
    expect(result.simulatedPs).toBeLessThan(3e9);
    expect(result.deadlocks).toEqual([
      { formedPs: 5_438_880, foundPs: 15_429_760, resolvedPs: null, ports: RING, trafficClasses: [3, 3, 3], length: 3 },
    ]);
    expect(response(result, 'hazard')).toContain(
      'Deadlock: r0:r1, r1:r2 and r2:r0 wait for each other in a cycle, each paused until the next one sends, and r2:r0 for r0:r1.',
    );
    expect(response(result, 'unfinished')).toContain('Its path leads through the deadlock, at r0:r1.');
  });

  it('show in deadlock-watchdog that the watchdog resolves the cycle, and all flows end', () => {
    const result = run('deadlock-watchdog');
    expect(result.ended).toBe('all-flows-done');
    expect(result.deadlocks?.map(({ ports }) => ports)).toEqual([RING]);
    expect(result.deadlocks?.[0]?.resolvedPs).toBeLessThan(2e9);
    expect(response(result, 'hazard')).toContain('It was found resolved at 1.29 ms.');
  });

  it('show in slow-receiver that it pauses its switch without loss, and delays the other flow of its sender', () => {
    const result = run('slow-receiver');
    expect(result.ended).toBe('all-flows-done');
    expect(result.totals.packetsDropped).toBe(0);
    expect(result.flows.map(({ heldPs = 0 }) => heldPs > 5e8)).toEqual([false, true]);
    expect(response(result, 'hazard')).toContain('by h1, which receives slowly and paused s0:h1');
  });
});
