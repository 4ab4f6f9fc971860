/**
 * Packet memory in two pools, as in real switches: lossless classes share one by ingress port (shared-buffer.ts), lossy classes the
 * other by egress queue.
 *
 * State      per port and lossy class: bytes of the queue; per switch: bytes of the pool's shared part in use
 * Limit      a queue's use beyond its reserve is at most alpha (shared part - in use), and the pool is never exceeded
 * Admit      use + length - reserve <= that limit, and <= the free part
 *
 * So n permanently full queues each hold alpha / (1 + n alpha) of the shared part, beyond their reserves.
 *
 * Source     dynamic threshold of A. Choudhury, E. Hahne, IEEE/ACM Transactions on Networking 6(2), 1998; pools, reserve (`size`) and
 *            alpha = 2^dynamic_th of SONiC's BUFFER_POOL and BUFFER_PROFILE (docs/reference/sources.md).
 */
import { SIM_POOLS } from '../../src/abi/sim-codes';
import { allocate } from '../memory/map';
import { Pool, POOL_BYTES, SimNode, SimPort } from '../records/network';
import { nodeCount, simCapacity } from './network';
import { allocateBuffer, freeBuffer, isAdmitted } from './shared-buffer';
import { publish } from './regions';
import { SIM_CAPACITY_POOLS } from '../records/sim-run';
import { classOf } from './classes';

/** Whether switches have these pools. */
let pooled: bool = false;
export let pools: usize = 0;

export function allocatePools(): void {
  pooled = simCapacity(SIM_CAPACITY_POOLS) != 0;
  if (pooled) pools = publish(SIM_POOLS, allocate(<usize>nodeCount * POOL_BYTES));
}

@inline function poolOf(port: SimPort): Pool {
  return changetype<Pool>(pools + <usize>port.node * POOL_BYTES);
}

/** Allocates memory for a packet from one port to another; false if there is none. */
@inline export function takePlace(node: SimNode, inPort: SimPort, outPort: SimPort, cls: u32, lenBytes: u32): bool {
  if (pooled && isLossy(outPort, cls)) return takeFromPool(outPort, cls, lenBytes);
  if (!isAdmitted(node, inPort, cls, lenBytes)) return false;
  allocateBuffer(node, inPort, cls, lenBytes);
  return true;
}

/** Whether there is memory for a packet from one port to another. */
export function hasPlace(node: SimNode, inPort: SimPort, outPort: SimPort, cls: u32, lenBytes: u32): bool {
  return pooled && isLossy(outPort, cls) ?
    poolHasPlace(outPort, cls, lenBytes) :
    isAdmitted(node, inPort, cls, lenBytes);
}

/** Releases the memory of a packet that leaves the switch. */
@inline export function givePlaceBack(node: SimNode, inPort: SimPort, outPort: SimPort, cls: u32,
  lenBytes: u32): void {
  if (pooled && isLossy(outPort, cls)) returnToPool(outPort, cls, lenBytes);
  else freeBuffer(node, inPort, cls, lenBytes);
}

function isLossy(port: SimPort, cls: u32): bool {
  return (poolOf(port).lossyClasses & (1 << cls)) != 0;
}

function poolHasPlace(port: SimPort, cls: u32, lenBytes: u32): bool {
  const pool = poolOf(port);
  const next = classOf(port, cls).pooled + lenBytes;
  const beyond = next > pool.reservedBytes ? next - pool.reservedBytes : 0;
  const more = min<u32>(beyond, lenBytes);
  const free = pool.sharedBytes - pool.usedBytes;
  return more == 0 || (more <= free && <f64>beyond <= pool.alpha * <f64>free);
}

function takeFromPool(port: SimPort, cls: u32, lenBytes: u32): bool {
  if (!poolHasPlace(port, cls, lenBytes)) return false;
  const pool = poolOf(port);
  const own = classOf(port, cls);
  const next = own.pooled + lenBytes;
  const beyond = next > pool.reservedBytes ? next - pool.reservedBytes : 0;
  own.pooled = next;
  pool.usedBytes += min<u32>(beyond, lenBytes);
  if (pool.usedBytes > pool.mostUsedBytes) pool.mostUsedBytes = pool.usedBytes;
  return true;
}

function returnToPool(port: SimPort, cls: u32, lenBytes: u32): void {
  const pool = poolOf(port);
  const own = classOf(port, cls);
  const beyond = own.pooled > pool.reservedBytes ? own.pooled - pool.reservedBytes : 0;
  pool.usedBytes -= min<u32>(beyond, lenBytes);
  own.pooled -= lenBytes;
}
