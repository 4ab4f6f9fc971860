/** Hazards with results in closed form. */
import { describe, expect, it } from 'vitest';
import { compileScenario } from '../../../src/sim/compile/compile-scenario.js';
import { runScenarioSync } from '../../../src/sim/run/run-scenario.js';
import type { PortResult, SimResult } from '../../../src/sim/result.js';
import type { EdgeSpec, FaultSpec, RouteSpec, ScenarioSpec, SwitchSpec } from '../../../src/sim/scenario/spec.js';
import { validateScenario } from '../../../src/sim/scenario/validate.js';

const US = 1e6;
/** 65,535 quanta of 512 bits at 100 Gb/s. */
const LONGEST_PAUSE_US = 335.5392;

/** Two hosts at a switch, one flow of 1 MB from h0 to h1, without congestion control. */
function pair(faults: readonly FaultSpec[], switches: SwitchSpec = {}): ScenarioSpec {
  return {
    name: 'pair',
    durationUs: 5000,
    topology: { kind: 'star', hosts: 2 },
    workload: { kind: 'flows', flows: [{ from: 'h0', to: 'h1', sizeBytes: 1_000_000 }] },
    algorithms: { a: { preset: 'none' } },
    switches: { ecn: { enabled: false }, ...switches },
    faults,
  };
}

function port({ ports }: SimResult, name: string): PortResult {
  const found = ports.find((one) => one.name === name);
  if (found === undefined) throw new Error(`no port ${name}`);
  return found;
}

/** Three switches in a line, or in a ring with routes in one direction. */
function round(closed: boolean): ScenarioSpec {
  const links: EdgeSpec[] = [0, 1, 2].map((i) => ({ from: `h${i}`, to: `r${i}` }));
  links.push({ from: 'r0', to: 'r1' }, { from: 'r1', to: 'r2' }, ...(closed ? [{ from: 'r2', to: 'r0' }] : []));
  const onwards = [0, 1, 2].flatMap((i) =>
    [0, 1, 2].filter((j) => j !== i).map((j): RouteSpec => ({
      node: `r${i}`,
      destination: `h${j}`,
      via: [`r${(i + 1) % 3}`],
    }))
  );
  return {
    name: 'round',
    topology: {
      kind: 'edges',
      nodes: [
        ...[0, 1, 2].map((i) => ({ name: `h${i}`, kind: 'host' as const })),
        ...[0, 1, 2].map((i) => ({ name: `r${i}`, kind: 'switch' as const })),
      ],
      links,
      ...(closed ? { routes: onwards } : {}),
    },
    workload: { kind: 'permutation', sizeBytes: 100_000 },
  };
}

describe('A pause storm', () => {
  it('pauses a port for its whole duration, with a frame per longest pause time', () => {
    const free = runScenarioSync(pair([]));
    const result = runScenarioSync(pair([{ kind: 'pause-storm', host: 'h1', fromUs: 20, lastsUs: 1000 }]));
    expect(port(result, 's0:h1').pausedPs).toBe(1000 * US);
    expect(port(result, 'h1:s0').pausesSent).toBe(Math.ceil(1000 / LONGEST_PAUSE_US));
    expect(result.totals.resumes).toBeGreaterThanOrEqual(1);
    const [storm, none] = [result, free].map(({ flows }) => flows[0]?.completionPs ?? NaN);
    // Queued packets are sent without a gap.
    expect(storm - none).toBeGreaterThan(990 * US);
    expect(storm - none).toBeLessThanOrEqual(1001 * US);
  });

  it('pauses only the classes that it names', () => {
    const faults: FaultSpec[] = [{ kind: 'pause-storm', host: 'h1', fromUs: 0, trafficClasses: [5] }];
    expect(runScenarioSync(pair(faults)).flows).toEqual(runScenarioSync(pair([])).flows);
  });
});

