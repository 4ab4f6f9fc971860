// Where the time of the simulator's kernel goes: samples of the CPU profiler by file of assembly/simulator, by folder elsewhere, for the
// networks of bench/suites/sim.ts. `node scripts/kernel-profile.mjs [SECONDS]`, with dist as it is built.

import { Session } from 'node:inspector/promises';
import { compileScenario, SimKernel, validateScenario } from '../dist/sim/index.js';
import { namedFunctions } from './wasm-sizes.mjs';

const SECONDS = Number(process.argv[2] ?? 3);
const INTERVAL_US = 200;
const BUDGET = 2 ** 30;
const LEAST_PERCENT = 1;
const WIDTH = 28;
const MEBIBYTE = 2 ** 20;
const NETWORKS = [
  ['incast', { kind: 'star', hosts: 17 }, { kind: 'incast', senders: 16, sizeBytes: 10e6 }],
  ['fat-tree k=4', { kind: 'fat-tree', k: 4 }, flowsOf(200)],
  ['fat-tree k=16', { kind: 'fat-tree', k: 16 }, flowsOf(2000)],
];
const PRESETS = ['dcqcn-sigcomm15', 'hpcc-sigcomm19'];

if (!(SECONDS > 0)) throw new RangeError(`Seconds of each network: got ${process.argv[2]}, allowed: numbers above 0.`);
const modules = new Map((await namedFunctions('asconfig.sim.json')).map(({ index, name }) => [index, moduleOf(name)]));
for (const [title, topology, workload] of NETWORKS) {
  for (const preset of PRESETS) process.stdout.write(`${await tableOf(title, { topology, workload, preset })}\n`);
}

/** Flow sizes as in bench/suites/sim.ts. */
function flowsOf(flows) {
  const sizes = [{ sizeBytes: 1000, share: 0 }, { sizeBytes: MEBIBYTE, share: 1 }];
  return { kind: 'poisson', load: 0.5, sizes, flows };
}

async function tableOf(title, { topology, workload, preset }) {
  const { plan } = compileScenario(
    validateScenario({ name: title, topology, workload, algorithms: { only: { preset } } }),
  );
  once(plan);
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: INTERVAL_US });
  await session.post('Profiler.start');
  const sums = { packetHops: 0, events: 0, ms: 0 };
  while (sums.ms < SECONDS * 1000) add(sums, once(plan));
  const { profile } = await session.post('Profiler.stop');
  session.disconnect();
  return textOf(`${title}, ${preset}`, sums, timesOf(profile));
}

function once(plan) {
  const kernel = new SimKernel(plan);
  const beganMs = performance.now();
  while (kernel.run(plan.endPs, BUDGET) === 'budget');
  return { packetHops: kernel.packetHops, events: kernel.events, ms: performance.now() - beganMs };
}

function add(sums, one) {
  for (const name of Object.keys(sums)) sums[name] += one[name];
}

/** Microseconds by module; without what is not wasm. */
function timesOf({ nodes, samples, timeDeltas }) {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame.functionName]));
  const times = new Map();
  samples.forEach((id, sample) => {
    const index = /^wasm-function\[(\d+)\]$/.exec(frames.get(id) ?? '')?.[1];
    if (index === undefined) return;
    const module = modules.get(Number(index)) ?? 'unknown';
    times.set(module, (times.get(module) ?? 0) + timeDeltas[sample]);
  });
  return times;
}

/** `assembly/simulator/switch/arrive` is in `simulator/switch`, `assembly/algorithms/hpcc/…` in `algorithms/hpcc`. */
function moduleOf(name) {
  const parts = name.replace(/^start:/, '').split('/');
  return parts[0] === 'assembly' ? parts.slice(1, 3).join('/') : 'compiler';
}

function textOf(title, { packetHops, events, ms }, times) {
  const all = [...times.values()].reduce((sum, time) => sum + time, 0);
  const ns = (ms * 1e6) / packetHops;
  const lines = [...times].sort((a, b) => b[1] - a[1]).map(([module, time]) => ({
    module,
    percent: (100 * time) / all,
  }));
  return [
    `${title}: ${ns.toFixed(0)} ns per packet-hop, ${(events / packetHops).toFixed(2)} events per packet-hop`,
    ...lines.filter(({ percent }) => percent >= LEAST_PERCENT)
      .map(({ module, percent }) =>
        `  ${module.padEnd(WIDTH)}${percent.toFixed(0).padStart(4)} %${
          ((percent * ns) / 100).toFixed(0).padStart(6)
        } ns`
      ),
  ].join('\n');
}
