/** Which ports the kernel traces, and what it records of each. */
import type { NetworkPlan } from '../plan.js';
import { CAPTURE_PACKETS, CAPTURE_PAUSES } from '../../abi/records/packet-trace.js';

/** CAPTURE_* bits of each traced port. */
export function tracedPorts(plan: NetworkPlan, captured: ReadonlySet<number>,
  pauses: boolean): ReadonlyMap<number, number> {
  if (!pauses) return new Map([...captured].map((port) => [port, CAPTURE_PACKETS]));
  return new Map(plan.ports.map((_, port) => [port, CAPTURE_PAUSES | (captured.has(port) ? CAPTURE_PACKETS : 0)]));
}
