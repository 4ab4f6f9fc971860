/**
 * What a run will take, from its plan: data packets, transmissions and memory, each to within a factor of two where nothing is
 * retransmitted.
 *
 *   packets of a flow = ceil(bytes / MTU)
 *   packet hops       = packets * (ports of data + ports of ACKs), a packet acknowledged by one ACK
 *
 *   in flight         = sum of min(bytes, window) * ideal time / time of all flows, at most what switches can hold
 *
 * Bytes are those of the flow; of a run that ends before, what its ports can carry until then. Marks, pauses and CNPs are left out.
 */
import { BITS_PER_BYTE, PS_PER_SECOND } from '../../unit-sizes.js';
import type { NetworkPlan } from '../plan.js';
import type { CompiledScenario } from './compiled-scenario.js';
import type { FlowPaths } from './flow-paths.js';

/** What a run will take. */
export interface RunEstimate {
  /** Flows and messages. */
  readonly flows: number;
  /** Data packets. */
  readonly dataPackets: number;
  /** Transmissions by any port, of data and ACKs. */
  readonly packetHops: number;
  /** Memory of the packets in flight, bytes: in addition to `estimateMemoryBytes`. */
  readonly packetMemoryBytes: number;
  /** First start of a flow, and latest end of the run, picoseconds. */
  readonly startPs: number;
  readonly endPs: number;
}

/** Of a switch's memory, in front of a port, before pauses stop senders. */
const QUEUED_SHARE = 1 / 16;
/** SimPacket, and a switch's record of telemetry (src/abi/records/network.ts). */
const PACKET_BYTES = 64;
const HOP_BYTES = 20;
const TELEMETRY_HOPS_MAX = 16;

/** Estimates a run before it begins; its memory is `estimateMemoryBytes`. */
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

/** By Little's law, were each flow's bytes, or its window, in the network as long as it takes alone. */
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

/** Of a packet in the kernel, with telemetry of each switch if it has any. */
function recordBytes({ rules: { telemetry }, mostSwitches = TELEMETRY_HOPS_MAX }: NetworkPlan): number {
  return PACKET_BYTES + (telemetry === 'none' ? 0 : Math.min(mostSwitches, TELEMETRY_HOPS_MAX) * HOP_BYTES);
}

/** By port: what it can carry until the end of the run, and queue, of what the flows through it want to send; at most 1. */
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

/** Payload that its host can send until the end. */
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

/** Each packet in order is acknowledged, but in flows that acknowledge whole chunks alone. */
function acksPerPacket({ rules: { silence, mtuBytes } }: NetworkPlan, sizeBytes: number): number {
  if (silence === undefined || sizeBytes > silence.upToBytes) return 1;
  return Math.min(1, mtuBytes / silence.chunkBytes);
}
