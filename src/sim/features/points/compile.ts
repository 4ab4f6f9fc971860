/**
 * Custom congestion points: finds those that a scenario names as presets or as files, and compiles one per combination
 * of definition, parameters and switch settings.
 */
import type { PointOfSwitches } from '../../../algorithm/congestion-point/bind-points.js';
import { BUILT_IN_POINT, checkCongestionPoint, type CustomCongestionPoint,
  type SettingsOfSwitch } from '../../../config/custom-congestion-point.js';
import { checkRecord, reject } from '../../../config/field-rules.js';
import { RoceError } from '../../../errors.js';
import type { PointsPlan } from '../../plan.js';
import { rejectScenario } from '../../scenario/scenario-error.js';
import type { CongestionPointSpec, Fidelity, ScenarioSpec, SwitchSpec } from '../../scenario/spec.js';
import type { ValidPoint, ValidScenario } from '../../scenario/valid-scenario.js';

/** Custom congestion points that are passed with a scenario. */
export interface PointsOfScenario {
  /** Congestion points that the scenario names as presets. */
  readonly congestionPoints?: readonly CustomCongestionPoint[];
  /** Congestion points that the scenario names as files, by path. */
  readonly congestionPointFiles?: Readonly<Record<string, CustomCongestionPoint>>;
  /** Whether congestion points whose hashes the scenario states, such as those of a result, may be missing. Default false. */
  readonly withoutFiles?: boolean;
}

/** @throws RoceError for values that are not custom congestion points, and for duplicate names. */
export function checkPoints({ congestionPoints = [], congestionPointFiles = {} }: PointsOfScenario,
  where: string): void {
  const at = `${where}.congestionPoints`;
  const list: unknown = congestionPoints;
  if (!Array.isArray(list)) reject({ got: list, allowed: 'a list', where: at });
  congestionPoints.forEach((one, index) => {
    checkCongestionPoint(one, `${at}[${index}]`);
    if (congestionPoints.findIndex(({ name }) => name === one.name) !== index)
      reject({ got: one.name, problem: 'is the name of two congestion points', where: `${at}[${index}]` });
  });
  for (const [file, one] of Object.entries(checkRecord(congestionPointFiles, `${where}.congestionPointFiles`)))
    checkCongestionPoint(one, `${where}.congestionPointFiles.${file}`);
}

/**
 * The custom congestion points of a scenario, by their entries in it.
 *
 * @param substitute replaces the built-in rule of switches.
 */
export class ScenarioPoints {
  readonly #given: PointsOfScenario;
  readonly #substitute: ValidPoint | null;
  readonly #known = new Map<CongestionPointSpec, ValidPoint>();
  #isAnyNamed = false;

  constructor(spec: ScenarioSpec, given: PointsOfScenario, substitute: CustomCongestionPoint | undefined,
    fidelity: Fidelity) {
    this.#given = given;
    this.#substitute = substitute === undefined ?
      null :
      { custom: substitute, parameters: {}, where: 'options.substitutes', isNamed: false };
    for (const [settings, where] of switchesOf(spec)) this.#add(settings, where);
    if (fidelity === 'reference-lossy' && (this.#substitute !== null || this.isAnyNamed)) {
      rejectScenario({
        what: 'a custom congestion point',
        problem: 'does not run',
        got: fidelity,
        allowed: ['standard', 'reference'],
        where: 'fidelity',
      });
    }
  }

  /** Whether the scenario names any custom congestion point. */
  get isAnyNamed(): boolean {
    return this.#isAnyNamed;
  }

  /** The congestion point for a switch's entry; null: the built-in rule. */
  of(entry: CongestionPointSpec | null): ValidPoint | null {
    return (entry && this.#known.get(entry)) ?? this.#substitute;
  }

  /** The scenario as given, with the source hash of each entry, so that the result's hash depends on it. */
  withSourceHashes(stated: ScenarioSpec): ScenarioSpec {
    if (!this.isAnyNamed) return stated;
    const ofSwitch = (settings: SwitchSpec): SwitchSpec => {
      const { congestionPoint } = settings;
      const point = congestionPoint && this.#known.get(congestionPoint);
      if (!point) return settings;
      return { ...settings, congestionPoint: { ...congestionPoint, sourceHash: point.custom.sourceHash } };
    };
    const { switches, overrides } = stated;
    return {
      ...stated,
      ...(switches !== undefined && { switches: ofSwitch(switches) }),
      ...(overrides !== undefined && {
        overrides: overrides.map((one) => (one.switch === undefined ? one : { ...one, switch: ofSwitch(one.switch) })),
      }),
    };
  }

  #add({ congestionPoint: entry }: SwitchSpec, where: string): void {
    if (entry === undefined || entry.preset === BUILT_IN_POINT) return;
    this.#isAnyNamed = true;
    if (this.#given.withoutFiles === true && entry.sourceHash !== undefined) return;
    const custom = this.#find(entry, `${where}.congestionPoint`);
    checkSource(entry, custom, `${where}.congestionPoint.sourceHash`);
    const { parameters = {} } = entry;
    this.#known.set(entry, { custom, parameters, where: `${where}.congestionPoint`, isNamed: true });
  }

  #find({ preset, file }: CongestionPointSpec, where: string): CustomCongestionPoint {
    const { congestionPoints = [], congestionPointFiles = {} } = this.#given;
    const what = 'the file of the congestion point';
    if (file !== undefined) {
      if (preset !== undefined) rejectScenario({ what, problem: 'is given with a preset', got: file, where });
      if (Object.hasOwn(congestionPointFiles, file)) return congestionPointFiles[file];
      const hint = 'Import the file, and pass what it exports by default: options.congestionPointFiles';
      rejectScenario({ what, problem: 'has not been read', got: file, where: `${where}.file`, hint });
    }
    const allowed = [BUILT_IN_POINT, ...congestionPoints.map(({ name }) => name)];
    return congestionPoints.find(({ name }) => name === preset) ??
      rejectScenario({ what: 'the name of a congestion point', got: preset, allowed, where: `${where}.preset` });
  }
}

/** The settings of all switches and of overrides, each with its path in the scenario. */
function switchesOf({ switches, overrides = [] }: ScenarioSpec): (readonly [SwitchSpec, string])[] {
  return [
    ...(switches === undefined ? [] : [[switches, 'switches'] as const]),
    ...overrides.flatMap((one,
      i) => (one.switch === undefined ? [] : [[one.switch, `overrides[${i}].switch`] as const])
    ),
  ];
}

/** Rejects code with another hash than the scenario states, as a result's scenario does. */
function checkSource({ sourceHash }: CongestionPointSpec, custom: CustomCongestionPoint, where: string): void {
  if (sourceHash === undefined || sourceHash === custom.sourceHash) return;
  const what = `the code of congestion point ${custom.name}`;
  rejectScenario({
    what,
    problem: 'is not the one that the scenario states',
    got: custom.sourceHash,
    allowed: [sourceHash],
    where,
  });
}

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
