/**
 * Estimates the data packets, transmissions and memory of a run from its plan, each to within a factor of two if nothing is
 * retransmitted.
 *
 *   packets of a flow = ceil(bytes / MTU)
 *   packet hops       = packets * (ports of data + ports of ACKs), a packet acknowledged by one ACK
 *
 *   in flight         = sum of min(bytes, window) * ideal time / time of all flows, at most what switches can hold
 *
 * Bytes are the flow's size, or what its ports can carry until the run ends, if that is less. Marks, pauses and CNPs are
 * ignored.
 */
import { BITS_PER_BYTE, PS_PER_SECOND } from '../../unit-sizes.js';
import type { NetworkPlan } from '../plan.js';
import type { CompiledScenario, FlowPaths } from './compiled-scenario.js';

/** The estimated size of a run. */
export interface RunEstimate {
  /** Flows and messages. */
  readonly flows: number;
  /** Number of data packets. */
  readonly dataPackets: number;
  /** Transmissions of data and ACKs, summed over all ports. */
  readonly packetHops: number;
  /** Memory of the packets in flight, in addition to `estimateMemoryBytes`, bytes. */
  readonly packetMemoryBytes: number;
  /** Start of the first flow and latest end of the run, picoseconds. */
  readonly startPs: number;
  readonly endPs: number;
}

/** Share of a switch's memory that one port's queue takes before pauses stop the senders. */
const QUEUED_SHARE = 1 / 16;
/** Sizes of SimPacket and of a hop's telemetry record (src/abi/records/network.ts). */
const PACKET_BYTES = 64;
const HOP_BYTES = 20;
const TELEMETRY_HOPS_MAX = 16;

/** Estimates a run before it begins. Its memory comes in addition to `estimateMemoryBytes`. */
export function estimateRun({ plan, flowPaths }: Pick<CompiledScenario, 'plan' | 'flowPaths'>): RunEstimate {
  const startPs = plan.flows.startPs.reduce((least, one) => Math.min(least, one), plan.endPs);
  const share = shareOfPorts(plan, flowPaths, plan.endPs - startPs);
  let [dataPackets, packetHops] = [0, 0];
  for (let flow = 0; flow < plan.flows.length; flow++) {
    const path = flowPaths.get(flow);
    const part = path.reduce((least, port) => Math.min(least, share[port]), 1);
    const packets = Math.ceil((part * bytesUntilEnd(plan, flow)) / mtuOf(plan, flow));
    dataPackets += packets;
    packetHops += packets * path.length * (1 + acksPerPacket(plan, plan.flows.sizeBytes[flow]));
  }
  return {
    flows: plan.flows.length,
    dataPackets,
    packetHops,
    packetMemoryBytes: packetsInFlight(plan, startPs) * recordBytes(plan),
    startPs,
    endPs: plan.endPs,
  };
}

/**
 * Mean packets in flight by Little's law, as if each flow's bytes (at most its window) were in the network for its ideal time.
 */
function packetsInFlight(plan: NetworkPlan, startPs: number): number {
  const { flows, nodes, rules } = plan;
  let [byteTimes, lastPs] = [0, startPs];
  for (let flow = 0; flow < flows.length; flow++) {
    const { [flow]: windowBytes } = flows.windowBytes;
    const bytes = bytesUntilEnd(plan, flow);
    byteTimes += (windowBytes > 0 ? Math.min(bytes, windowBytes) : bytes) * flows.idealPs[flow];
    lastPs = Math.max(lastPs, flows.startPs[flow] + flows.idealPs[flow]);
  }
  const heldBytes = nodes.reduce((sum, { kind, bufferBytes }) => sum + (kind === 'switch' ? bufferBytes : 0), 0);
  const bytes = lastPs > startPs ? byteTimes / (lastPs - startPs) : 0;
  return Math.min(bytes, heldBytes) / rules.mtuBytes;
}

/** Bytes of a packet in the kernel, including telemetry per switch if enabled. */
function recordBytes({ rules: { telemetry }, mostSwitches = TELEMETRY_HOPS_MAX }: NetworkPlan): number {
  return PACKET_BYTES + (telemetry === 'none' ? 0 : Math.min(mostSwitches, TELEMETRY_HOPS_MAX) * HOP_BYTES);
}

/** Share of the offered bytes that each port can send or queue before the run ends; at most 1. Indexed by port. */
function shareOfPorts(plan: NetworkPlan, flowPaths: FlowPaths, lengthPs: number): Float64Array {
  const wanted = new Float64Array(plan.ports.length);
  for (let flow = 0; flow < plan.flows.length; flow++) {
    const bytes = bytesUntilEnd(plan, flow);
    for (const port of flowPaths.get(flow)) wanted[port] += bytes;
  }
  return wanted.map((bytes, port) => {
    const { node, rateBps } = plan.ports[port];
    const carriedBytes = bytesIn(lengthPs, rateBps) + plan.nodes[node].bufferBytes * QUEUED_SHARE;
    return bytes > carriedBytes ? carriedBytes / bytes : 1;
  });
}

/** Bytes of a flow that its host can send before the run ends. */
function bytesUntilEnd({ flows, ports, endPs }: NetworkPlan, flow: number): number {
  const { rateBps } = ports[flows.sourcePort[flow]];
  return Math.min(flows.sizeBytes[flow], bytesIn(Math.max(0, endPs - flows.startPs[flow]), rateBps));
}

function bytesIn(timePs: number, rateBps: number): number {
  return (timePs / PS_PER_SECOND) * (rateBps / BITS_PER_BYTE);
}

function mtuOf({ flows, nodes, rules }: NetworkPlan, flow: number): number {
  return nodes[flows.source[flow]].mtuBytes ?? rules.mtuBytes;
}

/** ACKs per data packet: 1, or less in flows that acknowledge only whole chunks. */
function acksPerPacket({ rules: { delayedAck, mtuBytes } }: NetworkPlan, sizeBytes: number): number {
  if (delayedAck === undefined || sizeBytes > delayedAck.upToBytes) return 1;
  return Math.min(1, mtuBytes / delayedAck.chunkBytes);
}
