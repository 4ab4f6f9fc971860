/** What an agent outside the simulation does and sees between two slices: rates and windows of QPs, marking of ports. */
import { QP_AGENT } from '../../abi/records/agents.js';
import { readFields, writeFields } from '../../abi/records/fields.js';
import { FLOW_BYTES, FLOW_DELIVERED, FLOW_DONE, FLOW_FLAGS, FLOW_STARTED, NODE_BYTES, NODE_SHARED_USED, PORT_BYTES,
  PORT_KMAX, PORT_KMIN, PORT_PMAX } from '../../abi/sim-layout.js';
import { SIM_AGENTS, SIM_FLOWS, SIM_NODES, SIM_PORTS } from '../../abi/sim-regions.js';
import { checkFields, checkTogether, inRange, numberIn, orValue, wholeIn } from '../../config/field-rules.js';
import type { NetworkPlan } from '../plan.js';
import { requireIndex, requireNumber } from './kernel-arguments.js';
import { readPortAt, type PortAt } from './read-port-at.js';
import { recordAt } from './record-at.js';
import type { SimAbi } from './sim-abi.js';

/** An agent's rate and window of a QP; null: the algorithm's. */
export interface QpAction {
  /** Bits per second, above 0, at most the line rate of the QP's port. */
  readonly rateBps: number | null;
  /** Bytes that may be in flight, whole, 1 to 2^32 - 1. */
  readonly windowBytes: number | null;
}

/** What a QP's sender has seen since the start. */
export interface RawAgent {
  /** Whether it has started and is not done. */
  readonly running: boolean;
  /** Whether all of it is acknowledged, or its retries are exhausted. */
  readonly done: boolean;
  /** Bytes that may be in flight now; 0: unlimited. */
  readonly windowBytes: number;
  /** Payload that has left, retransmissions included. */
  readonly sentBytes: number;
  /** Payload that is acknowledged. */
  readonly ackedBytes: number;
  /** Payload that has arrived in order at the receiver. */
  readonly deliveredBytes: number;
  /** Payload that has left and is not acknowledged. */
  readonly inFlightBytes: number;
  /** Sum of the round trips of ACKs, picoseconds. */
  readonly rttSumPs: number;
  /** The shortest round trip since the previous read, picoseconds; Infinity: no ACK has arrived. */
  readonly rttMinPs: number;
  /** ACKs and NAKs that have arrived. */
  readonly acks: number;
  /** Those whose data packet was marked. */
  readonly markedAcks: number;
  /** CNPs and Fast CNPs that have arrived, whether the algorithm reacts to them or not. */
  readonly cnps: number;
  /** Packets retransmitted. */
  readonly retransmittedPackets: number;
}

/** Thresholds by which a port marks packets. */
export interface MarkingAction {
  /** Queue from which packets are marked, bytes. */
  readonly kminBytes: number;
  /** Queue from which all are marked, bytes. */
  readonly kmaxBytes: number;
  /** Share of packets marked just below kmaxBytes, 0 to 1. */
  readonly pmax: number;
}

/** What is read of a QP's record. */
const SEEN = [
  'windowNowBytes',
  'retransmitted',
  'sentBytes',
  'ackedBytes',
  'inFlightBytes',
  'rttSumPs',
  'rttMinPs',
  'acks',
  'markedAcks',
  'cnps',
] as const;
const U32_MAX = 2 ** 32 - 1;
const MARKING = {
  kminBytes: numberIn(0, U32_MAX, 'bytes'),
  kmaxBytes: numberIn(0, U32_MAX, 'bytes'),
  pmax: numberIn(0, 1),
};
const KMIN_BELOW_KMAX = {
  fields: ['kminBytes', 'kmaxBytes'],
  problem: 'must not exceed Kmax',
  holds: ({ kminBytes, kmaxBytes }: MarkingAction) => kminBytes <= kmaxBytes,
} as const;

/** Of a kernel whose plan has agents. Valid while the kernel is between two slices. */
export class AgentControl {
  readonly #abi: SimAbi;
  readonly #plan: NetworkPlan;
  #memory = new DataView(new ArrayBuffer(0));

  /** @internal Use `SimKernel.agents`. */
  constructor(abi: SimAbi, plan: NetworkPlan) {
    this.#abi = abi;
    this.#plan = plan;
  }

