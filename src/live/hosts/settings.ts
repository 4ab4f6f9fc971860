/**
 * Settings of emulated hosts for a compiled scenario: addresses and QPNs match those in captures of simulated networks.
 */
import { READS_ACKS, READS_CNPS, READS_MARKS } from '../../abi/algorithms.js';
import { ALGORITHMS, factsOf, type AlgorithmName, type AlgorithmParameters } from '../../config/algorithms/registry.js';
import { RoceError } from '../../errors.js';
import type { FlowPlan } from '../../sim/flow-plans.js';
import type { NetworkPlan } from '../../sim/plan.js';
import type { LossReaction } from '../../sim/scenario/spec.js';
import { icrcPolicyOf, hopTraceHeader, TRACED_HOPS_MAX } from '../../switching/hop-trace.js';
import type { IcrcPolicy } from '../../wire/roce/icrc.js';
import { addressOfNode, dscpOfClass, macOfPort, receiverQpnOf,
  senderQpnOf } from '../../switching/network-addresses.js';
import type { DataShape } from './qp-frames.js';

/** Settings of one host. */
export interface HostSettings {
  /** Index of the host in the plan. */
  readonly node: number;
  readonly name: string;
  readonly address: Uint8Array;
  readonly mac: Uint8Array;
  /** MAC address of the switch port at the other end of the host's link. */
  readonly peerMac: Uint8Array;
  readonly rateBps: number;
  readonly delayPs: number;
}

/** Settings of one flow: a QP at either end. */
export interface FlowSettings {
  readonly flow: number;
  /** Indices of the hosts in the plan. */
  readonly source: number;
  readonly destination: number;
  readonly senderQpn: number;
  readonly receiverQpn: number;
  readonly trafficClass: number;
  readonly dscp: number;
  readonly udpSourcePort: number;
  readonly parameterSet: number;
  /** Maximum unacknowledged bytes if its algorithm has no window; 0 for no limit. */
  readonly windowBytes: number;
  readonly windowMode: FlowPlan['windowMode'];
  /** Rate of the sender's port. */
  readonly lineRateBps: number;
  /** Number of switches on the flow's first path. */
  readonly pathHops: number;
  readonly lossReaction: LossReaction;
  /** Whether ACKs echo marks as BECN. */
  readonly echoesMarks: boolean;
  readonly startPs: number;
  /** Number of packets; Infinity to continue until the run ends. */
  readonly packets: number;
}

/** Settings of all hosts and flows, and common ones. */
export interface HostsSettings {
  readonly hosts: readonly HostSettings[];
  readonly flows: readonly FlowSettings[];
  readonly shape: DataShape;
  readonly parameterSets: readonly AlgorithmParameters[];
  readonly timeoutPs: number;
  readonly windowPackets: number;
  readonly cnpIntervalPs: number;
  readonly acceptsFastCnps: boolean;
  readonly duplicateWindowPs: number;
  readonly wireOverheadBytes: number;
  /** Whether packets are paced at their QP's rate instead of the port's. */
  readonly pacing: boolean;
  /** Header with space for telemetry in data and ACKs, for algorithms that read it; empty if none does. */
  readonly hopByHop: Uint8Array;
  readonly icrcPolicy: IcrcPolicy;
  /** If a host is called late, it catches up on at most this much time, and skips the rest. */
  readonly catchUpPs: number;
  readonly seed: number;
}

/** Settings that a scenario leaves open. */
export interface HostsOptions {
  /** Flows continue until the run ends, whatever their size. Default false. */
  readonly endless?: boolean;
  /** Number of packets in an RDMA WRITE, 1 to 2^20. Default 64. */
  readonly messagePackets?: number;
  /** An ACK is requested every N packets. Default 1. */
  readonly ackEveryPackets?: number;
  /** Maximum number of unacknowledged packets of a QP, 1 to 2^22. Default 2^22. */
  readonly windowPackets?: number;
  /**
   * If a host is called late, it catches up on at most this much time, picoseconds, and skips the rest. Default 10^9, 1
   * ms.
   */
  readonly catchUpPs?: number;
}

const DEFAULT_MESSAGE_PACKETS = 64;
/** Default window in packets, a quarter of the PSN range. */
const DEFAULT_WINDOW_PACKETS = 2 ** 22;
const DEFAULT_CATCH_UP_PS = 1e9;

/**
 * Derives the settings of the hosts in a plan.
 *
 * @throws RoceError `unsupported` for fidelities other than `standard`, for HPCC-PINT, and for transports other than
 * go-back-N.
 */
