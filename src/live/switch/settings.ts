/**
 * The settings of an emulated switch: one switch of a compiled scenario, with all defaults filled in. Units as everywhere:
 * picoseconds, bits per second, bytes.
 */
import { RoceError } from '../../errors.js';
import type { IcrcPolicy } from '../../wire/roce/icrc.js';
import type { NetworkPlan, PortPlan } from '../../sim/plan.js';
import { addressOfNode, macOfPort } from '../../switching/network-addresses.js';
import type { LossyPoolSizes } from '../../switching/lossy-pool.js';
import { icrcPolicyOf } from '../../switching/hop-trace.js';
import { timesSetAside } from '../../switching/set-aside.js';

/** A port of the switch: settings of the plan's port, and the faults of its link in both directions. */
export interface SwitchPortSettings extends
  Pick<
    PortPlan,
    'rateBps' | 'delayPs' | 'headroomBytes' | 'thresholdShift' | 'ecn' | 'kminBytes' | 'kmaxBytes' | 'pmax'
  > {
  /** Index in the plan. */
  readonly index: number;
  /** `s0:h4` and the like. */
  readonly name: string;
  /** Source address of frames that the switch makes. */
  readonly mac: Uint8Array;
  /** Faults of arriving frames. */
  readonly lossIn: LinkLosses;
  /** Faults of departing frames. */
  readonly lossOut: LinkLosses;
}

/** Shares that a link loses or damages, 0 to 1. */
export type LinkLosses = Pick<PortPlan, 'dataLoss' | 'ackLoss' | 'cnpLoss' | 'corruption'>;

/** Configured reordering. */
export interface Reordering {
  /** Share of frames, 0 to 1. */
  readonly share: number;
  /** Additional delay. */
  readonly delayPs: number;
}

/** The route of an address, and the capabilities of its host. */
export interface HostEntry {
  /** 16 bytes; IPv4 as mapped. */
  readonly address: Uint8Array;
  /** Port of the switch, from 0. */
  readonly port: number;
  /** Whether it accepts Fast CNPs. Otherwise its packets are marked. */
  readonly takesFastCnps: boolean;
}

/** One switch. */
export interface SwitchSettings {
  readonly name: string;
  /** Index in the plan; random numbers of Fast CNPs depend on it. */
  readonly node: number;
  readonly seed: number;
  /** Its loopback: source of Fast CNPs. */
  readonly address: Uint8Array;
  readonly ports: readonly SwitchPortSettings[];
  readonly hosts: readonly HostEntry[];
  readonly bufferBytes: number;
  readonly reservedBytes: number;
  readonly resumeOffsetBytes: number;
  /** Bit c: memory is set aside for class c. If absent: for all, once. */
  readonly guaranteedClasses: number | undefined;
  readonly timesSetAside: number;
  readonly pool: LossyPoolSizes | undefined;
  readonly pfc: boolean;
  readonly markAt: 'dequeue' | 'enqueue';
  readonly markable: 'all' | 'ect';
  /** Bit c: class c is strict. */
  readonly strictClasses: number;
  readonly wireOverheadBytes: number;
  readonly cnpClass: number;
  readonly sendsFastCnps: boolean;
  readonly fastCnp: NetworkPlan['fastCnp'];
  /** Whether it records itself in the traces of data. */
  readonly recordsHops: boolean;
  /** Of the frames that it makes. */
  readonly icrcPolicy: IcrcPolicy;
  readonly reordering: Reordering | undefined;
}

/** Settings that a scenario leaves open. */
export interface SwitchOptions {
  /** Name of the switch. Default: the only one. */
  readonly node?: string;
  /** Default: no reordering. */
  readonly reordering?: Reordering;
  /** Addresses of hosts by name, instead of `addressOfNode`. */
  readonly addresses?: ReadonlyMap<string, Uint8Array>;
}

/**
 * The settings of one switch of a plan.
 *
 * @throws RoceError `invalid-argument` for an unknown switch, or for no name when there are several; `unsupported` for plans
 * whose fidelity is not `standard`, and for settings without emulation.
 */
