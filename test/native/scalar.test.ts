/**
 * The modules without SIMD, from which the native library is built, equal the others to the bit: random events and
 * frames, the streams of bench/hashes.txt, scenarios, snapshots.
 */
import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ENGINE_SCALAR_FILE, ensureScalarModules, SIM_SCALAR_FILE } from '../../scripts/native/scalar-modules.mjs';
import { resultHashes, stateHashes } from '../../bench/support/hashes.js';
import type { EngineAbi } from '../../src/abi/engine-abi.js';
import type { EngineBackend } from '../../src/config/engine-config.js';
import { WasmBackend } from '../../src/engine/wasm-backend.js';
import { createEngineSync, dcqcnSigcomm15, gbps, hpccSigcomm19, ns, us } from '../../src/index.js';
import type { SimAbi } from '../../src/sim/kernel/sim-abi.js';
import { Chance } from '../parser/support/random-frames.js';
import { frameByChance, introduce, localFrames, markCe, reportsOf } from '../engine/support/frames-at-hand.js';
import { Herd, type NamedBackends } from '../engine/support/herd.js';
import { randomSetup } from '../engine/support/random-setup.js';
import { Player, randomCodes } from '../engine/support/random-stream.js';

const STREAMS = 60;
const STREAM_STEPS = 1000;
const FRAMES = 6000;
const BATCH_FRAMES = 96;
const SEED = Number(process.env['ROCE_SEED'] ?? 42);
/** Long scenarios are run only by `npm run hashes`. */
const SKIPPED = ['fat-tree-k16-10000-flows.json'];
const TIME_LIMIT_MS = 600_000;

await ensureScalarModules();
const ENGINE = new WebAssembly.Module(readFileSync(ENGINE_SCALAR_FILE));
const SIM = new WebAssembly.Module(readFileSync(SIM_SCALAR_FILE));

const exportsOf = (module: WebAssembly.Module): unknown => new WebAssembly.Instance(module).exports;
const scalar: EngineBackend = { name: 'scalar', create: () => new WasmBackend(exportsOf(ENGINE) as EngineAbi) };
const BACKENDS: NamedBackends = [['wasm', 'wasm'], ['scalar', scalar]];
const lines = readFileSync(new URL('../../bench/hashes.txt', import.meta.url), 'utf8').trim().split('\n');
const scenarios = lines.filter((line) => line.startsWith('result')).map((line) => line.split(' ')[1]!);

describe('The module without SIMD and engine.wasm', () => {
  it(`agree on random events, seed ${SEED}`, { timeout: TIME_LIMIT_MS }, () => {
    const agreement = fc.property(randomSetup, randomCodes(STREAM_STEPS), (setup, codes) => {
      new Player(new Herd(setup.options, BACKENDS), setup).play(codes);
    });
    fc.assert(agreement, { seed: SEED, numRuns: STREAMS, endOnFailure: true });
  });

  it(`agree on raw frames, seed ${SEED}`, { timeout: TIME_LIMIT_MS }, () => {
    const frames = localFrames();
    const chance = new Chance(SEED);
    const herd = new Herd({
      parameterSets: { default: dcqcnSigcomm15({ lineRateBps: gbps(100) }) },
      capacity: { qps: 120, endpoints: 4, addresses: 160, events: 4, packets: BATCH_FRAMES, frameBytes: 2 ** 20 },
      fastCnp: { enabled: true, defaultAction: 'allow' },
    }, BACKENDS);
    introduce(herd, frames);
    for (let index = 0; index < FRAMES; index++) {
      const { bytes, original } = index < frames.length ? markCe(frames[index]!) : frameByChance(chance, frames);
      herd.step((engine) => {
        engine.packets.add(ns(index * 100), bytes, original);
      });
      if (index % BATCH_FRAMES !== BATCH_FRAMES - 1) continue;
      herd.step((engine) => engine.applyPackets());
      herd.step(reportsOf);
      herd.check();
    }
  });

  it('have the state hashes of bench/hashes.txt', { timeout: TIME_LIMIT_MS }, () => {
    expect([...stateHashes(scalar)]).toEqual(lines.filter((line) => line.startsWith('state')));
  });

  it('save the same snapshot, except for its header', () => {
    const [wasm, other] = BACKENDS.map(([, backend]) => {
      const parameterSets = {
        d: dcqcnSigcomm15({ lineRateBps: gbps(100) }),
        h: hpccSigcomm19({ lineRateBps: gbps(100), baseRttPs: us(8) }),
      };
      const engine = createEngineSync({ backend, parameterSets, hashSeed: 7 });
      for (let qpn = 1; qpn <= 40; qpn++) engine.openQp({ localQpn: qpn, parameterSet: qpn % 2 === 0 ? 'd' : 'h' });
      for (let qp = 0; qp < 40; qp++) engine.sent(us(qp), qp, 1000);
      return engine.snapshot();
    });
    const stateOf = (snapshot: Uint8Array): Uint8Array =>
      snapshot.subarray(16 + new DataView(snapshot.buffer, snapshot.byteOffset).getUint32(12, true));
    expect(Buffer.compare(stateOf(other!), stateOf(wasm!))).toBe(0);
  });
});

describe('The module without SIMD and sim.wasm', () => {
  it.each(scenarios.filter((file) => !SKIPPED.includes(file)))('have the same result of %s', { timeout: TIME_LIMIT_MS },
    (file) => {
      const build = { abi: exportsOf(SIM) as SimAbi, rateChanges: 0 };
      expect(lines).toContain([...resultHashes([file], { build })][0]);
    });
});
