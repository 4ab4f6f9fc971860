import { describe, expect, it, vi } from 'vitest';
import type { RoceError } from '../../src/errors.js';
import { compileScenario } from '../../src/sim/compile/compile-scenario.js';
import type { SimKernel } from '../../src/sim/kernel/kernel.js';
import type { Progress, SimResult } from '../../src/sim/result.js';
import { runScenario, runScenarioSync } from '../../src/sim/run/run-scenario.js';
import { ScenarioRun } from '../../src/sim/run/scenario-run.js';
import type { ScenarioSpec } from '../../src/sim/scenario/spec.js';
import { parseScenario, validateScenario } from '../../src/sim/scenario/validate.js';

const SPEC: ScenarioSpec = {
  name: 'two senders',
  topology: { kind: 'star', hosts: 3 },
  workload: { kind: 'incast', senders: 2, sizeBytes: 200_000 },
};
const eventsPerSlice = 200;

describe('A run of runScenario', () => {
  it('has the same result as a synchronous run, whether its progress is read or not', async () => {
    const { hash } = runScenarioSync(SPEC);
    expect((await runScenario(SPEC).result).hash).toBe(hash);
    expect((await runScenario(SPEC, { eventsPerSlice }).result).hash).toBe(hash);
  });

  it('reports progress to several readers, and ends their loops with the run', async () => {
    const run = runScenario(SPEC, { eventsPerSlice });
    const watch = async (): Promise<number[]> => {
      const events: number[] = [];
      for await (const progress of run) events.push(progress.events);
      return events;
    };
    const [one, other] = await Promise.all([watch(), watch()]);
    expect(one.length).toBeGreaterThan(3);
    expect(one).toEqual([...new Set(one)].sort((a, b) => a - b));
    expect(other).toEqual(one);
    expect(await run[Symbol.asyncIterator]().next()).toEqual({ done: true, value: undefined });
  });

  it('exposes the kernel at each sample, without an effect on the run', async () => {
    const compiled = compileScenario(validateScenario(SPEC));
    const times: number[] = [];
    const queues: number[] = [];
    const onSample = (kernel: SimKernel, timePs: number): void => {
      times.push(timePs);
      queues.push(kernel.queueBytes(compiled.portNames.indexOf('s0:h2')));
    };
    const { hash, series } = await runScenario(compiled, { onSample }).result;
    expect(hash).toBe(runScenarioSync(SPEC).hash);
    expect(times).toEqual(series.timesPs);
    expect(queues).toEqual(series.queueBytes['s0:h2']);
    expect(Math.max(...queues)).toBeGreaterThan(0);
  });

  it('yields while it compiles and collects results, without reporting progress', async () => {
    let nowMs = 0;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => (nowMs += 20));
    const yields = vi.spyOn(globalThis, 'setTimeout');
    const many: ScenarioSpec = {
      name: 'many',
      topology: { kind: 'fat-tree', k: 8 },
      workload: { kind: 'permutation', sizeBytes: 100 },
    };
    const run = runScenario({ ...many }, { eventsPerSlice: 1e9 });
    const seen: number[] = [];
    for await (const { events } of run) seen.push(events);
    const { hash } = await run.result;
    clock.mockRestore();
    // By this clock each step is longer than the interval between yields; all events are one slice.
    expect(yields.mock.calls.length).toBeGreaterThan(8);
    yields.mockRestore();
    expect(seen.length).toBeLessThanOrEqual(1);
    expect(hash).toBe(runScenarioSync(many).hash);
  });

  it('rejects with errors of compilation', async () => {
    const apart: ScenarioSpec = {
      name: 'no path',
      topology: {
        kind: 'edges',
        nodes: [{ name: 'h0', kind: 'host' }, { name: 'h1', kind: 'host' }, { name: 's0', kind: 'switch' }, {
          name: 's1',
          kind: 'switch',
        }],
        links: [{ from: 'h0', to: 's0' }, { from: 'h1', to: 's1' }],
      },
      workload: { kind: 'flows', flows: [{ from: 'h0', to: 'h1', sizeBytes: 1 }] },
    };
    await expect(runScenario(apart).result).rejects.toThrow(expect.objectContaining({ code: 'invalid-scenario' }));
  });

  it('is cancelled by a call or a signal, with a partial result', async () => {
    const run = runScenario(SPEC, { eventsPerSlice });
    await run[Symbol.asyncIterator]().next();
    run.cancel();
    expect((await run.result).ended).toBe('cancelled');
    const controller = new AbortController();
    const signalled = runScenario(SPEC, { eventsPerSlice, signal: controller.signal });
    controller.abort();
    expect((await signalled.result).flows.map(({ completionPs }) => completionPs)).toEqual([null, null]);
  });

  it('continues if a reader leaves its loop', async () => {
    const run = runScenario(SPEC, { eventsPerSlice });
    for await (const { nowPs } of run) if (nowPs > 0) break;
    expect((await run.result).ended).toBe('all-flows-done');
  });

  it('yields by time, after as many slices as fit', async () => {
    let nowMs = 0;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
    const progress = { nowPs: 0, flowsDone: 0, flowsTotal: 0, bytesDelivered: 0, bytesTotal: 0, packetHops: 0 };
    const slices = function*(): Generator<Progress, SimResult> {
      for (let events = 1; events <= 10; events++) {
        nowMs += 5;
        yield { ...progress, events };
      }
      return {} as SimResult;
    };
    const seen: number[] = [];
    for await (const { events } of new ScenarioRun(slices, 16)) seen.push(events);
    clock.mockRestore();
    expect(seen).toEqual([4, 8]);
  });

  it('rejects with later errors, in both result and loop', async () => {
    const failing = function*(): Generator<Progress, never> {
      yield { nowPs: 0, flowsDone: 0, flowsTotal: 0, bytesDelivered: 0, bytesTotal: 0, packetHops: 0, events: 1 };
      throw new Error('no memory');
    };
    await expect(new ScenarioRun(failing).result).rejects.toThrow('no memory');
    const seen: number[] = [];
    const watch = async (): Promise<void> => {
      for await (const { events } of new ScenarioRun(failing)) seen.push(events);
    };
    await expect(watch()).rejects.toThrow('no memory');
    expect(seen).toEqual([1]);
  });
});

describe('The argument of runScenario', () => {
  it('is a typed scenario, so that a misspelt key does not compile', () => {
    // @ts-expect-error -- `nam` is no key of a scenario
    expect(() => runScenario({ nam: 1 })).toThrow(expect.objectContaining({ code: 'invalid-scenario' }) as RoceError);
  });

  it('may be a compiled scenario, which is not compiled again', () => {
    const compiled = compileScenario(validateScenario(SPEC));
    const noteRecords = [{ code: 'stated-by-scenario', figures: { note: 'as it was compiled' } }] as const;
    const run = runScenarioSync({ ...compiled, noteRecords });
    expect(run.notes).toEqual(['as it was compiled']);
    expect(runScenarioSync(compiled).hash).toBe(runScenarioSync(SPEC).hash);
  });

  it('is read from JSON by parseScenario', () => {
    const spec: ScenarioSpec = parseScenario(JSON.parse(JSON.stringify(SPEC)));
    expect(spec).toEqual(SPEC);
    expect(() => parseScenario({ nam: 1 })).toThrow(/Key nam is unknown|missing/);
  });
});
