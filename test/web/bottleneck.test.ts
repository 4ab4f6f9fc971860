/** The lab names the port that limits a run. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { ScenarioSpec } from '../../src/sim/index.js';
import { crossingsOf, verdictParts } from '../../web/page/ports/verdict-words.js';
import { rankedPorts } from '../../web/page/ports/ranking.js';
import { labRun } from './lab-run.js';

const ROOT = new URL('../../', import.meta.url);

async function verdictOf(file: string, change: (spec: ScenarioSpec) => ScenarioSpec = (spec) => spec): Promise<string> {
  const spec = JSON.parse(readFileSync(new URL(`${file}.json`, ROOT), 'utf8')) as ScenarioSpec;
  const { data } = await labRun(change(spec));
  return verdictParts(data).map(({ text }) => text).join('');
}

describe('The bottleneck', () => {
  it('of the first scenario is the port whose queue oscillates', async () => {
    expect(await verdictOf('web/scenarios/four-flows')).toMatch(
      /^Bottleneck: s0:h4, 9\d\.?\d* % of 100 Gb\/s used, queue up to \d+ kB, \d+ packets marked\. The queue crosses Kmin 1\d times/,
    );
  });

  it('of a pause storm is the port that the host pauses, even if other queues are longer', async () => {
    expect(await verdictOf('examples/scenarios/pause-storm'))
      .toBe('Bottleneck: leaf1:h3, paused by h3 for 94 % of the run. leaf0:spine0 and spine0:leaf1 wait behind it.');
  });

  it('of a deadlock is a cycle of pauses', async () => {
    expect(await verdictOf('examples/scenarios/deadlock')).toMatch(
      /^Deadlock: r\d:r\d, r\d:r\d and r\d:r\d pause each other/,
    );
  });

  it('of a ring is the busiest port', async () => {
    expect(await verdictOf('examples/scenarios/all-reduce')).toMatch(
      /^Bottleneck: leaf1:h4, 96\.2 % of 100 Gb\/s used/,
    );
  });
});

describe('The verdict on a switch with Fast CNPs', () => {
  it('names Fast CNPs, and not marks that the switch does not set', async () => {
    const text = await verdictOf('examples/scenarios/two-data-centers');
    expect(text).toMatch(/^Bottleneck: dc1\.leaf1:h15, .* of the run: the switch sends Fast CNPs,/);
    expect(text).not.toContain('mark');
  });
});

describe('The table of ports', () => {
  it('has the bottleneck first, the goodput of ports to hosts, and no port that sent nothing', async () => {
    const { data, run } = await labRun(
      JSON.parse(readFileSync(new URL('examples/scenarios/pause-storm.json', ROOT), 'utf8')) as ScenarioSpec,
    );
    const rows = rankedPorts(data);
    expect(rows.slice(0, 3).map(({ name }) => name).sort()).toEqual(['leaf0:spine0', 'leaf1:h3', 'spine0:leaf1']);
    expect(rows[0]).toMatchObject({ name: 'leaf1:h3', limit: 'bottleneck' });
    expect(rows[0]!.pausedShare).toBeCloseTo(0.94, 2);
    expect(rows[0]!.goodputBps! / run.result.summary.goodputBps!).toBeCloseTo(1, 6);
    expect(rows.find(({ name }) => name === 'leaf0:spine0')!.goodputBps).toBeUndefined();
    for (const { port } of rows) expect(run.result.ports[port]!.txPackets).toBeGreaterThan(0);
  });

  it('names all ports of a deadlock', async () => {
    const { data } = await labRun(
      JSON.parse(readFileSync(new URL('examples/scenarios/deadlock.json', ROOT), 'utf8')) as ScenarioSpec,
    );
    const named = rankedPorts(data).filter(({ limit }) => limit === 'deadlock').map(({ name }) => name);
    expect(named.sort()).toEqual(['r0:r1', 'r1:r2', 'r2:r0']);
  });
});

describe('The first scenario', () => {
  const meanQueue = async (path: string, factor: number): Promise<number> => {
    const text = readFileSync(new URL('web/scenarios/four-flows.json', ROOT), 'utf8');
    const found = new RegExp(`"${path}": ([\\d.]+)`).exec(text);
    const spec = found === null ?
      withParameter(text, path, factor) :
      JSON.parse(text.replace(found[0], `"${path}": ${Number(found[1]) * factor}`)) as ScenarioSpec;
    return (await labRun(spec)).run.result.summary.meanQueueBytes ?? NaN;
  };

  it.each([
    ['kminKB', 2],
    ['kmaxKB', 2],
    ['pmax', 4],
    ['alphaGain', 1 / 64],
    ['alphaPeriodPs', 27.5e6],
    ['increasePeriodPs', 110e6],
    ['byteCounterBytes', 0.5],
    ['fastRecoverySteps', 2],
    ['aiRateBps', 2],
    ['senders', 0.5],
  ])('has a queue that the slider of %s changes', async (key, value) => {
    const [before, after] = [await meanQueue('senders', 1), await meanQueue(key, value)];
    expect(Math.abs(after - before) / before).toBeGreaterThan(0.03);
  });

  it('has a crossing for each rise of its queue above a threshold', () => {
    expect(crossingsOf(Float64Array.of(0, 5, 3, 6, 6, 4, 9), 4)).toBe(3);
  });
});

/** @param value of a parameter that the scenario leaves to the preset. */
function withParameter(text: string, name: string, value: number): ScenarioSpec {
  return JSON.parse(text.replace('"parameters": {', `"parameters": { "${name}": ${value},`)) as ScenarioSpec;
}
