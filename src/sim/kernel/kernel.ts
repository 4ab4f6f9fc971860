/**
 * The simulation kernel as TypeScript code uses it: create it with a plan, run it in slices, read its counters and records.
 *
 * @example
 * const kernel = new SimKernel(plan);
 * while (kernel.run(plan.endPs, 1_000_000) === 'budget') report(kernel.nowPs);
 */
import { checkFields, checkRecord, reject } from '../../config/field-rules.js';
import { QP_MESSAGE } from '../../abi/records/flows.js';
import { FLOW_DONE, FLOW_STARTED, RUN_NO_MEMORY, RUN_NO_RECORD, SIM_FLOW_LOSSES, SIM_FLOWS, SIM_LOSSY_FLOWS,
  SIM_OPERATIONS, SIM_PORTS, SIM_QP_MESSAGES, SIM_TOTALS, SIM_TRACE } from '../../abi/sim-codes.js';
import { readField, readSlot } from '../../abi/records/define-record.js';
import { SIM_TOTAL, type TotalName } from '../../abi/records/sim-run.js';
import type { NetworkPlan } from '../plan.js';
import type { LossFigures, MessageSums, PacketRecord, Totals } from '../result.js';
import { atOnce } from '../steps.js';
import { AddedFlows, setUpSteps } from './set-up.js';
import { AgentControl } from './agent-control.js';
import { ChangingRun } from './changing-run.js';
import { instantiateSim } from './instantiate.js';
import { type SimAbi, rejectMoreMessages, rejectMorePackets, sliceEnd, type SliceEnd } from './sim-abi.js';
import { hashKernel } from './kernel-hash.js';
import { type KernelBuild, type KernelRecord, tracedPorts, SAMPLE_TIMES, type SampleTimes, requireIndex,
  requireNumber } from './kernel-options.js';
import type { GraphLayout } from '../features/jobs/layout.js';
import { layOut } from './kernel-part.js';
import { checkArrays, checkDrained, drainPorts, PORT_SAMPLE_FIELDS, readPorts, type DrainedPorts,
  type PortSample } from './port-samples.js';
import { ConnectionReader, type RawMessage } from '../features/connections/memory.js';
import { HazardReader } from '../features/hazards/memory.js';
import { readJob, type RawJob } from '../features/jobs/memory.js';
import { readMessageSums } from '../features/messages/memory.js';
import { readFlow, readLosses, readLossyFlow, readPort, readSampledTotals, readTotals, sumOf, type LossyFlowCounters,
  type RawFlow, type SampledTotals, type RawPort } from './read-records.js';
import { readTrace, type PauseChange } from './read-trace.js';
import { WanReader } from '../features/wan/memory.js';
import { readDetours } from '../features/balancing/memory.js';
import { readMostPooled } from '../features/pools.js';
import { readTrimming, type RawTrimming } from '../features/trimming.js';
import { readVerb, type VerbFigures } from '../features/verbs/memory.js';
import { LOSSY_FLOW } from '../../abi/records/lossy.js';
import { SIM_FLOW, SIM_PORT } from '../../abi/records/network.js';
import { FLOW_LOSSES } from '../../abi/records/transports.js';

export type { SampledTotals, SliceEnd };

/** Capacity for records of packets and pauses between two slices. */
const TRACE_RECORDS = 16_384;

/** A network in its own instance of sim.wasm, and its clock. */
export class SimKernel {
  #abi: SimAbi;
  readonly #plan: NetworkPlan;
  readonly #graph: GraphLayout;
  /** The maximum queue of each port that `drainPorts` has read and reset. */
  readonly #mostQueueBytes: Float64Array;
  #buffer = new ArrayBuffer(0);
  #memory = new DataView(this.#buffer);
  readonly #packets: PacketRecord[] = [];
  readonly #pauses: PauseChange[] = [];
  readonly #run: ChangingRun;

