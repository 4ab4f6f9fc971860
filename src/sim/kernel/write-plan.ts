/** Writes a network plan into the kernel's memory: nodes, ports, flows, rules, and the parts of features. */
import { TELEMETRY_EXACT, TELEMETRY_INT64, TELEMETRY_NONE } from '../../abi/ack-layout.js';
import { CP_SWITCH_ENABLED, CP_SWITCH_MARK_WHEN_LIMITED } from '../../abi/codes.js';
import { CONGESTION_POINT, TOKEN_BUCKET } from '../../abi/records/congestion-point.js';
import { writeFields, writeSlots } from '../../abi/records/define-record.js';
import { SIM_RULE, type RuleValues } from '../../abi/records/sim-run.js';
import { SIM_CONGESTION_POINTS, SIM_FLOWS, SIM_NODES, SIM_NONE, SIM_PORTS, SIM_RULES,
  SIM_STARTS } from '../../abi/sim-codes.js';
import { KERNEL_PARTS, slotShift } from './kernel-parts.js';
import { factsOf } from '../../config/algorithms/registry.js';
import type { NetworkPlan, NodePlan, PortPlan } from '../plan.js';
import { timerHostOf } from '../features/verbs/compile.js';
import { timesSetAside } from '../../switching/shared-buffer.js';
import type { MessageLayout } from '../features/messages/compile.js';
import type { PlanLayouts } from './kernel-part.js';
import type { Steps } from '../steps.js';
import { recordAt, type SimAbi } from './sim-abi.js';
import { writeMessages } from '../features/messages/memory.js';
import { writeRoutes } from './write-routes.js';
import { writeAddedTransport } from '../features/transports/memory.js';
import { ECN_PLAIN, ECN_TUNNELS, SIM_FLOW, SIM_NODE, SIM_PORT, TIMEOUT_IDLE, TIMEOUT_OFF,
  WINDOW_MODE_NONE } from '../../abi/records/network.js';

const TELEMETRY = { none: TELEMETRY_NONE, int64: TELEMETRY_INT64, exact: TELEMETRY_EXACT };
const ALL_CLASSES = 0xff;
const INT64_HOPS = 5;
const EXACT_HOPS_MAX = 16;

/** Writes the plan. The engine's QPs must be open, flow i as QP i. @param captured CAPTURE_* bits of each traced port. */
export function* writePlanSteps(abi: SimAbi, plan: NetworkPlan, captured: ReadonlyMap<number, number>,
  layouts: PlanLayouts): Steps<void> {
  const writer = new PlanWriter(abi);
  yield* writeRoutes(abi, plan);
  writer.nodes(plan);
  yield;
  plan.ports.forEach((port, index) => {
    writer.port(plan, port, index, captured.get(index) ?? 0);
  });
  yield;
  writer.flows(plan, layouts.messages);
  yield;
  writer.rules(plan);
  writer.rulesOfFeatures(plan);
  for (const { write } of KERNEL_PARTS) write?.(abi, plan, layouts);
}

/** Number of telemetry records that fit in a packet. */
function telemetryHops({ rules: { telemetry }, mostSwitches = EXACT_HOPS_MAX }: NetworkPlan): number {
  if (telemetry === 'none') return 0;
  return telemetry === 'int64' ? INT64_HOPS : Math.min(EXACT_HOPS_MAX, Math.max(1, mostSwitches));
}

/** Rules of HPCC-PINT, whose parameters all flows share. */
function pintRules({ parameterSets, rules: { pintRttPs = 0 } }: NetworkPlan): RuleValues {
  const [pint] = parameterSets.flatMap((parameterSet) => factsOf(parameterSet).pint?.(parameterSet) ?? []);
  return { pintRttPs, pintBase: pint?.pintBase ?? 2, pintMax: 2 ** (pint?.pintBits ?? 8) - 1 };
}