  /**
   * Sets rate and window of a QP, from the end of the last slice until they are set again. A new rate stretches or shortens the
   * running gap, which is measured from the last packet.
   *
   * @param flow that leads the QP.
   * @throws RoceError `invalid-config` naming the field.
   */
  act(flow: number, action: QpAction): void {
    requireIndex('flow', flow, this.#plan.flows.length);
    const { flows, ports } = this.#plan;
    const { rateBps: max } = ports[flows.sourcePort[flow]];
    checkFields(action, {
      rateBps: orValue(null, inRange({ above: 0, max, unit: 'b/s' })),
      windowBytes: orValue(null, wholeIn(1, U32_MAX, 'bytes')),
    }, 'action');
    writeFields(this.#view(), this.#agentAt(flow), QP_AGENT, {
      rateBps: action.rateBps ?? 0,
      windowBytes: action.windowBytes ?? 0,
    });
    this.#abi.simAct(flow);
  }

  /** What a QP's sender has seen. The read resets `rttMinPs`. @param flow that leads the QP. */
  drain(flow: number): RawAgent {
    requireIndex('flow', flow, this.#plan.flows.length);
    this.#abi.simObserve(flow);
    const [view, at] = [this.#view(), this.#agentAt(flow)];
    const record = this.#region(SIM_FLOWS) + flow * FLOW_BYTES;
    const flags = view.getUint32(record + FLOW_FLAGS, true);
    const { windowNowBytes, retransmitted, ...counters } = readFields(view, at, QP_AGENT, SEEN);
    writeFields(view, at, QP_AGENT, { rttMinPs: Infinity });
    return {
      running: (flags & (FLOW_STARTED | FLOW_DONE)) === FLOW_STARTED,
      done: (flags & FLOW_DONE) !== 0,
      deliveredBytes: view.getFloat64(record + FLOW_DELIVERED, true),
      windowBytes: windowNowBytes,
      retransmittedPackets: retransmitted,
      ...counters,
    };
  }

  /** What a port did up to a time that is not before the last event. */
  port(index: number, timePs: number): PortAt {
    requireIndex('index', index, this.#plan.ports.length);
    requireNumber('timePs', timePs);
    return readPortAt(this.#view(), this.#region(SIM_PORTS) + index * PORT_BYTES, timePs);
  }

  /** Shared buffer of a switch in use, bytes. */
  bufferBytes(node: number): number {
    requireIndex('node', node, this.#plan.nodes.length);
    return this.#view().getUint32(this.#region(SIM_NODES) + node * NODE_BYTES + NODE_SHARED_USED, true);
  }

  /** By which thresholds a port marks. */
  marking(port: number): MarkingAction {
    requireIndex('port', port, this.#plan.ports.length);
    const [view, at] = [this.#view(), this.#region(SIM_PORTS) + port * PORT_BYTES];
    return {
      kminBytes: view.getFloat64(at + PORT_KMIN, true),
      kmaxBytes: view.getFloat64(at + PORT_KMAX, true),
      pmax: view.getFloat64(at + PORT_PMAX, true),
    };
  }

  /**
   * Sets the thresholds of a port, for all packets from now on.
   *
   * @throws RoceError `invalid-config` naming the field.
   */
  mark(port: number, action: MarkingAction): void {
    requireIndex('port', port, this.#plan.ports.length);
    checkTogether(checkFields<MarkingAction>(action, MARKING, 'action'), [KMIN_BELOW_KMAX], 'action');
    const [view, at] = [this.#view(), this.#region(SIM_PORTS) + port * PORT_BYTES];
    view.setFloat64(at + PORT_KMIN, action.kminBytes, true);
    view.setFloat64(at + PORT_KMAX, action.kmaxBytes, true);
    view.setFloat64(at + PORT_PMAX, action.pmax, true);
  }

  #agentAt(flow: number): number {
    return recordAt(this.#abi, SIM_AGENTS, QP_AGENT, flow);
  }

  #region(region: number): number {
    return this.#abi.simRegion(region) >>> 0;
  }

  /** Memory can grow during a slice, which detaches the previous buffer. */
  #view(): DataView {
    const { buffer } = this.#abi.memory;
    if (this.#memory.buffer !== buffer) this.#memory = new DataView(buffer);
    return this.#memory;
  }
}