  /**
   * @param plan a consistent plan, such as `compileScenario` makes.
   * @param record what to record in addition to counters; default: nothing.
   * @param build an instance of sim.wasm; default: a new one of the standard build.
   * @throws RoceError `capacity` if the memory can't be allocated.
   */
  constructor(plan: NetworkPlan, record: KernelRecord = {}, build?: KernelBuild) {
    checkRecord(plan, 'plan');
    checkRecord(record, 'record');
    const { captured = new Set(), pauses = false } = record;
    if (!(captured instanceof Set)) reject({ got: captured, allowed: 'a Set of ports', where: 'record.captured' });
    this.#plan = plan;
    this.#run = new ChangingRun(plan);
    this.#mostQueueBytes = new Float64Array(plan.ports.length);
    this.#abi = build?.abi ?? instantiateSim();
    const layouts = layOut(plan);
    this.#graph = layouts.graph;
    const traced = tracedPorts(plan, captured, pauses);
    const capacity = { packetRecords: traced.size > 0 ? TRACE_RECORDS : 0, rateChanges: build?.rateChanges };
    const { setUp = atOnce, onCustom } = build ?? {};
    setUp(setUpSteps(this.#abi, plan, { layouts, traced, ...capacity, onOpened: (abi) => this.#abi = abi, onCustom }));
  }

  /** Time of the event handled last, picoseconds. */
  get nowPs(): number {
    return this.#abi.simNow();
  }

  /** Events handled so far. */
  get events(): number {
    return this.#total('events');
  }

  /** Transmissions by any port so far. */
  get packetHops(): number {
    return this.#total('hops');
  }

  /** Number of flows that are done. */
  get flowsDone(): number {
    return this.#total('flowsDone');
  }

  /** Number of operations of all jobs, including those that begin jobs. */
  get operations(): number {
    return this.#graph.operations;
  }

  /** Number of operations that are done. */
  get operationsDone(): number {
    return this.#total('operationsDone');
  }

  /** Payload bytes that receivers accepted in order. */
  get bytesDelivered(): number {
    return this.#total('delivered');
  }

  /** Bytes of memory that a packet in flight takes. */
  get packetBytes(): number {
    return this.#abi.simPacketBytes();
  }

  /** Bytes of linear memory. */
  get memoryBytes(): number {
    return this.#abi.memory.buffer.byteLength;
  }

  /**
   * Handles the events before `untilPs`, at most `budget` of them, and applies changes of settings that are due by then.
   *
   * @throws RoceError `capacity` if there is no memory for another packet, or if more messages are active at a time than there
   * are records.
   */
  run(untilPs: number, budget: number): SliceEnd {
    const end = this.#run.run(this.#abi, untilPs, budget);
    if (end === RUN_NO_MEMORY) rejectMorePackets(this.memoryBytes, this.nowPs);
    if (end === RUN_NO_RECORD) rejectMoreMessages(this.recordsUsed);
    return sliceEnd(end);
  }

  /** @internal Adds flows while the kernel runs; undefined: the plan already has all flows. */
  get added(): AddedFlows | undefined {
    return this.#plan.reservedPerHost === undefined ? undefined : new AddedFlows(this.#abi, this.#plan);
  }

  /**
   * Fingerprint of all counters of flows and ports, 16 hexadecimal digits, the same as `roce_sim_hash` in C. @param flowCount
   * number of flows to include; default: all.
   */
  stateHash(flowCount?: number): string {
    if (flowCount !== undefined) requireIndex('flowCount', flowCount, this.#plan.flows.length + 1);
    return hashKernel(this.#abi, this.#plan, flowCount);
  }

  /** Updates integrals over time (queues, pauses) to the last event, or to a later time that no event has passed, picoseconds. */
  account(timePs: number = this.nowPs): void {
    requireNumber('timePs', timePs);
    this.#abi.simAccount(timePs);
  }

  /** Counters of the whole network. */
  totals(): Totals {
    return {
      ...readTotals(this.#view(), this.#abi.simRegion(SIM_TOTALS)),
      marks: this.#portSum('marks'),
      dataMarks: this.#portSum('dataMarks'),
      retransmittedPackets: this.#retransmittedPackets(),
      packetsInFlight: this.#abi.simInFlight() >>> 0,
      bytesInFlight: this.#abi.simBytesInFlight(),
    };
  }

  /** The totals that charts over time need, at a fraction of the cost of `totals()`, for callbacks of samples. */
  sampledTotals(): SampledTotals {
    return {
      ...readSampledTotals(this.#view(), this.#abi.simRegion(SIM_TOTALS)),
      marks: this.#portSum('marks'),
      retransmittedPackets: this.#retransmittedPackets(),
      bytesDelivered: this.bytesDelivered,
    };
  }

  /** Counters of a flow so far. */
  flow(index: number): RawFlow {
    this.#requireFlow('index', index);
    return this.#isMessage(index) ? this.#connections.flow(index) : readFlow(this.#view(), this.#flowAt(index));
  }

  /** Payload of the flow that its receiver accepted in order, bytes. */
  deliveredBytes(flow: number): number {
    this.#requireFlow('flow', flow);
    if (this.#isMessage(flow)) return this.#connections.deliveredBytes(flow);
    return this.#view().getFloat64(this.#abi.simRegion(SIM_FLOWS) + flow * SIM_FLOW.bytes + SIM_FLOW.at.delivered,
      true);
  }

  /** Losses and reordering of a flow so far; all 0 under `reference-lossy`, which counts them in `lossyFlow`. */
  losses(index: number): LossFigures {
    this.#requireFlow('index', index);
    if (this.#isMessage(index)) return this.#connections.losses(index);
    return readLosses(this.#view(), this.#abi.simRegion(SIM_FLOW_LOSSES) + index * FLOW_LOSSES.bytes);
  }

  /** Properties of a flow that is a message of a QP with several; undefined: it has its own QP. */
  message(index: number): RawMessage | undefined {
    this.#requireFlow('index', index);
    return this.#isMessage(index) ? this.#connections.message(index) : undefined;
  }

  /** Additional counters of a flow under fidelity `reference-lossy`; undefined under others. */
  lossyFlow(index: number): LossyFlowCounters | undefined {
    this.#requireFlow('index', index);
    if (this.#plan.lossy === undefined) return undefined;
    return readLossyFlow(this.#view(), this.#abi.simRegion(SIM_LOSSY_FLOWS) + index * LOSSY_FLOW.bytes);
  }

  /** Control by external agents; undefined: the plan has none. */
  get agents(): AgentControl | undefined {
    return this.#plan.agents === true ? new AgentControl(this.#abi, this.#plan) : undefined;
  }

  /** Counters of PFC hazards; undefined: the plan has none. */
  get hazards(): HazardReader | undefined {
    return this.#plan.hazards === undefined ? undefined : new HazardReader(this.#abi);
  }

  /** Counters of packet trimming, indexed by port; empty without trimming. */
  get trimming(): RawTrimming[] {
    return readTrimming(this.#abi, this.#plan);
  }

  /** Counters of tunnels and ARNs; undefined: the plan has no WAN with provider edges. */
  get wan(): WanReader | undefined {
    return this.#plan.wan && new WanReader(this.#abi, this.#plan, this.#plan.wan);
  }

  /** How often a flow has changed its UDP source port on a Fast CNP so far. */
  detours(flow: number): number {
    this.#requireFlow('flow', flow);
    return readDetours(this.#abi, this.#plan, this.#recordOf(flow));
  }

  /** READ requests and RNR NAKs of a flow so far. */
  verb(flow: number): VerbFigures {
    this.#requireFlow('flow', flow);
    return readVerb(this.#abi, this.#plan, flow);
  }

  /** State of the operations of a job. */
  job(index: number): RawJob {
    requireIndex('index', index, this.#graph.jobs.length);
    const { job, firstOperation } = this.#graph.jobs[index];
    return readJob(this.#view(), this.#abi.simRegion(SIM_OPERATIONS) >>> 0, firstOperation, job.graph.length);
  }

  /** Sums over the messages of each job so far; undefined: each flow has its own record. */
  messageSums(): MessageSums[] | undefined {
    const { messageRecords, jobs = [] } = this.#plan;
    if (messageRecords === undefined) return undefined;
    return readMessageSums(this.#abi, this.#view(), jobs.length, this.#total('recordsUsed'));
  }

  /** Number of shared records used so far: the largest number of messages active at a time. */
  get recordsUsed(): number {
    return this.#total('recordsUsed');
  }

  /** Maximum bytes of a switch's pool that lossy queues took beyond their reserves; 0 without pools. */
  mostPooledBytes(node: number): number {
    requireIndex('node', node, this.#plan.nodes.length);
    return this.#plan.pools === undefined ? 0 : readMostPooled(this.#abi, node);
  }

  /** Counters of a port so far. */
  port(index: number): RawPort {
    this.#requirePort('index', index);
    const port = readPort(this.#view(), this.#abi.simRegion(SIM_PORTS) + index * SIM_PORT.bytes);
    return { ...port, maxQueueBytes: Math.max(port.maxQueueBytes, this.#mostQueueBytes[index] ?? 0) };
  }

  /** Bytes that wait at a port. */
  queueBytes(port: number): number {
    this.#requirePort('port', port);
    return readField(this.#view(), this.#abi.simRegion(SIM_PORTS) + port * SIM_PORT.bytes, SIM_PORT, 'queueBytes');
  }

  /**
   * Samples many ports at a time that is not before the last event. Resets `mostQueueBytes`, so that the next sample has the
   * maximum since this one.
   *
   * @param ports indices below `plan.ports.length`.
   * @param into arrays to fill, with one value per port.
   */
  drainPorts(ports: Int32Array, timePs: number, into: DrainedPorts): void {
    requireNumber('timePs', timePs);
    checkDrained(ports, into, this.#plan.ports.length);
    const drain = { view: this.#view(), at: this.#abi.simRegion(SIM_PORTS), most: this.#mostQueueBytes };
    drainPorts(drain, ports, timePs, into);
  }

  /**
   * Samples all ports without resetting anything. @param timePs not before the last event. @param into arrays to fill, with one
   * value per port.
   */
  readPorts(timePs: number, into: PortSample): void {
    requireNumber('timePs', timePs);
    checkArrays(into, PORT_SAMPLE_FIELDS, this.#plan.ports.length);
    readPorts(this.#view(), this.#abi.simRegion(SIM_PORTS), timePs, into);
  }

  /** Whether the flow has begun and is not done. */
  isRunning(flow: number): boolean {
    this.#requireFlow('flow', flow);
    if (this.#isMessage(flow)) return this.#connections.isRunning(flow);
    const flags = this.#view().getUint32(this.#flowAt(flow) + SIM_FLOW.at.flags, true);
    return (flags & (FLOW_STARTED | FLOW_DONE)) === FLOW_STARTED;
  }

  /** Rate of a flow's QP, bits per second, at an instant that no event has passed. */
  rateBps(flow: number, timePs: number): number {
    this.#requireFlow('flow', flow);
    requireNumber('timePs', timePs);
    return this.#abi.simRate(this.#recordOf(flow), timePs);
  }

  /**
   * Jain's fairness index of the rates of the running flows, at an instant that no event has passed; 1 for fewer than two
   * flows. Of more than 1,024 flows, only those that started first count.
   */
  fairness(timePs: number): number {
    requireNumber('timePs', timePs);
    return this.#abi.simFairness(timePs);
  }

  /** The packet records since the last call. */
  drainPackets(): readonly PacketRecord[] {
    this.#readTrace();
    return this.#packets.splice(0);
  }

  /** Pauses and resumes of ports since the last call, if pauses are recorded. */
  drainPauses(): readonly PauseChange[] {
    this.#readTrace();
    return this.#pauses.splice(0);
  }

  /**
   * Makes slices end with `sample` at these instants, ordered among the other events of the instant. Call it once, before the
   * first slice.
   *
   * @throws RoceError `invalid-argument` for times that are not whole picoseconds, or an `everyPs` below 1.
   */
  sampleQueues(times: SampleTimes): void {
    checkFields(times, SAMPLE_TIMES, 'times');
    this.#abi.simSample(times.firstPs, times.everyPs, times.lastPs);
  }

  /** The network that it runs. */
  get plan(): NetworkPlan {
    return this.#plan;
  }

  #isMessage(flow: number): boolean {
    return this.#plan.connections !== undefined && this.#plan.connections.leaderOf[flow] >= 0;
  }

  #flowAt(flow: number): number {
    return this.#abi.simRegion(SIM_FLOWS) + flow * SIM_FLOW.bytes;
  }

  /** The flow whose record has the state of a flow's QP. */
  #recordOf(flow: number): number {
    const leader = this.#plan.connections?.leaderOf[flow] ?? -1;
    return leader < 0 ? flow : leader;
  }

  get #connections(): ConnectionReader {
    const { flows, connections = { leaderOf: new Int32Array(), idleRestartPs: Infinity } } = this.#plan;
    return new ConnectionReader({ abi: this.#abi, view: this.#view(), flows, connections });
  }

  #readTrace(): void {
    const count = this.#abi.simTraceCount();
    if (count === 0) return;
    readTrace(this.#view(), this.#abi.simRegion(SIM_TRACE), count, this.#packets, this.#pauses);
    this.#abi.simClearTrace();
  }

  #requireFlow(where: string, flow: number): void {
    if (this.#plan.messageRecords !== undefined)
      reject({ got: flow, allowed: 'no flow: messages share records', where });
    requireIndex(where, flow, this.#plan.flows.length);
  }

  #requirePort(where: string, port: number): void {
    requireIndex(where, port, this.#plan.ports.length);
  }

  #retransmittedPackets(): number {
    const sums = this.messageSums();
    if (sums !== undefined) return sums.reduce((total, { retransmittedPackets }) => total + retransmittedPackets, 0);
    const { flows: { length }, connections } = this.#plan;
    return this.#sum(SIM_FLOWS, SIM_FLOW.at.retransmitted, length, SIM_FLOW.bytes) +
      (connections ? this.#sum(SIM_QP_MESSAGES, QP_MESSAGE.at.retransmitted, length, QP_MESSAGE.bytes) : 0);
  }

  #portSum(field: 'marks' | 'dataMarks'): number {
    return this.#sum(SIM_PORTS, SIM_PORT.at[field], this.#plan.ports.length, SIM_PORT.bytes);
  }

  #sum(region: number, offset: number, count: number, stride: number): number {
    return sumOf(this.#view(), this.#abi.simRegion(region) + offset, count, stride);
  }

  #total(name: TotalName): number {
    return readSlot(this.#view(), this.#abi.simRegion(SIM_TOTALS), SIM_TOTAL, name);
  }

  /** Memory can grow during a slice, which detaches the previous buffer, so views are created when needed. */
  #view(): DataView {
    if (this.#buffer.byteLength === 0) {
      this.#buffer = this.#abi.memory.buffer;
      this.#memory = new DataView(this.#buffer);
    }
    return this.#memory;
  }
}
