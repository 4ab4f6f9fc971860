/**
 * Hashes the state of all open QPs: equal states have equal hashes on every backend and machine.
 *
 * Covers the words of each record (rates, alpha, timers, stages, flags). Not resistant to an adversary.
 */
import { QP_OPEN } from '../abi/codes.js';
import { QP_BYTES, REGION_QP_FLAGS } from '../abi/layout.js';
import type { EngineAbi } from '../abi/engine-abi.js';
import { HashLanes } from './hash-lanes.js';
import { regionAddress, type MemoryViews } from './memory-views.js';

const FLAG_BITS = 15;

/** The hash as 16 hexadecimal digits. */
export function hashState(abi: EngineAbi, views: MemoryViews, qpCapacity: number): string {
  const flags = regionAddress(views, REGION_QP_FLAGS);
  const lanes = new HashLanes();
  for (let qp = 0; qp < qpCapacity; qp++) {
    const qpFlags = views.u8[flags + qp] ?? 0;
    if (!(qpFlags & QP_OPEN)) continue;
    lanes.mix(qp);
    lanes.mix(qpFlags & FLAG_BITS);
    const first = abi.stateAddress(qp) >>> 2;
    for (let word = 0; word < QP_BYTES / 4; word++) lanes.mix(views.u32[first + word] ?? 0);
  }
  return lanes.digits();
}
