import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createEngineSync } from '../../src/engine/create.js';
import type { Engine } from '../../src/engine/engine.js';
import { dcqcnSigcomm15 } from '../../src/config/algorithms/dcqcn/preset-sigcomm15.js';
import { gbps } from '../../src/units.js';
import { collidingKeys } from './support/colliding-keys.js';
import { BACKENDS, type BackendOption } from '../support/backends.js';

const parameterSets = { default: dcqcnSigcomm15({ lineRateBps: gbps(100) }) };

const engineFor = (qps: number, hashSeed: number, backend: BackendOption = 'wasm'): Engine =>
  createEngineSync({
    backend,
    parameterSets,
    hashSeed,
    capacity: { qps, endpoints: 4, events: 1, packets: 1, frameBytes: 64 },
  });

/** The address 2001:db8:: plus a number. */
function addressOf(n: number): Uint8Array {
  const address = new Uint8Array(16);
  address.set([0x20, 0x01, 0x0d, 0xb8]);
  new DataView(address.buffer).setUint32(12, n);
  return address;
}

describe.each(BACKENDS)('the flow table of the %s engine', (_, backend) => {
  it('finds every open QP after any sequence of opens and closes', () => {
    const steps = fc.array(fc.record({ close: fc.boolean(), peer: fc.nat(40), qpn: fc.integer({ min: 1, max: 3 }) }), {
      maxLength: 400,
    });
    fc.assert(fc.property(steps, fc.nat(), (history, hashSeed) => {
      const engine = engineFor(64, hashSeed, backend);
      const open = new Map<string, number>();
      for (const { close, peer, qpn } of history) {
        const key = `${peer}/${qpn}`;
        const known = open.get(key);
        if (close && known !== undefined) {
          engine.closeQp(known);
          open.delete(key);
        } else if (!close && known === undefined && open.size < 64) {
          open.set(key, engine.openQp({ localQpn: peer * 8 + qpn, peerAddress: addressOf(peer), peerQpn: qpn }));
        }
      }
      for (let peer = 0; peer <= 40; peer++) {
        for (let qpn = 1; qpn <= 3; qpn++) {
          const qp = open.get(`${peer}/${qpn}`);
          expect(engine.findFlow(0, addressOf(peer), qpn)).toBe(qp);
          expect(engine.findLocal(0, peer * 8 + qpn)).toBe(qp);
        }
      }
      expect([...engine.openQps()].sort((a, b) => a - b)).toEqual([...open.values()].sort((a, b) => a - b));
    }), { numRuns: 40, verbose: true });
  });

  it('distinguishes the same peer and QPN at different endpoints', () => {
    const engine = engineFor(8, 1, backend);
    const [a, b] = [engine.addEndpoint(), engine.addEndpoint()];
    const atA = engine.openQp({ endpoint: a, localQpn: 7, peerAddress: addressOf(1), peerQpn: 9 });
    const atB = engine.openQp({ endpoint: b, localQpn: 7, peerAddress: addressOf(1), peerQpn: 9 });
    expect(atA).not.toBe(atB);
    expect(engine.findFlow(b, addressOf(1), 9)).toBe(atB);
    expect(engine.findLocal(a, 7)).toBe(atA);
  });

  it('rejects a second QP with the same key, and a QP beyond the capacity', () => {
    const engine = engineFor(2, 1, backend);
    engine.openQp({ localQpn: 1, peerAddress: addressOf(1), peerQpn: 1 });
    expect(() => engine.openQp({ localQpn: 2, peerAddress: addressOf(1), peerQpn: 1 })).toThrow(
      /peer address and QPN is in use/,
    );
    expect(() => engine.openQp({ localQpn: 1, peerAddress: addressOf(2), peerQpn: 1 })).toThrow(/local QPN is in use/);
    engine.openQp({ localQpn: 2, peerAddress: addressOf(2), peerQpn: 1 });
    expect(() => engine.openQp({ localQpn: 3, peerAddress: addressOf(3), peerQpn: 1 })).toThrow(/capacity.qps/);
  });
});

describe('the number of groups probed by a lookup', () => {
  const QPS = 4096;
  const meanProbes = (engine: Engine, keys: readonly number[]): number =>
    keys.reduce((sum, key) => sum + engine.flowProbes(0, addressOf(key), 5), 0) / keys.length;
  const openAll = (engine: Engine, keys: readonly number[]): number[] =>
    keys.map((key, i) => engine.openQp({ localQpn: i + 1, peerAddress: addressOf(key), peerQpn: 5 }));
  const range = (n: number, from = 0): number[] => Array.from({ length: n }, (_, i) => from + i);

  it('is the same after many QPs were opened and closed as in a new table', () => {
    const worn = engineFor(QPS, 1);
    let state = 12345;
    const open: number[] = [];
    for (let i = 0; i < 60_000; i++) {
      state = (Math.imul(state, 1103515245) + 12345) >>> 0;
      if (open.length === QPS || (open.length > 0 && state % 3 === 0)) {
        const at = state % open.length;
        worn.closeQp(open[at]!);
        open[at] = open.at(-1)!;
        open.pop();
      } else {
        open.push(worn.openQp({ localQpn: i + 1, peerAddress: addressOf(i), peerQpn: 5 }));
      }
    }
    for (const qp of open) worn.closeQp(qp);
    const fresh = engineFor(QPS, 1);
    const keys = range(QPS, 1_000_000);
    openAll(worn, keys);
    openAll(fresh, keys);
    expect(meanProbes(worn, keys)).toBe(meanProbes(fresh, keys));
    const absent = range(QPS, 2_000_000);
    expect(meanProbes(worn, absent)).toBe(meanProbes(fresh, absent));
  });

  it('is small for absent keys of a full table, even after each QP was replaced 20 times', () => {
    const engine = engineFor(QPS, 1);
    const open = openAll(engine, range(QPS));
    const fresh = meanProbes(engine, range(QPS, 2_000_000));
    let state = 7;
    for (let i = 0; i < 20 * QPS; i++) {
      state = (Math.imul(state, 1103515245) + 12345) >>> 0;
      const at = state % QPS;
      engine.closeQp(open[at]!);
      open[at] = engine.openQp({ localQpn: QPS + i + 1, peerAddress: addressOf(QPS + i), peerQpn: 5 });
    }
    const worn = meanProbes(engine, range(QPS, 2_000_000));
    // It would be 2.7 without pass bits, which remain after keys are removed until their group has a free slot.
    expect(fresh).toBeLessThan(1.4);
    expect(worn).toBeLessThan(1.8);
  });

  it('is small for 100,000 keys chosen to collide under another seed', { timeout: 60_000 }, () => {
    const KEYS = 100_000;
    const ATTACKED_SEED = 77;
    const crafted = collidingKeys(ATTACKED_SEED, KEYS, KEYS);
    const usual = range(KEYS);
    const probesWith = (hashSeed: number, keys: readonly number[]): number => {
      const engine = engineFor(KEYS, hashSeed);
      openAll(engine, keys);
      return meanProbes(engine, keys.filter((_, i) => i % 10 === 0));
    };
    expect(probesWith(ATTACKED_SEED, crafted.slice(0, 20_000))).toBeGreaterThan(100);
    expect(probesWith(78, crafted)).toBeLessThanOrEqual(2 * probesWith(78, usual));
  });
});
