/** Writes a network plan into the kernel's memory: nodes, ports, flows, rules, and the parts that have separate files. */
import { TELEMETRY_EXACT, TELEMETRY_INT64, TELEMETRY_NONE } from '../../abi/ack-layout.js';
import * as cp from '../../abi/congestion-point-codes.js';
import * as layout from '../../abi/sim-layout.js';
import { SIM_CONGESTION_POINTS, SIM_FLOWS, SIM_LINK_EVENTS, SIM_NODES, SIM_PORTS, SIM_RULES,
  SIM_STARTS } from '../../abi/sim-regions.js';
import { NODE_ROUTE_ROW } from '../../abi/route-layout.js';
import { ECN_PLAIN, ECN_TUNNELS } from '../../abi/wan-layout.js';
import { factsOf } from '../../config/algorithms/registry.js';
import type { NetworkPlan, NodePlan, PortPlan } from '../plan.js';
import { timerHostOf } from '../verbs-plan.js';
import { timesSetAside } from '../../switching/set-aside.js';
import type { MessageLayout } from './message-layout.js';
import type { PlanLayouts } from './plan-layouts.js';
import type { Steps } from '../steps.js';
import type { SimAbi } from './sim-abi.js';
import { connectionRules, writeConnections } from './write-connections.js';
import { writeBalancing } from './write-balancing.js';
import { slotShift } from './write-capacity.js';
import { writeHazards } from './write-hazards.js';
import { writeJobs } from './write-jobs.js';
import { writeMessages } from './write-messages.js';
import { lossyRules, writeLossy } from './write-lossy.js';
import { writePools } from './write-pools.js';
import { writeRoutes } from './write-routes.js';
import { transportRules, writeAddedTransport, writeTransports } from './write-transports.js';
import { writeVerbs } from './write-verbs.js';
import { writeWan } from './write-wan.js';

const TELEMETRY = { none: TELEMETRY_NONE, int64: TELEMETRY_INT64, exact: TELEMETRY_EXACT };
const ALL_CLASSES = 0xff;
const INT64_HOPS = 5;
const EXACT_HOPS_MAX = 16;

/** Writes the plan; the engine's QPs are open: flow i has QP i. @param captured bits of each port that is traced, CAPTURE_*. */
export function* writePlanSteps(abi: SimAbi, plan: NetworkPlan, captured: ReadonlyMap<number, number>,
  { graph, leafPaths, balancing, messages }: PlanLayouts): Steps<void> {
  const writer = new PlanWriter(abi);
  yield* writeRoutes(abi, plan);
  writer.nodes(plan);
  yield;
  plan.ports.forEach((port, index) => {
    writer.port(plan, port, index, captured.get(index) ?? 0);
  });
  yield;
  writer.flows(plan, messages);
  yield;
  writer.linkEvents(plan);
  writer.rules(plan);
  writeLossy(abi, plan, leafPaths);
  writeBalancing(abi, plan, balancing);
  writeTransports(abi, plan);
  writeConnections(abi, plan);
  writeVerbs(abi, plan);
  writeHazards(abi, plan);
  writePools(abi, plan);
  writeWan(abi, plan);
  writeJobs(abi, graph, messages !== undefined);
}

/** Telemetry records that fit in a packet. */
function telemetryHops({ rules: { telemetry }, mostSwitches = EXACT_HOPS_MAX }: NetworkPlan): number {
  if (telemetry === 'none') return 0;
  return telemetry === 'int64' ? INT64_HOPS : Math.min(EXACT_HOPS_MAX, Math.max(1, mostSwitches));
}

/** Its operation starts it. */
function isOfJob({ jobs = [] }: NetworkPlan, flow: number): boolean {
  return jobs.some(({ firstFlow, flows }) => flow >= firstFlow && flow < firstFlow + flows);
}