export function hostsSettings(plan: NetworkPlan, options: HostsOptions = {}): HostsSettings {
  requireEmulated(plan);
  const {
    endless = false,
    messagePackets = DEFAULT_MESSAGE_PACKETS,
    ackEveryPackets = 1,
    windowPackets = DEFAULT_WINDOW_PACKETS,
    catchUpPs = DEFAULT_CATCH_UP_PS,
  } = options;
  const { nodes, ports, flows, rules, fastCnp, parameterSets, seed } = plan;
  const hosts = nodes.flatMap(({ kind, name, firstPort }, node) => {
    if (kind !== 'host') return [];
    const { peerPort, rateBps, delayPs } = ports[firstPort];
    const macs = { mac: macOfPort(firstPort), peerMac: macOfPort(peerPort) };
    return [{ node, name, address: addressOfNode(node), ...macs, rateBps, delayPs }];
  });
  return {
    hosts,
    flows: Array.from(flows, (flow, index) => ({
      ...flowSettings(plan, flow, index),
      packets: endless ? Infinity : Math.ceil(flow.sizeBytes / rules.mtuBytes),
    })),
    shape: { mtuBytes: rules.mtuBytes, messagePackets, ackEveryPackets },
    parameterSets,
    timeoutPs: rules.retransmitTimeoutPs,
    windowPackets,
    cnpIntervalPs: rules.cnpIntervalPs,
    acceptsFastCnps: fastCnp.accepted,
    duplicateWindowPs: fastCnp.duplicateWindowPs,
    wireOverheadBytes: rules.wireOverheadBytes,
    pacing: rules.pacing,
    hopByHop: telemetryRoom(plan),
    icrcPolicy: icrcPolicyOf(rules.telemetry),
    catchUpPs,
    seed,
  };
}

function flowSettings({ ports, parameterSets, transports, routes, groups, nodes }: NetworkPlan,
  { source, destination, sourcePort, dataClass, udpSourcePort, parameterSet, startPs, windowBytes, windowMode }:
    FlowPlan, flow: number): Omit<FlowSettings, 'packets'> {
  const { traits } = factsOf(parameterSets[parameterSet]);
  let pathHops = 0;
  for (let { node } = ports[ports[sourcePort].peerPort]; nodes[node].kind === 'switch'; pathHops += 1) {
    [{ node }] = groups[routes.group(node, destination)].map((port) => ports[ports[port].peerPort]);
  }
  return {
    flow,
    source,
    destination,
    senderQpn: senderQpnOf(flow),
    receiverQpn: receiverQpnOf(flow),
    trafficClass: dataClass,
    dscp: dscpOfClass(dataClass),
    udpSourcePort,
    parameterSet,
    windowBytes,
    windowMode,
    lineRateBps: ports[sourcePort].rateBps,
    pathHops,
    lossReaction: transports?.kinds[transports.kindOf[flow]].lossReaction ?? 'algorithm',
    echoesMarks: (traits & (READS_ACKS | READS_MARKS | READS_CNPS)) === (READS_ACKS | READS_MARKS),
    startPs,
  };
}

/** Makes a header with space for as many switches as fit in one option; further ones set the overflow flag. */
function telemetryRoom({ rules, mostSwitches = TRACED_HOPS_MAX }: NetworkPlan): Uint8Array {
  if (rules.telemetry === 'none') return new Uint8Array(0);
  return hopTraceHeader(Math.min(mostSwitches, TRACED_HOPS_MAX));
}

function requireEmulated({ fidelity, parameterSets, transports }: NetworkPlan): void {
  if (fidelity !== 'standard') {
    throw new RoceError('unsupported', { what: 'fidelity', got: fidelity, allowed: 'standard', where: 'fidelity' });
  }
  const unwritten = parameterSets.find((parameters) => factsOf(parameters).pint !== undefined);
  if (unwritten !== undefined) {
    throw new RoceError('unsupported', {
      what: 'algorithm of emulated hosts, as no document gives its telemetry a place in a packet',
      got: unwritten.algorithm,
      allowed: Object.keys(ALGORITHMS).filter((name) => ALGORITHMS[name as AlgorithmName].pint === undefined),
      where: 'algorithms',
    });
  }
  const kind = transports?.kinds.find(({ transport }) => transport !== 'go-back-n');
  if (kind === undefined) return;
  const allowed = 'go-back-n';
  throw new RoceError('unsupported', {
    what: 'transport of emulated hosts',
    got: kind.transport,
    allowed,
    where: 'transport',
  });
}
