/** Resolves settings of nodes: defaults, then those of all nodes, then overrides in order. */
import { standardRule } from '../features/balancing/rules.js';
import type { LossyBalancing } from '../features/reference-lossy/plan.js';
import type { Network } from '../topology/network.js';
import { asSettings } from './setting-words.js';
import { DEFAULT_BALANCING, DEFAULT_BUFFER, DEFAULT_HOSTS, DEFAULT_IRN, DEFAULT_MRC, DEFAULT_PATHS, DEFAULT_POOLS,
  DEFAULT_USIDS, DEFAULT_ENTROPY_STATES, DEFAULT_REPS, DEFAULT_SWITCH, DEFAULT_SWITCH_FAST_CNP, DEFAULT_TOLERANT,
  DEFAULT_TRIMMING, DEFAULT_WATCHDOG, MTU_MAX_BYTES, MTU_MIN_BYTES, TRIMMING_ENABLED_WHERE_GIVEN,
  USIDS_ENABLED_WHERE_GIVEN, WATCHDOG_ENABLED_WHERE_GIVEN } from './defaults.js';
import { listNames, rejectScenario, type NodeFinders } from './scenario-error.js';
import type { EcnRateSpec, Fidelity, HostOverrideSpec, HostSpec, OverrideSpec, PathSelection, SwitchSpec, UsidsSpec,
  WatchdogSpec } from './spec.js';
import type { ValidBalancing, ValidFastCnp, ValidHost, ValidPaths, ValidPools, ValidSwitch, ValidTrimming,
  ValidWatchdog } from './valid-scenario.js';

/** Unit of the Local ACK Timeout. */
const LOCAL_ACK_TIMEOUT_US = 4.096;

/** Overlays the settings of `spec` on those of `base`. */
export function resolveSwitch(spec: SwitchSpec, base: ValidSwitch, where: string): ValidSwitch {
  const { enabled, kminKB, kmaxKB, pmax, scaleWithRate, lastHop, byRate } = { ...base.ecn, ...asSettings(spec.ecn) };
  requireOrder({ kminKB, kmaxKB }, `${where}.ecn`);
  (byRate ?? []).forEach((rate, i) => {
    requireOrder(rate, `${where}.ecn.byRate[${i}]`);
  });
  return {
    bufferBytes: spec.bufferBytes ?? base.bufferBytes,
    headroomBytes: spec.headroomBytes ?? base.headroomBytes,
    pfc: spec.pfc ?? base.pfc,
    fastCnp: asSettings(spec.fastCnp)?.enabled ?? base.fastCnp,
    congestionPoint: spec.congestionPoint ?? base.congestionPoint,
    // `paths` has the rule under `reference-lossy`.
    balancingRule: standardRule(spec.loadBalancing) ?? base.balancingRule,
    ecn: { enabled, kminKB, kmaxKB, pmax, scaleWithRate, lastHop, byRate },
    watchdog: resolveWatchdog(asSettings(spec.watchdog), base.watchdog),
  };
}

/** A watchdog that the scenario configures is enabled unless it is disabled explicitly. */
function resolveWatchdog(spec: WatchdogSpec | undefined, base: ValidWatchdog | null): ValidWatchdog | null {
  if (spec === undefined) return base;
  const { enabled = WATCHDOG_ENABLED_WHERE_GIVEN, ...given } = spec;
  return enabled ? { ...DEFAULT_WATCHDOG, ...base, ...given } : null;
}

function requireOrder({ kminKB, kmaxKB }: Pick<EcnRateSpec, 'kminKB' | 'kmaxKB'>, where: string): void {
  if (kminKB <= kmaxKB) return;
  rejectScenario({
    what: 'Kmin',
    problem: 'must not exceed Kmax',
    got: { kminKB, kmaxKB },
    where: `${where}.kminKB`,
    field: 'kminKB',
    settingFault: 'out-of-order',
  });
}

