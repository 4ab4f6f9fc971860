/** Lookups of many keys, which only the benchmarks call: key by key in small tables, in blocks of 64 in large ones. */
import { describe, expect, it } from 'vitest';
import { BenchEngine } from '../../bench/support/bench-engine.js';
import { localQpn, peerAddress, peerQpn } from '../../bench/support/frames.js';
import { NONE } from '../../src/abi/codes.js';
import { REGION_FRAMES } from '../../src/abi/layout.js';
import { dcqcnSigcomm15, gbps } from '../../src/index.js';

const KEY_BYTES = 32;
const QPS = 20_000;
/** No multiple of 64, so the last block is not full. */
const KEYS = 10 * 64 + 5;

/** @param qps the capacity of the table. */
function findersResults(qps: number): { readonly found: number[]; readonly wanted: number[] } {
  const bench = new BenchEngine({
    parameterSets: { default: dcqcnSigcomm15({ lineRateBps: gbps(100) }) },
    capacity: { qps, events: 1, packets: 1, frameBytes: KEYS * (KEY_BYTES + 4) },
  });
  for (let qp = 0; qp < QPS; qp++)
    bench.engine.openQp({ localQpn: localQpn(qp), peerAddress: peerAddress(qp), peerQpn: peerQpn(qp) });
  const keys = bench.region(REGION_FRAMES);
  const results = keys + KEYS * KEY_BYTES;
  const wanted: number[] = [];
  for (let i = 0; i < KEYS; i++) {
    const qp = (i * 7919) % QPS;
    const isKnown = i % 3 > 0;
    bench.views.u8.set(peerAddress(qp), keys + i * KEY_BYTES);
    bench.views.u32[(keys + i * KEY_BYTES + 16) >> 2] = 0;
    bench.views.u32[(keys + i * KEY_BYTES + 20) >> 2] = peerQpn(qp) + (isKnown ? 0 : 1);
    wanted.push(isKnown ? qp : NONE);
  }
  bench.abi.findFlows(keys, results, KEYS);
  return { found: [...bench.views.u32.subarray(results >> 2, (results >> 2) + KEYS)], wanted };
}

describe.each([QPS, 140_000])('in a table for %d QPs', (qps) => {
  it('finds every open flow, and no other', () => {
    const { found, wanted } = findersResults(qps);
    expect(found).toEqual(wanted);
  });
});