/** Whether a flow belongs to a job, whose operation starts it. */
function isOfJob({ jobs = [] }: NetworkPlan, flow: number): boolean {
  return jobs.some(({ firstFlow, flows }) => flow >= firstFlow && flow < firstFlow + flows);
}

/** Number of flows that may be in each port's list. */
function flowsByPort({ ports, nodes, flows, reservedPerHost }: NetworkPlan): Uint32Array {
  if (reservedPerHost !== undefined)
    return Uint32Array.from(ports, ({ node }) => (nodes[node]?.kind === 'host' ? reservedPerHost : 0));
  const counts = new Uint32Array(ports.length);
  for (const port of flows.sourcePort) counts[port] = (counts[port] ?? 0) + 1;
  return counts;
}

/** Writes flow `index` of a changed plan into a kernel in which it has not started. */
export function writeAddedFlow(abi: SimAbi, plan: NetworkPlan, index: number): void {
  new PlanWriter(abi).addedFlow(plan, index);
  writeAddedTransport(abi, plan, index);
}

class PlanWriter {
  readonly #abi: SimAbi;
  readonly #view: DataView;
  readonly #u32: Uint32Array;
  readonly #f64: Float64Array;

  constructor(abi: SimAbi) {
    this.#abi = abi;
    this.#view = new DataView(abi.memory.buffer);
    this.#u32 = new Uint32Array(abi.memory.buffer);
    this.#f64 = new Float64Array(abi.memory.buffer);
  }

  nodes(plan: NetworkPlan): void {
    let row = 0;
    let congestionPoint = this.#region(SIM_CONGESTION_POINTS);
    plan.nodes.forEach((node, index) => {
      const at = this.#region(SIM_NODES) + index * SIM_NODE.bytes;
      this.#node(at, node, row, plan);
      if (node.kind === 'switch') row++;
      if (node.kind === 'host' || !node.fastCnp) return;
      this.#setU32(at + SIM_NODE.at.congestionPoint, congestionPoint);
      this.#congestionPoint(congestionPoint, plan, index);
      congestionPoint += CONGESTION_POINT.bytes + (node.portCount + plan.flows.length) * TOKEN_BUCKET.bytes;
    });
  }