/** Flows that will join the list of each port. */
function flowsByPort({ ports, nodes, flows, reservedPerHost }: NetworkPlan): Uint32Array {
  if (reservedPerHost !== undefined)
    return Uint32Array.from(ports, ({ node }) => (nodes[node]?.kind === 'host' ? reservedPerHost : 0));
  const counts = new Uint32Array(ports.length);
  for (const port of flows.sourcePort) counts[port] = (counts[port] ?? 0) + 1;
  return counts;
}

/** Writes flow `index` of a plan, which has been changed, into a kernel in which it has not started. */
export function writeAddedFlow(abi: SimAbi, plan: NetworkPlan, index: number): void {
  new PlanWriter(abi).addedFlow(plan, index);
  writeAddedTransport(abi, plan, index);
}

class PlanWriter {
  readonly #abi: SimAbi;
  readonly #u8: Uint8Array;
  readonly #u32: Uint32Array;
  readonly #f64: Float64Array;

  constructor(abi: SimAbi) {
    this.#abi = abi;
    this.#u8 = new Uint8Array(abi.memory.buffer);
    this.#u32 = new Uint32Array(abi.memory.buffer);
    this.#f64 = new Float64Array(abi.memory.buffer);
  }

  nodes(plan: NetworkPlan): void {
    let row = 0;
    let congestionPoint = this.#region(SIM_CONGESTION_POINTS);
    plan.nodes.forEach((node, index) => {
      const at = this.#region(SIM_NODES) + index * layout.NODE_BYTES;
      this.#node(at, node, row, plan);
      if (node.kind === 'switch') row++;
      if (node.kind === 'host' || !node.fastCnp) return;
      this.#setU32(at + layout.NODE_CONGESTION_POINT, congestionPoint);
      this.#congestionPoint(congestionPoint, plan, index);
      congestionPoint += cp.CP_BYTES + (node.portCount + plan.flows.length) * cp.BUCKET_BYTES;
    });
  }

