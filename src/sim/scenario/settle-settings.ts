/** Settings of nodes: defaults, then those of all, then overrides in their order. */
import type { Network } from '../topology/network.js';
import { DEFAULT_HOSTS, DEFAULT_SWITCH, DEFAULT_SWITCH_FAST_CNP, MTU_MAX_BYTES, MTU_MIN_BYTES } from './defaults.js';
import { listNames, refuseScenario } from './scenario-error.js';
import type { Fidelity, HostOverrideSpec, HostSpec, OverrideSpec, SwitchSpec } from './spec.js';
import type { ValidFastCnp, ValidHost, ValidSwitch } from './valid-scenario.js';

/** Some settings on top of others. */
function settleSwitch(spec: SwitchSpec, base: ValidSwitch, where: string): ValidSwitch {
  const { enabled, kminKB, kmaxKB, pmax, scaleWithRate, byRate } = { ...base.ecn, ...spec.ecn };
  if (kminKB > kmaxKB) {
    refuseScenario('ECN thresholds stand the wrong way round', kminKB, `kminKB up to kmaxKB, ${kmaxKB}`,
      `${where}.ecn.kminKB`);
  }
  (byRate ?? []).forEach((rate, i) => {
    if (rate.kminKB <= rate.kmaxKB) return;
    refuseScenario('ECN thresholds stand the wrong way round', rate.kminKB, `kminKB up to kmaxKB, ${rate.kmaxKB}`,
      `${where}.ecn.byRate[${i}].kminKB`);
  });
  return {
    bufferBytes: spec.bufferBytes ?? base.bufferBytes,
    headroomBytes: spec.headroomBytes ?? base.headroomBytes,
    pfc: spec.pfc ?? base.pfc,
    fastCnp: spec.fastCnp?.enabled ?? base.fastCnp,
    ecn: { enabled, kminKB, kmaxKB, pmax, scaleWithRate, byRate },
  };
}

/** The settings of each node; null for hosts. */
export function settleSwitches(network: Network, spec: SwitchSpec, overrides: readonly OverrideSpec[],
  nodeNamed: (name: string, where: string) => number): (ValidSwitch | null)[] {
  const ofAll = settleSwitch(spec, DEFAULT_SWITCH, 'switches');
  const settings: (ValidSwitch | null)[] = network.nodes.map(({ kind }) => (kind === 'switch' ? ofAll : null));
  overrides.forEach((override, i) => {
    const where = `overrides[${i}]`;
    if (override.switch === undefined && override.host === undefined) {
      refuseScenario('an override without settings', override, 'an object with switch or host', where);
    }
    if (override.switch !== undefined) refuseShared(override.switch, `${where}.switch`);
    override.nodes.forEach((name, j) => {
      const node = nodeNamed(name, `${where}.nodes[${j}]`);
      const base = settings[node];
      if (base === null) {
        if (override.switch !== undefined) {
          refuseScenario(`${name} is a host and has no settings of a switch`, name, 'names of switches',
            `${where}.nodes[${j}]`);
        }
        return;
      }
      if (override.host !== undefined) {
        refuseScenario(`${name} is a switch and has no settings of a host`, name, 'names of hosts',
          `${where}.nodes[${j}]`);
      }
      settings[node] = settleSwitch(override.switch ?? {}, base, `${where}.switch`);
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
  if (spec.ecn?.markAt !== undefined) {
    refuseScenario('markAt differs between switches', spec.ecn.markAt, 'one for all, as switches.ecn.markAt',
      `${where}.ecn.markAt`);
  }
  const shared = Object.entries(spec.fastCnp ?? {}).filter(([key]) => key !== 'enabled');
  for (const [key, got] of shared) {
    refuseScenario(`${key} differs between switches`, got, `one for all, as switches.fastCnp.${key}`,
      `${where}.fastCnp.${key}`);
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

export function settleHosts(spec: HostSpec, fidelity: Fidelity, anyFastCnp: boolean): ValidHost {
  checkMtu(spec, fidelity, 'mtuBytes', 'hosts.mtuBytes');
  return { ...DEFAULT_HOSTS[fidelity], acceptFastCnp: anyFastCnp, ...spec };
}

function checkMtu({ mtuBytes }: HostOverrideSpec, fidelity: Fidelity, what: string, where: string): void {
  if (fidelity === 'reference' || mtuBytes === undefined || (mtuBytes >= MTU_MIN_BYTES && mtuBytes <= MTU_MAX_BYTES)) {
    return;
  }
  refuseScenario(`${what} is no payload of InfiniBand`, mtuBytes,
    `a whole number from ${MTU_MIN_BYTES} to ${MTU_MAX_BYTES} under fidelity standard`, where);
}