describe('A slow receiver', () => {
  const receiver = { kind: 'slow-receiver', host: 'h1', rateGbps: 10 } as const;

  it('that pauses its switch loses nothing, and delays data to the rate of its receive path', () => {
    const result = runScenarioSync(pair([receiver]));
    const bytes = port(result, 's0:h1').txBytes;
    expect(result.totals.packetsDropped).toBe(0);
    const pathPs = (bytes * 8e12) / 10e9;
    expect(result.flows[0]?.completionPs).toBeGreaterThanOrEqual(pathPs);
    expect(result.flows[0]?.completionPs).toBeLessThan(1.02 * pathPs);
    expect(port(result, 'h1:s0').maxReceiveBytes).toBeLessThanOrEqual(130_944);
  });

  it('that does not pause drops packets when its buffer is full, counted under a separate reason', () => {
    const result = runScenarioSync(pair([{ ...receiver, pfc: false }]));
    expect(result.totals.drops.receiveBuffer).toBeGreaterThan(100);
    expect(result.totals.drops.receiveBuffer).toBe(result.totals.packetsDropped);
    expect(port(result, 'h1:s0').receiveDrops).toBe(result.totals.packetsDropped);
    expect(port(result, 'h1:s0').pausesSent).toBe(0);
  });
});

describe('Bit errors', () => {
  it('drop frames with probability 1 - (1 - b)^bits, at the far end of the link, in the named direction only', () => {
    const errors = { kind: 'bit-errors', between: ['h0', 's0'], direction: 'forth' } as const;
    const result = runScenarioSync(pair([{ ...errors, perBit: 1e-5 }]));
    const lost = result.totals.drops.bitErrors ?? 0;
    const { txPackets, drops } = port(result, 'h0:s0');
    expect(drops).toBe(lost);
    // 1,106 bytes: 8.5 %.
    expect(Math.abs(lost / txPackets - (1 - (1 - 1e-5) ** (8 * 1106)))).toBeLessThan(0.02);
    expect(port(result, 's0:h0').drops).toBe(0);
    const all = runScenarioSync(pair([{ ...errors, perFrame: 1 }]));
    expect(all.flows[0]?.deliveredBytes).toBe(0);
    expect(all.totals.drops.corrupt + all.totals.drops.buffer).toBe(0);
  });
});

describe('A watchdog', () => {
  const storm: FaultSpec = { kind: 'pause-storm', host: 'h1', fromUs: 20, lastsUs: 1000 };
  const times = { detectionUs: 100, restorationUs: 100, pollUs: 100 } as const;

  it('that drops packets empties the queue, until no pause was received for the restoration time', () => {
    const result = runScenarioSync(pair([storm], { watchdog: times }));
    // Paused from 21 us on, detected at 200 us. The storm ends at 1,021 us; no pause for 100 us is detected at 1,200
    // us.
    expect(port(result, 's0:h1')).toMatchObject({ watchdogStorms: 1, watchdogRestored: 1, stormedPs: 1000 * US });
    expect(result.totals.drops.watchdog).toBe(port(result, 's0:h1').watchdogDrops);
    expect(result.ended).toBe('all-flows-done');
    expect(port(result, 's0:h1').pausedPs).toBeLessThan(200 * US);
  });

  it('that forwards packets ignores the pause, and loses nothing', () => {
    const result = runScenarioSync(pair([storm], { watchdog: { ...times, action: 'forward' } }));
    expect(result.totals.packetsDropped).toBe(0);
    expect(result.flows[0]?.completionPs).toBeLessThan(300 * US);
  });

  it('ignores a pause that is shorter than its detection time', () => {
    const result = runScenarioSync(pair([{ ...storm, lastsUs: 90 }], { watchdog: { ...times, pollUs: 7 } }));
    expect(port(result, 's0:h1').watchdogStorms).toBeUndefined();
    expect(result.totals.packetsDropped).toBe(0);
  });
});

describe('Cyclic routes', () => {
  it('are found in explicit links, and no check is made without a cycle', () => {
    const hazards = (spec: ScenarioSpec) => compileScenario(validateScenario(spec)).plan.hazards;
    expect(hazards(round(true))?.checkIntervalPs).toBe(10 * US);
    expect(hazards(round(false))).toBeUndefined();
  });

  it('are no deadlock if a storm merely pauses a whole line', () => {
    const result = runScenarioSync({
      ...round(false),
      durationUs: 3000,
      workload: { kind: 'flows', flows: [{ from: 'h0', to: 'h2', sizeBytes: 4_000_000 }] },
      switches: { bufferBytes: 400_000 },
      faults: [{ kind: 'pause-storm', host: 'h2', fromUs: 10 }],
    });
    expect(port(result, 'r0:r1').pausedPs).toBeGreaterThan(1000 * US);
    expect(result.deadlocks).toBeUndefined();
    expect(result.ended).toBe('time');
  });
});