/** The settings of each node; null for hosts. */
export function resolveSwitches(network: Network, spec: SwitchSpec, overrides: readonly OverrideSpec[],
  { named, pathSelection }: {
    readonly named: NodeFinders;
    readonly pathSelection: PathSelection;
  }): (ValidSwitch | null)[] {
  const ofAll = resolveSwitch(spec, DEFAULT_SWITCH, 'switches');
  const adapter = adapterSettings(ofAll, pathSelection);
  const settings: (ValidSwitch | null)[] = network.nodes.map(({ kind }, node) =>
    kind === 'host' ? null : network.planes?.isAdapter[node] === true ? adapter : ofAll
  );
  overrides.forEach((override, i) => {
    const where = `overrides[${i}]`;
    if (override.switch === undefined && override.host === undefined) {
      rejectScenario({ what: 'the override', problem: 'needs settings of switch or host', got: override, where });
    }
    if (override.switch !== undefined) rejectShared(override.switch, `${where}.switch`);
    override.nodes.forEach((name, j) => {
      const place = `${where}.nodes[${j}]`;
      const node = named.node(name, place);
      if (override.switch !== undefined) named.switch(name, place);
      if (override.host !== undefined) named.host(name, place);
      const base = settings[node];
      if (base !== null) settings[node] = resolveSwitch(override.switch ?? {}, base, `${where}.switch`);
    });
  });
  return settings;
}

/**
 * Settings of adapters, which neither mark packets nor send Fast CNPs. If hosts choose a path per packet, the adapter uses the
 * port with the shortest queue, or with entropy states the port of the entropy's plane; otherwise a flow keeps its hashed port.
 */
function adapterSettings(ofAll: ValidSwitch, pathSelection: PathSelection): ValidSwitch {
  const ofEntropies = pathSelection === 'entropy-states' ? 'plane-of-entropy' : 'least-queue';
  return {
    ...ofAll,
    ecn: { ...ofAll.ecn, enabled: false },
    fastCnp: false,
    congestionPoint: null,
    balancingRule: pathSelection === 'flow' ? 'ecmp' : ofEntropies,
  };
}

/** The overridden settings of single hosts, indexed by node; `resolveSwitches` checks the names. */
export function resolveHostOverrides(network: Network, overrides: readonly OverrideSpec[],
  fidelity: Fidelity): (HostOverrideSpec | null)[] {
  const settings = network.nodes.map((): HostOverrideSpec | null => null);
  for (const [i, { nodes, host }] of overrides.entries()) {
    if (host === undefined) continue;
    checkMtu(host, fidelity, `mtuBytes of ${listNames(nodes)}`, `overrides[${i}].host.mtuBytes`);
    const resolved = { ...host, ...resolveTimeout(host, `overrides[${i}].host`) };
    for (const name of nodes) {
      const node = network.nodes.findIndex((one) => one.name === name);
      settings[node] = { ...settings[node], ...resolved };
    }
  }
  return settings;
}

/** Rejects overrides of settings that apply to the whole network, which would be silently ignored. */
function rejectShared(spec: SwitchSpec, where: string): void {
  const shared: [string, unknown][] = [
    ['ecn.markAt', asSettings(spec.ecn)?.markAt],
    ['strictClasses', spec.strictClasses],
    ['buffer', spec.buffer],
    ['pauseTimeUs', spec.pauseTimeUs],
    ['flowletGapUs', spec.flowletGapUs],
    ['drill', spec.drill],
    ['conga', spec.conga],
    ['adaptive', spec.adaptive],
    ['usids', spec.usids],
    ['entropyBits', spec.entropyBits],
    ['conWeave', spec.conWeave],
    ['trimming', spec.trimming],
  ];
  for (const [key, got] of Object.entries({ ...asSettings(spec.fastCnp) })) {
    if (key !== 'enabled') shared.push([`fastCnp.${key}`, got]);
  }
  for (const [key, got] of shared) {
    if (got === undefined) continue;
    const problem = 'must be the same for all switches';
    rejectScenario({ what: key, problem, got, where: `${where}.${key}`, hint: `It is set by switches.${key}` });
  }
}

/** Pools of all switches; null: a single memory. */
export function resolvePools({ buffer = DEFAULT_BUFFER }: SwitchSpec): ValidPools | null {
  if (buffer.model === 'ingress-share') return null;
  const { lossyBytes, losslessClasses, dynamicTh, reservedBytes } = { ...DEFAULT_POOLS, ...buffer };
  return { lossyBytes, losslessClasses, dynamicTh, reservedBytes };
}

/** Packet trimming of all switches; null: none. */
export function resolveTrimming({ trimming }: SwitchSpec): ValidTrimming | null {
  const given = asSettings(trimming);
  if (given === undefined || !(given.enabled ?? TRIMMING_ENABLED_WHERE_GIVEN)) return null;
  const {
    sizeBytes,
    trafficClass,
    dataClasses = null,
    queueBytes = null,
    lastHopQueueBytes = null,
    trimmedQueueBytes = null,
  } = { ...DEFAULT_TRIMMING, ...given };
  return { sizeBytes, trafficClass, dataClasses, queueBytes, lastHopQueueBytes, trimmedQueueBytes };
}

