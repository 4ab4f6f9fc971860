import { describe, expect, it } from 'vitest';
import { createEngineSync } from '../../src/engine/create.js';
import type { DcqcnParameters } from '../../src/config/algorithms/dcqcn.js';
import { dcqcnConnectx } from '../../src/config/algorithms/dcqcn/preset-connectx.js';
import { dcqcnSigcomm15 } from '../../src/config/algorithms/dcqcn/preset-sigcomm15.js';
import { gbps } from '../../src/units.js';

const QPS = 2 ** 20;

function bytesPerQp(parameterSet: DcqcnParameters): number {
  const engine = createEngineSync({
    parameterSets: { default: parameterSet },
    capacity: { qps: QPS, events: 1, packets: 1, frameBytes: 64 },
  });
  return engine.stateBytes / QPS;
}

describe('the memory per QP, including its entries in both tables', () => {
  it('is at most 128 bytes for DCQCN of the paper', () => {
    expect(bytesPerQp(dcqcnSigcomm15({ lineRateBps: gbps(100) }))).toBeLessThanOrEqual(128);
  });

  it('is 8 bytes more when cuts are checked per period', () => {
    expect(bytesPerQp(dcqcnConnectx({ lineRateBps: gbps(100) }))).toBeLessThanOrEqual(136);
  });
});