export function switchSettings(plan: NetworkPlan, options: SwitchOptions = {}): SwitchSettings {
  requireEmulated(plan);
  const node = nodeNamed(plan, options.node);
  const { name, firstPort, portCount, bufferBytes, pfc, fastCnp: sendsFastCnps } = plan.nodes[node];
  const { rules, seed, fastCnp, pools } = plan;
  return {
    name,
    node,
    seed,
    address: addressOfNode(node),
    ports: Array.from({ length: portCount }, (_, local) => portSettings(plan, firstPort + local)),
    hosts: hostEntries(plan, node, options.addresses),
    bufferBytes: bufferBytes - (pools?.lossyBytes ?? 0),
    reservedBytes: rules.reservedBytes,
    resumeOffsetBytes: rules.resumeOffsetBytes,
    guaranteedClasses: rules.guaranteedClasses,
    timesSetAside: timesSetAside(rules),
    pool: pools,
    pfc,
    markAt: rules.markAt,
    markable: rules.markable,
    strictClasses: rules.strictClasses,
    wireOverheadBytes: rules.wireOverheadBytes,
    cnpClass: rules.cnpClass,
    sendsFastCnps,
    fastCnp,
    recordsHops: rules.telemetry !== 'none',
    icrcPolicy: icrcPolicyOf(rules.telemetry),
    reordering: options.reordering,
  };
}

function requireEmulated(plan: NetworkPlan): void {
  const { fidelity, wan, balancing, hazards } = plan;
  if (fidelity !== 'standard') {
    throw new RoceError('unsupported', { what: 'fidelity', got: fidelity, allowed: 'standard', where: 'fidelity' });
  }
  const left = { 'switches.loadBalancing': balancing, 'tunnels of a WAN': wan, 'faults of PFC, watchdogs': hazards };
  for (const [what, value] of Object.entries(left)) {
    if (value === undefined) continue;
    throw new RoceError('unsupported', { what: `an emulated switch with ${what}`, where: 'scenario' });
  }
}

function nodeNamed({ nodes }: NetworkPlan, wanted: string | undefined): number {
  const switches = nodes.flatMap(({ kind }, node) => (kind === 'switch' ? [node] : []));
  const names = switches.map((node) => nodes[node].name);
  const [first] = switches;
  if (wanted === undefined && switches.length === 1) return first;
  const found = switches.find((node) => nodes[node].name === wanted);
  if (found !== undefined) return found;
  throw new RoceError('invalid-argument', {
    what: 'the name of the switch',
    got: wanted,
    allowed: names,
    where: 'node',
  });
}

function portSettings({ ports, nodes }: NetworkPlan, index: number): SwitchPortSettings {
  const port = ports[index];
  const peer = ports[port.peerPort];
  const { rateBps, delayPs, headroomBytes, thresholdShift, ecn, kminBytes, kmaxBytes, pmax } = port;
  const name = `${nodes[port.node].name}:${nodes[peer.node].name}`;
  const own = { rateBps, delayPs, headroomBytes, thresholdShift, ecn, kminBytes, kmaxBytes, pmax };
  return { ...own, index, name, mac: macOfPort(index), lossIn: lossesOf(peer), lossOut: lossesOf(port) };
}

function lossesOf({ dataLoss, ackLoss, cnpLoss, corruption }: PortPlan): LinkLosses {
  return { dataLoss, ackLoss, cnpLoss, corruption };
}

/** The first of the shortest paths: among several, the choice is left to the real switch's hash. */
function hostEntries({ nodes, routes, groups }: NetworkPlan, node: number,
  addresses: ReadonlyMap<string, Uint8Array> | undefined): HostEntry[] {
  return nodes.flatMap(({ kind, name, fastCnp }, host) => {
    const group = kind === 'host' ? routes.group(node, host) : -1;
    if (group < 0) return [];
    const address = addresses?.get(name) ?? addressOfNode(host);
    return [{ address, port: groups[group][0] - nodes[node].firstPort, takesFastCnps: fastCnp }];
  });
}
