/** The example in each language prints the results of the npm package. */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createEngineSync, dcqcnSigcomm15, gbps, us } from '../../src/index.js';
import { openNativePlan, openSimulation, type OpenScenarioSpec } from '../../src/sim/index.js';
import { describeNeeding, foreignTool, foreignToolThat } from '../support/foreign-tools.js';
import { ARCHIVE_FILE, ensureLibrary, LIBRARY_FILE, MISSING, NATIVE_DIR, ROOT } from './support/library.js';
import { buildProgram, run, temporaryFolder } from './support/programs.js';

const TIME_LIMIT_MS = 300_000;
const missing = (tool: string): string | undefined =>
  MISSING ?? (foreignTool(tool) === undefined ? `${tool} is not installed` : undefined);
const rustc = foreignToolThat('rustc', (path) => run(path, ['--version']) !== '');

ensureLibrary();

/** The hash that recovery.py, one_qp.rs and one_qp.go print, and the rate at each step. */
function oneQp(): { readonly hash: string; readonly ratesBps: readonly number[] } {
  const engine = createEngineSync({
    parameterSets: { default: dcqcnSigcomm15({ lineRateBps: gbps(100) }) },
    capacity: { qps: 1 },
    hashSeed: 1,
  });
  const qp = engine.openQp({ localQpn: 17 });
  const ratesBps = Array.from({ length: 1000 }, (_, step) => {
    engine.sent(step * us(10), qp, 1082);
    return step % 10 === 0 && step < 200 ? engine.cnp(step * us(10), qp) : engine.touch(step * us(10), qp);
  });
  return { hash: engine.stateHash(), ratesBps };
}

describeNeeding(MISSING, 'The event loop of 16 senders', () => {
  it('prints the hashes of its JavaScript counterpart, in at most 150 lines', () => {
    const source = join('examples/native', 'event-loop.cpp');
    expect(readFileSync(join(ROOT, source), 'utf8').split('\n').length).toBeLessThanOrEqual(150);
    const printed = run(buildProgram(source, temporaryFolder('loop')), []);
    const twin = readFileSync(join(ROOT, 'examples/native/event-loop.mjs'), 'utf8')
      .replace("'roce-cc'", `'${new URL('../../src/index.ts', import.meta.url).pathname}'`);
    const file = join(temporaryFolder('twin'), 'twin.mts');
    writeFileSync(file, twin);
    expect(run(process.execPath, [join(ROOT, 'node_modules/tsx/dist/cli.mjs'), file])).toBe(printed);
  }, TIME_LIMIT_MS);
});

describeNeeding(missing('python3'), 'From Python by ctypes', () => {
  it("the rates of a QP are the npm package's, as CSV", () => {
    const csv = run('python3', [join(ROOT, 'examples/native/recovery.py'), LIBRARY_FILE]).trim().split('\n');
    const { ratesBps } = oneQp();
    expect(csv[0]).toBe('time_us,rate_gbps');
    expect(csv.slice(1)).toStrictEqual(ratesBps.map((rateBps, step) => `${step * 10},${(rateBps / 1e9).toFixed(6)}`));
  });
});

describeNeeding(MISSING ?? (rustc === undefined ? 'rustc is not installed' : undefined), 'From Rust', () => {
  it("a QP has the npm package's state hash", () => {
    const program = join(temporaryFolder('rust'), 'one_qp');
    run(rustc!, [
      '-O',
      join(ROOT, 'examples/native/one_qp.rs'),
      '-L',
      NATIVE_DIR,
      '-l',
      'static=roce_cc',
      '-l',
      'm',
      '-o',
      program,
    ]);
    expect(run(program, [])).toBe(`${oneQp().hash}\n`);
  }, TIME_LIMIT_MS);
});

describeNeeding(missing('go'), 'From Go', () => {
  it("a QP has the npm package's state hash", () => {
    // Go's build cache does not see a changed header; a flag that is a digest of the header makes it compile again.
    const header = createHash('sha256').update(readFileSync(join(ROOT, 'include/roce_cc.h'))).digest('hex');
    process.env['CGO_CFLAGS'] = `-I${join(ROOT, 'include')} -DROCE_CC_HEADER_${header}`;
    process.env['CGO_LDFLAGS'] = `${ARCHIVE_FILE} -lm`;
    expect(run('go', ['run', join(ROOT, 'examples/native/one_qp.go')])).toBe(`${oneQp().hash}\n`);
  }, TIME_LIMIT_MS);
});

describeNeeding(MISSING, 'The backend for ASTRA-sim', () => {
  const scenario: OpenScenarioSpec = {
    name: 'ring',
    topology: { kind: 'star', hosts: 8 },
    hosts: { retransmitTimeoutUs: 500 },
  };
  const STEPS = 7;
  const BYTES = 100_000;
  const COMPUTE_NS = 1500;

  it('runs a ring all-gather with the times of openSimulation, to the picosecond', () => {
    const folder = temporaryFolder('astra');
    const plan = join(folder, 'ring.plan');
    writeFileSync(plan, openNativePlan(scenario, { flows: 64 }));
    const options = ['-O1', '-I', join(ROOT, 'test/native/c')];
    const printed = run(buildProgram('test/native/c/astra-ring.cpp', folder, { options }), [
      plan,
      String(STEPS),
      String(BYTES),
      String(COMPUTE_NS),
    ]);
    expect(printed.trim().split('\n').map(Number)).toStrictEqual(
      ringInTypeScript(scenario, STEPS, BYTES, COMPUTE_NS * 1000),
    );
  });
});

/** The same ring in TypeScript: the time at which each rank is done. */
function ringInTypeScript(scenario: OpenScenarioSpec, steps: number, sizeBytes: number, computePs: number): number[] {
  const simulation = openSimulation(scenario, { flows: 64 });
  const ranks = Array.from({ length: 8 }, () => ({ step: 0, pending: 0, donePs: -1 }));
  const arrived = new Map<string, boolean>();
  const owners = new Map<number, { from: number; to: number; step: number }>();
  const timers: { timePs: number; order: number; rank: number }[] = [];
  let order = 0;
  const begin = (rank: number): void => {
    const { step } = ranks[rank]!;
    ranks[rank]!.pending = 2;
    const to = (rank + 1) % 8;
    owners.set(simulation.send({ from: `h${rank}`, to: `h${to}`, sizeBytes }), { from: rank, to, step });
    if (arrived.get(`${rank} ${step}`)) finish(rank);
  };
  const finish = (rank: number): void => {
    if (--ranks[rank]!.pending === 0) timers.push({ timePs: simulation.nowPs + computePs, order: order++, rank });
  };
  for (let rank = 0; rank < 8; rank++) begin(rank);
  for (;;) {
    timers.sort((a, b) => a.timePs - b.timePs || a.order - b.order);
    const done = simulation.next(timers[0]?.timePs);
    if (done !== undefined) {
      const { from, to, step } = owners.get(done.flow)!;
      finish(from);
      arrived.set(`${to} ${step}`, true);
      if (ranks[to]!.step === step) finish(to);
      continue;
    }
    const timer = timers.shift();
    if (timer === undefined) return ranks.map(({ donePs }) => donePs);
    const rank = ranks[timer.rank]!;
    if (++rank.step < steps) begin(timer.rank);
    else rank.donePs = timer.timePs;
  }
}