  #node(at: number, node: NodePlan, row: number, { rules: { cnpDelayPs }, pools }: NetworkPlan): void {
    this.#setU32(at + layout.NODE_IS_SWITCH, Number(node.kind === 'switch'));
    this.#setU32(at + layout.NODE_FIRST_PORT, node.firstPort);
    this.#setU32(at + layout.NODE_PORT_COUNT, node.portCount);
    // The pool of lossy classes is counted elsewhere.
    this.#setU32(at + layout.NODE_BUFFER, node.bufferBytes - (pools?.lossyBytes ?? 0));
    this.#setU32(at + layout.NODE_PFC, Number(node.pfc));
    this.#setU32(at + layout.NODE_CONGESTION, Number(node.fastCnp));
    this.#setU32(at + layout.NODE_HASH_SEED, node.hashSeed);
    this.#setU32(at + layout.NODE_ADDRESS, node.address);
    this.#setU32(at + NODE_ROUTE_ROW, row);
    this.#setF64(at + layout.NODE_CNP_DELAY, node.cnpDelayPs ?? cnpDelayPs);
  }

  #congestionPoint(at: number, plan: NetworkPlan, index: number): void {
    const { fastCnp } = plan;
    this.#setF64(at + cp.CP_FLOW_RATE, fastCnp.flowRatePerSecond);
    this.#setF64(at + cp.CP_FLOW_BURST, fastCnp.flowBurst);
    this.#setF64(at + cp.CP_PORT_RATE, fastCnp.portRatePerSecond);
    this.#setF64(at + cp.CP_PORT_BURST, fastCnp.portBurst);
    this.#setU32(at + cp.CP_SWITCHES,
      cp.CP_SWITCH_ENABLED | (fastCnp.markWhenLimited ? cp.CP_SWITCH_MARK_WHEN_LIMITED : 0));
    this.#setU32(at + cp.CP_SEED, (plan.seed + index) >>> 0);
  }

  port(plan: NetworkPlan, port: PortPlan, index: number, captured: number): void {
    const at = this.#region(SIM_PORTS) + index * layout.PORT_BYTES;
    const first = plan.nodes[port.node]?.firstPort ?? 0;
    this.#setU32(at + layout.PORT_NODE, port.node);
    this.#setU32(at + layout.PORT_PEER, port.peerPort);
    this.#setF64(at + layout.PORT_RATE, port.rateBps);
    this.#setF64(at + layout.PORT_DELAY, port.delayPs);
    this.#setU8(at + layout.PORT_ECN, port.ecn ? (plan.wan === undefined ? ECN_PLAIN : ECN_TUNNELS) : 0);
    this.#setU8(at + layout.PORT_SHIFT, port.thresholdShift);
    this.#setU32(at + layout.PORT_HEADROOM, port.headroomBytes);
    this.#setU32(at + layout.PORT_NUMBER, index - first);
    this.#setF64(at + layout.PORT_KMIN, port.kminBytes);
    this.#setF64(at + layout.PORT_KMAX, port.kmaxBytes);
    this.#setF64(at + layout.PORT_PMAX, port.pmax);
    this.#setF64(at + layout.PORT_DATA_LOSS, port.dataLoss);
    this.#setF64(at + layout.PORT_ACK_LOSS, port.ackLoss);
    this.#setF64(at + layout.PORT_CNP_LOSS, port.cnpLoss);
    this.#setF64(at + layout.PORT_CORRUPTION, port.corruption);
    this.#setU8(at + layout.PORT_CAPTURED, captured);
  }

  flows(plan: NetworkPlan, messages: MessageLayout | undefined): void {
    const counts = flowsByPort(plan);
    let list = 0;
    counts.forEach((count, port) => {
      this.#setU32(this.#region(SIM_PORTS) + port * layout.PORT_BYTES + layout.PORT_LIST, list);
      list += count;
    });
    const facts = plan.parameterSets.map(factsOf);
    if (messages !== undefined) {
      writeMessages(this.#abi, plan, messages, (message, at) => {
        this.#flow(plan, message, at, facts[plan.flows.parameterSet[message]]);
      });
      return;
    }
    for (let index = 0; index < plan.flows.length; index++)
      this.#flow(plan, index, this.#flowAt(index), facts[plan.flows.parameterSet[index]]);
    if (plan.reservedPerHost !== undefined) return;
    this.#dependents(plan);
    this.#starts(plan);
  }

  /** The record of a flow that is added. */
  addedFlow(plan: NetworkPlan, index: number): void {
    this.#flow(plan, index, this.#flowAt(index), factsOf(plan.parameterSets[plan.flows.parameterSet[index]]));
  }

  #flow(plan: NetworkPlan, index: number, at: number, facts: ReturnType<typeof factsOf> | undefined): void {
    const { flows } = plan;
    this.#setU32(at + layout.FLOW_SOURCE, flows.source[index]);
    this.#setU32(at + layout.FLOW_DESTINATION, flows.destination[index]);
    this.#setU32(at + layout.FLOW_SOURCE_PORT, flows.sourcePort[index]);
    this.#setU32(at + layout.FLOW_RESPONSE_PORT, flows.responsePort[index]);
    this.#setF64(at + layout.FLOW_SIZE, flows.sizeBytes[index]);
    this.#setF64(at + layout.FLOW_START, flows.startPs[index]);
    this.#setU32(at + layout.FLOW_FIRST_DEPENDENT, layout.SIM_NONE);
    this.#setU32(at + layout.FLOW_NEXT_DEPENDENT, layout.SIM_NONE);
    this.#setU32(at + layout.FLOW_DATA_CLASS, flows.dataClass[index]);
    this.#setU32(at + layout.FLOW_ACK_CLASS, flows.ackClass[index]);
    this.#setU32(at + layout.FLOW_UDP_PORTS, (flows.udpSourcePort[index] << 16) | flows.udpDestinationPort[index]);
    this.#setU32(at + layout.FLOW_ALGORITHM, facts?.code ?? 0);
    this.#setF64(at + layout.FLOW_WINDOW, flows.windowBytes[index]);
    const windowMode = flows.windowBytes[index] > 0 ? flows.windowMode[index] : layout.WINDOW_MODE_NONE;
    const readsTelemetry = plan.rules.telemetry !== 'none' && facts?.telemetry !== undefined;
    this.#setU32(at + layout.FLOW_WINDOW_MODE, (Number(readsTelemetry) << 16) | windowMode);
    this.#setU32(at + layout.FLOW_HEADER, flows.headerBytes[index]);
    this.#setU32(at + layout.FLOW_ACK_BYTES, flows.ackBytes[index]);
    this.#setU32(at + layout.FLOW_MTU, plan.nodes[flows.source[index]]?.mtuBytes ?? plan.rules.mtuBytes);
    this.#setF64(at + layout.FLOW_LINE_RATE, plan.ports[flows.sourcePort[index]]?.rateBps ?? 0);
    this.#setU32(at + layout.FLOW_QP, index);
    this.#setF64(at + layout.FLOW_FIRST_NOTIFICATION, -1);
    this.#ofHosts(plan, index, at);
  }

  /** Settings in which hosts may differ. */
  #ofHosts(plan: NetworkPlan, index: number, at: number): void {
    const { nodes, rules, flows, lossy } = plan;
    const [destination, pathTimeoutPs] = [flows.destination[index], flows.pathTimeoutPs[index]];
    const timeoutPs = nodes[timerHostOf(plan, index)]?.retransmitTimeoutPs ?? rules.retransmitTimeoutPs;
    this.#setF64(at + layout.FLOW_TIMEOUT, timeoutPs);
    // Under `reference-lossy` the timer is kept elsewhere.
    const isOff = timeoutPs === 0 || lossy !== undefined;
    this.#setU32(at + layout.FLOW_TIMEOUT_STATE, isOff ? layout.TIMEOUT_OFF : layout.TIMEOUT_IDLE);
    this.#setF64(at + layout.FLOW_PATH_TIMEOUT, Number.isNaN(pathTimeoutPs) ? 0 : pathTimeoutPs);
    const receiver = nodes[destination];
    const intervalPs = receiver?.notifies === false ? Infinity : receiver?.cnpIntervalPs ?? rules.cnpIntervalPs;
    this.#setF64(at + layout.FLOW_CNP_INTERVAL, intervalPs);
  }

  /** Flows that wait for another one, as chains in the order of their indices. */
  #dependents(plan: NetworkPlan): void {
    for (let index = plan.flows.length - 1; index >= 0; index--) {
      const after = plan.flows.after[index];
      if (after < 0) continue;
      const first = this.#flowAt(after) + layout.FLOW_FIRST_DEPENDENT;
      this.#setU32(this.#flowAt(index) + layout.FLOW_NEXT_DEPENDENT, this.#u32[first >>> 2] ?? layout.SIM_NONE);
      this.#setU32(first, index);
    }
  }

  #starts(plan: NetworkPlan): void {
    const { after, startPs } = plan.flows;
    const at = (this.#region(SIM_STARTS) >>> 2) + 1;
    let [count, lastPs, isInOrder] = [0, 0, true];
    for (let flow = 0; flow < plan.flows.length; flow++) {
      if (after[flow] >= 0 || isOfJob(plan, flow)) continue;
      isInOrder &&= startPs[flow] >= lastPs;
      lastPs = startPs[flow];
      this.#u32[at + count++] = flow;
    }
    this.#u32[at - 1] = count;
    if (!isInOrder) this.#u32.subarray(at, at + count).sort((a, b) => startPs[a] - startPs[b] || a - b);
  }

  linkEvents(plan: NetworkPlan): void {
    plan.linkEvents.forEach(({ timePs, port, up }, index) => {
      const at = this.#region(SIM_LINK_EVENTS) + index * layout.LINK_EVENT_BYTES;
      this.#setF64(at, timePs);
      this.#setU32(at + 8, port);
      this.#setU32(at + 12, Number(up));
    });
  }

  rules(plan: NetworkPlan): void {
    const { rules } = plan;
    const [pint] = plan.parameterSets.flatMap((parameterSet) => factsOf(parameterSet).pint?.(parameterSet) ?? []);
    const values: readonly (readonly [number, number])[] = [
      [layout.RULE_TX_NS3, Number(rules.txTime === 'ns3')],
      [layout.RULE_WIRE_OVERHEAD, rules.wireOverheadBytes],
      [layout.RULE_PAUSE_BYTES, rules.pauseFrameBytes],
      [layout.RULE_CNP_BYTES, rules.cnpBytes],
      [layout.RULE_FAST_CNP_BYTES, rules.fastCnpBytes],
      [layout.RULE_CNP_PACKETS, Number(rules.notification === 'cnp')],
      [layout.RULE_CNP_CLASS, rules.cnpClass],
      [layout.RULE_STRICT_CLASSES, rules.strictClasses],
      [layout.RULE_MARK_AT_ENQUEUE, Number(rules.markAt === 'enqueue')],
      [layout.RULE_MARK_ECT_ONLY, Number(rules.markable === 'ect')],
      [layout.RULE_TELEMETRY, TELEMETRY[rules.telemetry]],
      [layout.RULE_INT_MULTIPLIER, rules.intMultiplier],
      [layout.RULE_NAK_INTERVAL, rules.nakIntervalPs],
      [layout.RULE_PACING, Number(rules.pacing)],
      [layout.RULE_RESUME_OFFSET, rules.resumeOffsetBytes],
      [layout.RULE_RESERVED, rules.reservedBytes],
      [layout.RULE_REFERENCE, Number(plan.fidelity !== 'standard')],
      [layout.RULE_SEED, plan.seed],
      [layout.RULE_HOPS, telemetryHops(plan)],
      [layout.RULE_SLOT_SHIFT, slotShift(plan)],
      [layout.RULE_PINT_RTT, rules.pintRttPs ?? 0],
      [layout.RULE_PINT_BASE, pint?.pintBase ?? 2],
      [layout.RULE_PINT_MAX, 2 ** (pint?.pintBits ?? 8) - 1],
      [layout.RULE_FAST_CNP_TELEMETRY, Number(plan.fastCnp.option === 2)],
      [layout.RULE_ACK_PAUSE_CLASS, rules.ackPauseClass ?? layout.SIM_NONE],
      [layout.RULE_SILENCE, rules.silence?.upToBytes ?? 0],
      [layout.RULE_SILENCE_CHUNK, rules.silence?.chunkBytes ?? 1],
      [layout.RULE_GUARANTEED, rules.guaranteedClasses ?? ALL_CLASSES],
      [layout.RULE_SET_ASIDE, timesSetAside(rules)],
      ...connectionRules(plan),
      ...lossyRules(plan),
      ...transportRules(plan),
      [layout.RULE_FIRST_COME, plan.service === 'first-come' ? layout.SIM_NONE : 0],
    ];
    const at = this.#region(SIM_RULES);
    for (const [rule, value] of values) this.#setF64(at + rule * 8, value);
  }

  #flowAt(index: number): number {
    return this.#region(SIM_FLOWS) + index * layout.FLOW_BYTES;
  }

  #region(region: number): number {
    return this.#abi.simRegion(region) >>> 0;
  }

  #setU8(at: number, value: number): void {
    this.#u8[at] = value;
  }

  #setU32(at: number, value: number): void {
    this.#u32[at >>> 2] = value;
  }

  #setF64(at: number, value: number): void {
    this.#f64[at >>> 3] = value;
  }
}
