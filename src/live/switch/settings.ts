/**
 * The settings of an emulated switch: one switch of a compiled scenario, with all defaults resolved. Units:
 * picoseconds, bits per second, bytes.
 */
import { RoceError } from '../../errors.js';
import type { IcrcPolicy } from '../../wire/roce/icrc.js';
import type { NetworkPlan, PortPlan } from '../../sim/plan.js';
import { addressOfNode, macOfPort } from '../../switching/network-addresses.js';
import { type LossyPoolSizes, timesSetAside } from '../../switching/shared-buffer.js';
import { icrcPolicyOf } from '../../switching/hop-trace.js';

/** A port of the switch: settings of the plan's port, and the faults of its link in both directions. */
export interface SwitchPortSettings extends
  Pick<
    PortPlan,
    'rateBps' | 'delayPs' | 'headroomBytes' | 'thresholdShift' | 'ecn' | 'kminBytes' | 'kmaxBytes' | 'pmax'
  > {
  /** Index of the port in the plan. */
  readonly index: number;
  /** Name such as `s0:h4`. */
  readonly name: string;
  /** Source address of frames made by the switch. */
  readonly mac: Uint8Array;
  /** Faults that frames suffer on arrival over the link. */
  readonly lossIn: LinkLosses;
  /** Faults that departing frames suffer on the link. */
  readonly lossOut: LinkLosses;
}

/** Probabilities that a link loses or corrupts a frame, 0 to 1. */
export type LinkLosses = Pick<PortPlan, 'dataLoss' | 'ackLoss' | 'cnpLoss' | 'corruption'>;

/** Configured reordering. */
export interface Reordering {
  /** Share of frames that are delayed, 0 to 1. */
  readonly share: number;
  /** Additional delay of these frames, picoseconds. */
  readonly delayPs: number;
}

/** The route to a host's address, and the host's capabilities. */
export interface HostEntry {
  /** Address, 16 bytes; IPv4 as IPv4-mapped. */
  readonly address: Uint8Array;
  /** Port of the switch, from 0. */
  readonly port: number;
  /** Whether the host accepts Fast CNPs; otherwise its packets are marked. */
  readonly takesFastCnps: boolean;
}

/** Settings of one switch. */
export interface SwitchSettings {
  readonly name: string;
  /** Index in the plan; random numbers for Fast CNPs depend on it. */
  readonly node: number;
  readonly seed: number;
  /** Loopback address of the switch, the source of its Fast CNPs. */
  readonly address: Uint8Array;
  readonly ports: readonly SwitchPortSettings[];
  readonly hosts: readonly HostEntry[];
  readonly bufferBytes: number;
  readonly reservedBytes: number;
  readonly resumeOffsetBytes: number;
  /** Bit c is set if memory is reserved for class c. If undefined, there is one reserve for all classes. */
  readonly guaranteedClasses: number | undefined;
  readonly timesSetAside: number;
  readonly pool: LossyPoolSizes | undefined;
  readonly pfc: boolean;
  readonly markAt: 'dequeue' | 'enqueue';
  readonly markable: 'all' | 'ect';
  /** Bit c is set if class c is strict. */
  readonly strictClasses: number;
  readonly wireOverheadBytes: number;
  readonly cnpClass: number;
  readonly sendsFastCnps: boolean;
  readonly fastCnp: NetworkPlan['fastCnp'];
  /** Whether the switch adds its record to the IOAM traces of data. */
  readonly recordsHops: boolean;
  /** ICRC policy for frames made by the switch. */
  readonly icrcPolicy: IcrcPolicy;
  readonly reordering: Reordering | undefined;
}

/** Settings that a scenario leaves open. */
export interface SwitchOptions {
  /** Name of the switch; may be omitted if there is only one. */
  readonly node?: string;
  /** Configured reordering. Default: none. */
  readonly reordering?: Reordering;
  /** Addresses of hosts by name, overriding `addressOfNode`. */
  readonly addresses?: ReadonlyMap<string, Uint8Array>;
}

/**
 * Derives the settings of one switch in a plan.
 *
 * @throws RoceError `invalid-argument` for an unknown switch, or a missing name if there are several; `unsupported` for
 * fidelities other than `standard`, and for settings that cannot be emulated.
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

/** Routes to hosts: of several shortest paths, the first; the real switch would choose by its hash. */
function hostEntries({ nodes, routes, groups }: NetworkPlan, node: number,
  addresses: ReadonlyMap<string, Uint8Array> | undefined): HostEntry[] {
  return nodes.flatMap(({ kind, name, fastCnp }, host) => {
    const group = kind === 'host' ? routes.group(node, host) : -1;
    if (group < 0) return [];
    const address = addresses?.get(name) ?? addressOfNode(host);
    return [{ address, port: groups[group][0] - nodes[node].firstPort, takesFastCnps: fastCnp }];
  });
}