/** Settings of Fast CNPs shared by all switches. */
export function resolveFastCnp(spec: SwitchSpec): ValidFastCnp {
  const { option, flowRatePerSecond, flowBurst, portRatePerSecond, portBurst, markWhenLimited } = {
    ...DEFAULT_SWITCH_FAST_CNP,
    ...asSettings(spec.fastCnp),
  };
  return { option, flowRatePerSecond, flowBurst, portRatePerSecond, portBurst, markWhenLimited };
}

/** Settings shared by all switches under `reference-lossy`. */
export function resolvePaths({ loadBalancing, conWeave, pauseTimeUs }: SwitchSpec): ValidPaths {
  return {
    // `checkBalancing` has verified that the fidelity has this rule.
    loadBalancing: (loadBalancing as LossyBalancing | undefined) ?? DEFAULT_PATHS.loadBalancing,
    conWeave: { ...DEFAULT_PATHS.conWeave, ...conWeave },
    pauseTimeUs: pauseTimeUs ?? DEFAULT_PATHS.pauseTimeUs,
  };
}

/** Load-balancing settings shared by all switches under `standard`. */
export function resolveBalancing(
  { flowletGapUs, drill, conga, adaptive, usids, entropyBits }: SwitchSpec,
): ValidBalancing {
  return {
    flowletGapUs: flowletGapUs ?? DEFAULT_BALANCING.flowletGapUs,
    drill: { ...DEFAULT_BALANCING.drill, ...drill },
    conga: { ...DEFAULT_BALANCING.conga, ...conga },
    adaptive: { ...DEFAULT_BALANCING.adaptive, ...adaptive },
    usids: resolveUsids(asSettings(usids)),
    entropyBits: { ...DEFAULT_BALANCING.entropyBits, ...entropyBits },
  };
}

function resolveUsids(given: UsidsSpec | undefined): ValidBalancing['usids'] {
  if (given === undefined || !(given.enabled ?? USIDS_ENABLED_WHERE_GIVEN)) return null;
  return { block: given.block ?? DEFAULT_USIDS.block };
}

/** The inputs on which defaults of hosts depend. */
interface HostContext {
  readonly fidelity: Fidelity;
  /** Whether any switch sends Fast CNPs. */
  readonly anyFastCnp: boolean;
  /** Whether all flows are messages of jobs, each with its own QP. */
  readonly hasMessagesAlone: boolean;
}

export function resolveHosts(spec: HostSpec, { fidelity, anyFastCnp, hasMessagesAlone }: HostContext): ValidHost {
  checkMtu(spec, fidelity, 'mtuBytes', 'hosts.mtuBytes');
  const service = hasMessagesAlone ? 'first-come' : 'round-robin';
  return {
    ...DEFAULT_HOSTS[fidelity],
    acceptFastCnp: anyFastCnp,
    service,
    ...spec,
    ...resolveTimeout(spec, 'hosts'),
    irn: { ...DEFAULT_IRN, ...spec.irn },
    tolerant: { ...DEFAULT_TOLERANT, ...spec.tolerant },
    mrc: { ...DEFAULT_MRC, ...spec.mrc },
    reps: { ...DEFAULT_REPS, ...spec.reps },
    entropyStates: { ...DEFAULT_ENTROPY_STATES, ...spec.entropyStates },
  };
}

/** Converts IBTA's Local ACK Timeout to a time (vol. 1, 11.2). */
function resolveTimeout({ timeout, retransmitTimeoutUs }: HostOverrideSpec,
  where: string): Pick<HostOverrideSpec, 'retransmitTimeoutUs'> {
  if (timeout === undefined) return {};
  if (retransmitTimeoutUs !== undefined) {
    const got = { timeout, retransmitTimeoutUs };
    rejectScenario({ what: 'the setting', problem: 'has two timeouts', got, where: `${where}.timeout` });
  }
  return { retransmitTimeoutUs: timeout === 0 ? 0 : LOCAL_ACK_TIMEOUT_US * 2 ** timeout };
}

function checkMtu({ mtuBytes }: HostOverrideSpec, fidelity: Fidelity, what: string, where: string): void {
  if (fidelity !== 'standard' || mtuBytes === undefined || (mtuBytes >= MTU_MIN_BYTES && mtuBytes <= MTU_MAX_BYTES)) {
    return;
  }
  const allowed = { min: MTU_MIN_BYTES, max: MTU_MAX_BYTES, multipleOf: 1, unit: 'bytes' };
  rejectScenario({ what: `${what} under fidelity standard`, got: mtuBytes, allowed, where });
}
