/** PFC hazards in a run's result. A member is present only if its hazard occurred. */
import type { CompiledScenario } from '../../compile/compile-scenario.js';
import type { HazardReader } from './memory.js';
import type { SimKernel } from '../../kernel/kernel.js';
import type { FlowResult, PortResult, SimResult } from '../../result.js';

/** Deadlocks, by the names of their ports. */
export function deadlockResults({ portNames }: CompiledScenario, kernel: SimKernel): Pick<SimResult, 'deadlocks'> {
  const found = kernel.hazards?.deadlocks() ?? [];
  if (found.length === 0) return {};
  return {
    deadlocks: found.map(({ formedPs, foundPs, resolvedPs, length, cycle }) => ({
      formedPs,
      foundPs,
      resolvedPs,
      ports: cycle.map(({ port }) => portNames[port]),
      trafficClasses: cycle.map(({ trafficClass }) => trafficClass),
      length,
    })),
  };
}

/** How long a flow was held by pauses unrelated to its own path. */
export function victimOf(hazards: HazardReader, index: number,
  portNames: readonly string[]): Pick<FlowResult, 'heldPs' | 'heldAt' | 'heldBy'> {
  const victim = hazards.victim(index);
  if (victim.heldPs === 0) return {};
  const { heldPs, heldAt, root } = victim;
  return { heldPs, heldAt: portNames[heldAt], ...(root < 0 ? {} : { heldBy: portNames[root] }) };
}

type OfPort = Pick<
  PortResult,
  'watchdogStorms' | 'watchdogRestored' | 'watchdogDrops' | 'stormedPs' | 'maxReceiveBytes' | 'receiveDrops'
>;

/** Counters of the watchdog at a port, and of a slow receiver's buffer. */
export function hazardsOfPort(hazards: HazardReader | undefined, index: number): OfPort {
  if (hazards === undefined) return {};
  const raw = hazards.port(index);
  const { storms, restored, watchdogDrops, stormedPs, maxReceiveBytes, receiveDrops } = raw;
  return {
    ...(storms + watchdogDrops > 0 ?
      { watchdogStorms: storms, watchdogRestored: restored, watchdogDrops, stormedPs } :
      {}),
    ...(maxReceiveBytes > 0 ? { maxReceiveBytes, receiveDrops } : {}),
  };
}