  #node(at: number, node: NodePlan, routeRow: number, { rules, pools }: NetworkPlan): void {
    const { firstPort, portCount, pfc, hashSeed, address } = node;
    writeFields(this.#view, at, SIM_NODE, {
      isSwitch: node.kind === 'switch',
      isAdapter: node.isAdapter === true,
      firstPort,
      portCount,
      // The pool of lossy classes has its own accounting.
      bufferBytes: node.bufferBytes - (pools?.lossyBytes ?? 0),
      pfc,
      congestion: node.fastCnp,
      hashSeed,
      address,
      routeRow,
      cnpDelayPs: node.cnpDelayPs ?? rules.cnpDelayPs,
    });
  }

  #congestionPoint(at: number, plan: NetworkPlan, index: number): void {
    const { markWhenLimited, flowRatePerSecond, flowBurst, portRatePerSecond, portBurst } = plan.fastCnp;
    writeFields(this.#view, at, CONGESTION_POINT, {
      flowRatePerSecond,
      flowBurst,
      portRatePerSecond,
      portBurst,
      switches: CP_SWITCH_ENABLED | (markWhenLimited ? CP_SWITCH_MARK_WHEN_LIMITED : 0),
      seed: (plan.seed + index) >>> 0,
    });
  }

  port(plan: NetworkPlan, port: PortPlan, index: number, captured: number): void {
    const first = plan.nodes[port.node]?.firstPort ?? 0;
    const { node, rateBps, delayPs, thresholdShift, headroomBytes, kminBytes, kmaxBytes, pmax } = port;
    const { dataLoss, ackLoss, cnpLoss, corruption } = port;
    writeFields(this.#view, recordAt(this.#abi, SIM_PORTS, SIM_PORT, index), SIM_PORT, {
      node,
      peer: port.peerPort,
      rateBps,
      delayPs,
      ecn: port.ecn ? (plan.wan === undefined ? ECN_PLAIN : ECN_TUNNELS) : 0,
      thresholdShift,
      headroomBytes,
      number: index - first,
      kminBytes,
      kmaxBytes,
      pmax,
      dataLoss,
      ackLoss,
      cnpLoss,
      corruption,
      captured,
    });
  }

  flows(plan: NetworkPlan, messages: MessageLayout | undefined): void {
    const counts = flowsByPort(plan);
    let list = 0;
    counts.forEach((count, port) => {
      this.#setU32(this.#region(SIM_PORTS) + port * SIM_PORT.bytes + SIM_PORT.at.list, list);
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

  /** Writes the record of an added flow. */
  addedFlow(plan: NetworkPlan, index: number): void {
    this.#flow(plan, index, this.#flowAt(index), factsOf(plan.parameterSets[plan.flows.parameterSet[index]]));
  }

  #flow(plan: NetworkPlan, index: number, at: number, facts: ReturnType<typeof factsOf> | undefined): void {
    const { flows } = plan;
    this.#setU32(at + SIM_FLOW.at.source, flows.source[index]);
    this.#setU32(at + SIM_FLOW.at.destination, flows.destination[index]);
    this.#setU32(at + SIM_FLOW.at.sourcePort, flows.sourcePort[index]);
    this.#setU32(at + SIM_FLOW.at.responsePort, flows.responsePort[index]);
    this.#setF64(at + SIM_FLOW.at.sizeBytes, flows.sizeBytes[index]);
    this.#setF64(at + SIM_FLOW.at.startPs, flows.startPs[index]);
    this.#setU32(at + SIM_FLOW.at.firstDependent, SIM_NONE);
    this.#setU32(at + SIM_FLOW.at.nextDependent, SIM_NONE);
    this.#setU32(at + SIM_FLOW.at.dataClass, flows.dataClass[index]);
    this.#setU32(at + SIM_FLOW.at.ackClass, flows.ackClass[index]);
    this.#setU32(at + SIM_FLOW.at.udpPorts, (flows.udpSourcePort[index] << 16) | flows.udpDestinationPort[index]);
    this.#setU32(at + SIM_FLOW.at.algorithm, facts?.code ?? 0);
    this.#setF64(at + SIM_FLOW.at.windowBytes, flows.windowBytes[index]);
    const windowMode = flows.windowBytes[index] > 0 ? flows.windowMode[index] : WINDOW_MODE_NONE;
    const readsTelemetry = plan.rules.telemetry !== 'none' && facts?.telemetry !== undefined;
    this.#setU32(at + SIM_FLOW.at.windowMode, (Number(readsTelemetry) << 16) | windowMode);
    this.#setU32(at + SIM_FLOW.at.headerBytes, flows.headerBytes[index]);
    this.#setU32(at + SIM_FLOW.at.ackBytes, flows.ackBytes[index]);
    this.#setU32(at + SIM_FLOW.at.mtuBytes, plan.nodes[flows.source[index]]?.mtuBytes ?? plan.rules.mtuBytes);
    this.#setF64(at + SIM_FLOW.at.lineRateBps, plan.ports[flows.sourcePort[index]]?.rateBps ?? 0);
    this.#setU32(at + SIM_FLOW.at.qp, index);
    this.#setF64(at + SIM_FLOW.at.firstNotificationPs, -1);
    this.#ofHosts(plan, index, at);
  }

  /** Writes settings that may differ between hosts. */
  #ofHosts(plan: NetworkPlan, index: number, at: number): void {
    const { nodes, rules, flows, lossy } = plan;
    const [destination, pathTimeoutPs] = [flows.destination[index], flows.pathTimeoutPs[index]];
    const timeoutPs = nodes[timerHostOf(plan, index)]?.retransmitTimeoutPs ?? rules.retransmitTimeoutPs;
    this.#setF64(at + SIM_FLOW.at.timeoutPs, timeoutPs);
    // Under `reference-lossy` another record holds the timeout.
    const isOff = timeoutPs === 0 || lossy !== undefined;
    this.#setU32(at + SIM_FLOW.at.timeoutState, isOff ? TIMEOUT_OFF : TIMEOUT_IDLE);
    this.#setF64(at + SIM_FLOW.at.pathTimeoutPs, Number.isNaN(pathTimeoutPs) ? 0 : pathTimeoutPs);
    const receiver = nodes[destination];
    const intervalPs = receiver?.notifies === false ? Infinity : receiver?.cnpIntervalPs ?? rules.cnpIntervalPs;
    this.#setF64(at + SIM_FLOW.at.cnpIntervalPs, intervalPs);
  }

  /** Writes the flows that wait for another one, as linked lists in the order of their indices. */
  #dependents(plan: NetworkPlan): void {
    for (let index = plan.flows.length - 1; index >= 0; index--) {
      const after = plan.flows.after[index];
      if (after < 0) continue;
      const first = this.#flowAt(after) + SIM_FLOW.at.firstDependent;
      this.#setU32(this.#flowAt(index) + SIM_FLOW.at.nextDependent, this.#u32[first >>> 2] ?? SIM_NONE);
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

  rules(plan: NetworkPlan): void {
    const { rules } = plan;
    writeSlots(this.#view, this.#region(SIM_RULES), SIM_RULE, {
      txNs3: rules.txTime === 'ns3',
      wireOverheadBytes: rules.wireOverheadBytes,
      pauseBytes: rules.pauseFrameBytes,
      cnpBytes: rules.cnpBytes,
      fastCnpBytes: rules.fastCnpBytes,
      cnpPackets: rules.notification === 'cnp',
      cnpClass: rules.cnpClass,
      strictClasses: rules.strictClasses,
      markAtEnqueue: rules.markAt === 'enqueue',
      markEctOnly: rules.markable === 'ect',
      telemetry: TELEMETRY[rules.telemetry],
      intMultiplier: rules.intMultiplier,
      nakIntervalPs: rules.nakIntervalPs,
      pacing: rules.pacing,
      resumeOffsetBytes: rules.resumeOffsetBytes,
      reservedBytes: rules.reservedBytes,
      reference: plan.fidelity !== 'standard',
      seed: plan.seed,
      hops: telemetryHops(plan),
      slotShift: slotShift(plan),
      ...pintRules(plan),
      fastCnpTelemetry: plan.fastCnp.option === 2,
      ackPauseClass: rules.ackPauseClass ?? SIM_NONE,
      delayedAckBytes: rules.delayedAck?.upToBytes ?? 0,
      delayedAckChunkBytes: rules.delayedAck?.chunkBytes ?? 1,
      guaranteedClasses: rules.guaranteedClasses ?? ALL_CLASSES,
      timesSetAside: timesSetAside(rules),
      firstComeMask: plan.service === 'first-come' ? SIM_NONE : 0,
    });
  }

  rulesOfFeatures(plan: NetworkPlan): void {
    for (const { rules } of KERNEL_PARTS) {
      if (rules !== undefined) writeSlots(this.#view, this.#region(SIM_RULES), SIM_RULE, rules(plan));
    }
  }

  #flowAt(index: number): number {
    return this.#region(SIM_FLOWS) + index * SIM_FLOW.bytes;
  }

  #region(region: number): number {
    return this.#abi.simRegion(region) >>> 0;
  }

  #setU32(at: number, value: number): void {
    this.#u32[at >>> 2] = value;
  }

  #setF64(at: number, value: number): void {
    this.#f64[at >>> 3] = value;
  }
}
