/** Settings of nodes: defaults, then those of all, then overrides in their order. */
import type { Network } from '../topology/network.js';
import { DEFAULT_HOSTS, DEFAULT_PATHS, DEFAULT_SWITCH, DEFAULT_SWITCH_FAST_CNP, MTU_MAX_BYTES,
  MTU_MIN_BYTES } from './defaults.js';
import { listNames, refuseScenario } from './scenario-error.js';
import type { EcnRateSpec, Fidelity, HostOverrideSpec, HostSpec, OverrideSpec, SwitchSpec } from './spec.js';
import type { NodeFinders } from './node-finders.js';
import type { ValidFastCnp, ValidHost, ValidPaths, ValidSwitch } from './valid-scenario.js';

/** Some settings on top of others. */
export function settleSwitch(spec: SwitchSpec, base: ValidSwitch, where: string): ValidSwitch {
  const { enabled, kminKB, kmaxKB, pmax, scaleWithRate, byRate } = { ...base.ecn, ...spec.ecn };
  requireOrder({ kminKB, kmaxKB }, `${where}.ecn`);
  (byRate ?? []).forEach((rate, i) => {
    requireOrder(rate, `${where}.ecn.byRate[${i}]`);
  });
  return {
    bufferBytes: spec.bufferBytes ?? base.bufferBytes,
    headroomBytes: spec.headroomBytes ?? base.headroomBytes,
    pfc: spec.pfc ?? base.pfc,
    fastCnp: spec.fastCnp?.enabled ?? base.fastCnp,
    ecn: { enabled, kminKB, kmaxKB, pmax, scaleWithRate, byRate },
  };
}

function requireOrder({ kminKB, kmaxKB }: Pick<EcnRateSpec, 'kminKB' | 'kmaxKB'>, where: string): void {
  if (kminKB <= kmaxKB) return;
  refuseScenario({
    what: 'Kmin',
    problem: 'must not exceed Kmax',
    got: { kminKB, kmaxKB },
    where: `${where}.kminKB`,
  });
}

/** The settings of each node; null for hosts. */
export function settleSwitches(network: Network, spec: SwitchSpec, overrides: readonly OverrideSpec[],
  named: NodeFinders): (ValidSwitch | null)[] {
  const ofAll = settleSwitch(spec, DEFAULT_SWITCH, 'switches');
  const settings: (ValidSwitch | null)[] = network.nodes.map(({ kind }) => (kind === 'switch' ? ofAll : null));
  overrides.forEach((override, i) => {
    const where = `overrides[${i}]`;
    if (override.switch === undefined && override.host === undefined) {
      refuseScenario({ what: 'the override', problem: 'needs settings of switch or host', got: override, where });
    }
    if (override.switch !== undefined) refuseShared(override.switch, `${where}.switch`);
    override.nodes.forEach((name, j) => {
      const place = `${where}.nodes[${j}]`;
      const node = named.node(name, place);
      if (override.switch !== undefined) named.switch(name, place);
      if (override.host !== undefined) named.host(name, place);
      const base = settings[node];
      if (base !== null) settings[node] = settleSwitch(override.switch ?? {}, base, `${where}.switch`);
    });
  });
  return settings;
}

/** What single hosts differ in, by node; names are checked by `settleSwitches`. */
export function settleHostOverrides(network: Network, overrides: readonly OverrideSpec[],
  fidelity: Fidelity): (HostOverrideSpec | null)[] {
  const settings = network.nodes.map((): HostOverrideSpec | null => null);
  for (const [i, { nodes, host }] of overrides.entries()) {
    if (host === undefined) continue;
    checkMtu(host, fidelity, `mtuBytes of ${listNames(nodes)}`, `overrides[${i}].host.mtuBytes`);
    for (const name of nodes) {
      const node = network.nodes.findIndex((one) => one.name === name);
      settings[node] = { ...settings[node], ...host };
    }
  }
  return settings;
}

/** These are one for the whole network: an override of them would be passed over in silence. */
function refuseShared(spec: SwitchSpec, where: string): void {
  const shared: [string, unknown][] = [
    ['ecn.markAt', spec.ecn?.markAt],
    ['strictClasses', spec.strictClasses],
    ['pauseTimeUs', spec.pauseTimeUs],
    ['loadBalancing', spec.loadBalancing],
    ['conWeave', spec.conWeave],
  ];
  for (const [key, got] of Object.entries({ ...spec.fastCnp })) {
    if (key !== 'enabled') shared.push([`fastCnp.${key}`, got]);
  }
  for (const [key, got] of shared) {
    if (got === undefined) continue;
    const problem = 'must be the same for all switches';
    refuseScenario({ what: key, problem, got, where: `${where}.${key}`, hint: `It is set by switches.${key}` });
  }
}

/** What all switches share about Fast CNPs. */
export function settleFastCnp(spec: SwitchSpec): ValidFastCnp {
  const { option, flowRatePerSecond, flowBurst, portRatePerSecond, portBurst, markWhenLimited } = {
    ...DEFAULT_SWITCH_FAST_CNP,
    ...spec.fastCnp,
  };
  return { option, flowRatePerSecond, flowBurst, portRatePerSecond, portBurst, markWhenLimited };
}

/** What all switches share under `reference-lossy`. */
export function settlePaths({ loadBalancing, conWeave, pauseTimeUs }: SwitchSpec): ValidPaths {
  return {
    loadBalancing: loadBalancing ?? DEFAULT_PATHS.loadBalancing,
    conWeave: { ...DEFAULT_PATHS.conWeave, ...conWeave },
    pauseTimeUs: pauseTimeUs ?? DEFAULT_PATHS.pauseTimeUs,
  };
}

/** What defaults of hosts depend on. */
interface HostSurroundings {
  readonly fidelity: Fidelity;
  /** Does any switch send Fast CNPs? */
  readonly anyFastCnp: boolean;
  /** Are there jobs, and no other flows? */
  readonly hasJobsAlone: boolean;
}

export function settleHosts(spec: HostSpec, { fidelity, anyFastCnp, hasJobsAlone }: HostSurroundings): ValidHost {
  checkMtu(spec, fidelity, 'mtuBytes', 'hosts.mtuBytes');
  const service = hasJobsAlone ? 'first-come' : 'turns';
  return { ...DEFAULT_HOSTS[fidelity], acceptFastCnp: anyFastCnp, service, ...spec };
}

function checkMtu({ mtuBytes }: HostOverrideSpec, fidelity: Fidelity, what: string, where: string): void {
  if (fidelity !== 'standard' || mtuBytes === undefined || (mtuBytes >= MTU_MIN_BYTES && mtuBytes <= MTU_MAX_BYTES)) {
    return;
  }
  const allowed = { min: MTU_MIN_BYTES, max: MTU_MAX_BYTES, multipleOf: 1, unit: 'bytes' };
  refuseScenario({ what: `${what} under fidelity standard`, got: mtuBytes, allowed, where });
}
