/** The plan and the accounting with which kernel and model are compared, on random networks. */
import { expect } from 'vitest';
import { RoceError } from '../../../src/errors.js';
import { compileScenario } from '../../../src/sim/compile/compile-scenario.js';
import type { ModelResult } from '../../model/model.js';
import type { NetworkPlan } from '../../../src/sim/plan.js';
import type { ScenarioSpec } from '../../../src/sim/scenario/spec.js';
import { validateScenario } from '../../../src/sim/scenario/validate.js';

/**
 * The plan of a random scenario; undefined: its combination of settings is rejected (a window times a rate beyond 64 bits, say).
 */
export function planOf(spec: ScenarioSpec): NetworkPlan | undefined {
  try {
    return compileScenario(validateScenario(spec)).plan;
  } catch (error) {
    if (error instanceof RoceError && error.code === 'invalid-scenario') return undefined;
    throw error;
  }
}

/** In = out + in flight + dropped, in packets and, with what was trimmed, in bytes, and each drop has its reason. */
export function expectBalance({ totals }: ModelResult): void {
  const drops = Object.values(totals.drops).reduce((sum, count) => sum + count, 0);
  expect([totals.packetsIn, totals.bytesIn, drops]).toEqual([
    totals.packetsOut + totals.packetsInFlight + totals.packetsDropped,
    totals.bytesOut + totals.bytesInFlight + totals.bytesDropped + (totals.bytesTrimmed ?? 0),
    totals.packetsDropped,
  ]);
}
