/** Actions and observations of an external agent between two slices: rates and windows of QPs, marking of ports. */
import { QP_AGENT } from '../../abi/records/flows.js';
import { readField, readFields, writeFields } from '../../abi/records/define-record.js';
import { FLOW_DONE, FLOW_STARTED, SIM_AGENTS, SIM_FLOWS, SIM_NODES, SIM_PORTS } from '../../abi/sim-codes.js';
import { checkFields, checkTogether, inRange, numberIn, orValue, wholeIn } from '../../config/field-rules.js';
import type { NetworkPlan } from '../plan.js';
import { requireIndex, requireNumber } from './kernel-options.js';
import { readPortAt, type PortAt } from './port-samples.js';
import { recordAt, type SimAbi } from './sim-abi.js';
import { SIM_FLOW, SIM_NODE, SIM_PORT } from '../../abi/records/network.js';

/** The rate and window that an agent sets for a QP; null: the algorithm's. */
export interface QpAction {
  /** Bits per second, above 0, at most the line rate of the QP's port. */
  readonly rateBps: number | null;
  /** Bytes that may be in flight, whole, 1 to 2^32 - 1. */
  readonly windowBytes: number | null;
}

/** Counters of a QP's sender since the start. */
export interface RawAgent {
  /** Whether the flow has started and is not done. */
  readonly running: boolean;
  /** Whether all bytes are acknowledged, or retries are exhausted. */
  readonly done: boolean;
  /** Bytes that may be in flight now; 0: unlimited. */
  readonly windowBytes: number;
  /** Payload sent, including retransmissions. */
  readonly sentBytes: number;
  /** Payload acknowledged. */
  readonly ackedBytes: number;
  /** Payload received in order by the receiver. */
  readonly deliveredBytes: number;
  /** Payload sent and not yet acknowledged. */
  readonly inFlightBytes: number;
  /** Sum of the round trips of ACKs, picoseconds. */
  readonly rttSumPs: number;
  /** The shortest round trip since the previous read, picoseconds; Infinity: no ACK has arrived. */
  readonly rttMinPs: number;
  /** ACKs and NAKs received. */
  readonly acks: number;
  /** ACKs and NAKs whose data packet was marked. */
  readonly markedAcks: number;
  /** CNPs and Fast CNPs received, whether the algorithm reacts to them or not. */
  readonly cnps: number;
  /** Packets retransmitted. */
  readonly retransmittedPackets: number;
}

/** Thresholds by which a port marks packets. */
export interface MarkingAction {
  /** Queue length from which packets are marked, bytes. */
  readonly kminBytes: number;
  /** Queue length from which all packets are marked, bytes. */
  readonly kmaxBytes: number;
  /** Share of packets marked just below kmaxBytes, 0 to 1. */
  readonly pmax: number;
}

/** Fields read from a QP's record. */
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

/** Control and observation of a kernel whose plan has agents. Use it only between two slices. */
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
   * Sets rate and window of a QP, from the end of the last slice until they are set again. A new rate also changes the current
   * gap, counted from the last packet.
   *
   * @param flow the first flow of the QP.
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

  /** Reads the counters of a QP's sender and resets `rttMinPs`. @param flow the first flow of the QP. */
  drain(flow: number): RawAgent {
    requireIndex('flow', flow, this.#plan.flows.length);
    this.#abi.simObserve(flow);
    const [view, at] = [this.#view(), this.#agentAt(flow)];
    const record = recordAt(this.#abi, SIM_FLOWS, SIM_FLOW, flow);
    const flags = readField(view, record, SIM_FLOW, 'flags');
    const { windowNowBytes, retransmitted, ...counters } = readFields(view, at, QP_AGENT, SEEN);
    writeFields(view, at, QP_AGENT, { rttMinPs: Infinity });
    return {
      running: (flags & (FLOW_STARTED | FLOW_DONE)) === FLOW_STARTED,
      done: (flags & FLOW_DONE) !== 0,
      deliveredBytes: readField(view, record, SIM_FLOW, 'delivered'),
      windowBytes: windowNowBytes,
      retransmittedPackets: retransmitted,
      ...counters,
    };
  }

  /** Counters of a port up to a time that is not before the last event. */
  port(index: number, timePs: number): PortAt {
    requireIndex('index', index, this.#plan.ports.length);
    requireNumber('timePs', timePs);
    return readPortAt(this.#view(), recordAt(this.#abi, SIM_PORTS, SIM_PORT, index), timePs);
  }

  /** Shared buffer of a switch in use, bytes. */
  bufferBytes(node: number): number {
    requireIndex('node', node, this.#plan.nodes.length);
    return readField(this.#view(), recordAt(this.#abi, SIM_NODES, SIM_NODE, node), SIM_NODE, 'sharedUsed');
  }

  /** The marking thresholds of a port. */
  marking(port: number): MarkingAction {
    requireIndex('port', port, this.#plan.ports.length);
    const at = recordAt(this.#abi, SIM_PORTS, SIM_PORT, port);
    return readFields(this.#view(), at, SIM_PORT, ['kminBytes', 'kmaxBytes', 'pmax']);
  }

  /**
   * Sets the thresholds of a port, for all packets from now on.
   *
   * @throws RoceError `invalid-config` naming the field.
   */
  mark(port: number, action: MarkingAction): void {
    requireIndex('port', port, this.#plan.ports.length);
    checkTogether(checkFields<MarkingAction>(action, MARKING, 'action'), [KMIN_BELOW_KMAX], 'action');
    const { kminBytes, kmaxBytes, pmax } = action;
    writeFields(this.#view(), recordAt(this.#abi, SIM_PORTS, SIM_PORT, port), SIM_PORT, { kminBytes, kmaxBytes, pmax });
  }

  #agentAt(flow: number): number {
    return recordAt(this.#abi, SIM_AGENTS, QP_AGENT, flow);
  }

  /** Memory can grow during a slice, which detaches the previous buffer. */
  #view(): DataView {
    const { buffer } = this.#abi.memory;
    if (this.#memory.buffer !== buffer) this.#memory = new DataView(buffer);
    return this.#memory;
  }
}
