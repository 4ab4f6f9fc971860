/** Compiles custom congestion points: one per combination of definition, parameters and switch settings. */
import type { PointOfSwitches } from '../../../algorithm/congestion-point/bind-points.js';
import type { SettingsOfSwitch } from '../../../config/custom-congestion-point.js';
import { RoceError } from '../../../errors.js';
import type { PointsPlan } from './plan.js';
import type { ValidPoint, ValidScenario } from '../../scenario/valid-scenario.js';

/**
 * The plan of custom congestion points; undefined if all switches have the built-in rule. @throws RoceError `invalid-scenario`,
 * naming the parameter.
 */
export function pointsPlan(valid: ValidScenario): PointsPlan | undefined {
  if (valid.points.every((point) => point === null)) return undefined;
  const all: PointOfSwitches[] = [];
  const known = new Map<ValidPoint, Map<boolean, number>>();
  const ofNode = valid.points.map((point, node) => {
    if (point === null) return -1;
    const settings = settingsOf(valid, node);
    const own = known.get(point) ?? new Map<boolean, number>();
    known.set(point, own);
    const index = own.get(settings.fastCnp) ??
      all.push({ custom: point.custom, parameters: parametersOf(point, settings) }) - 1;
    own.set(settings.fastCnp, index);
    return index;
  });
  return { points: all, ofNode: Int32Array.from(ofNode) };
}

/** Settings of a switch. Only `fastCnp` may differ between switches. */
function settingsOf({ markAt, fastCnp, switches, fidelity }: ValidScenario, node: number): SettingsOfSwitch {
  const { flowRatePerSecond, flowBurst, portRatePerSecond, portBurst, markWhenLimited } = fastCnp;
  return {
    markAt,
    fastCnp: fidelity === 'standard' && switches[node]?.fastCnp === true,
    flowRatePerSecond,
    flowBurst,
    portRatePerSecond,
    portBurst,
    markWhenLimited,
  };
}

function parametersOf({ custom, parameters, where }: ValidPoint,
  settings: SettingsOfSwitch): PointOfSwitches['parameters'] {
  try {
    return custom.parametersAt(settings, parameters);
  } catch (error) {
    if (!(error instanceof RoceError)) throw error;
    const { field } = error;
    throw error.at(field === undefined ? `${where}.parameters` : `${where}.parameters.${field}`, 'invalid-scenario');
  }
}
