/** Measures the results of emulated hosts at ports: flows, counters and lateness. */
import type { HostCounters } from './host.js';
import type { HostsDriver } from './hosts-driver.js';

/** A flow whose sender is emulated here. */
export interface SendingFlow {
  /** Name of the sending host. */
  readonly from: string;
  /** Name of the receiving host. */
  readonly to: string;
  /** Current congestion control rate, bits per second. */
  readonly rateBps: number;
  /** Packets in the flow; null if it continues until it is stopped. */
  readonly packets: number | null;
  /** Packets sent, including retransmissions. */
  readonly sentPackets: number;
  /** Number of sent packets that were retransmissions. */
  readonly resentPackets: number;
  /** Number of packets acknowledged. */
  readonly acknowledgedPackets: number;
  /** Payload of the acknowledged packets, bytes. */
  readonly acknowledgedBytes: number;
  /** Number of NAKs received for a PSN sequence error. */
  readonly naks: number;
  /** Number of retransmission timeouts. */
  readonly timeouts: number;
  /**
   * Time from its start to its last ACK, picoseconds, as of the loop iteration that handled it; null if it is not
   * complete.
   */
  readonly completionPs: number | null;
}

/** A flow whose receiver is emulated here. */
export interface ReceivingFlow {
  /** Name of the sending host. */
  readonly from: string;
  /** Name of the receiving host. */
  readonly to: string;
  /** Number of packets received in order. */
  readonly deliveredPackets: number;
  /** Payload of the delivered packets, bytes. */
  readonly deliveredBytes: number;
  /** Packets dropped because they were ahead of the expected one. */
  readonly outOfOrderPackets: number;
  /** Number of duplicate packets received. */
  readonly duplicatePackets: number;
}

/** Counters of a host. */
export interface EmulatedHostCounters extends HostCounters {
  /** Name of the host. */
  readonly name: string;
  /** Number of frames sent. */
  readonly sentFrames: number;
  /** Bytes of the sent frames, without FCS. */
  readonly sentBytes: number;
  /** Responses dropped because the response queue was full. */
  readonly droppedResponses: number;
  /** Number of pauses started by received frames, over all classes. */
  readonly pausesReceived: number;
}

/** Results of the hosts. */
export interface HostsResult {
  /** Whether every flow with an end here is complete. */
  readonly isThrough: boolean;
  /** Flows whose sender is here. */
  readonly sending: readonly SendingFlow[];
  /** Flows whose receiver is here. */
  readonly receiving: readonly ReceivingFlow[];
  /** Counters of each host, in the order of the ports. */
  readonly hosts: readonly EmulatedHostCounters[];
  /** Frames rejected by ports. */
  readonly rejected: number;
  /** Maximum lateness of calls to the hosts, picoseconds. */
  readonly maxLagPs: number;
  /** Total link time skipped because of late calls, picoseconds. */
  readonly lostPs: number;
}

export class HostsMeter {
  readonly #driver: HostsDriver;
  readonly #names: ReadonlyMap<number, string>;
  /** Completion time of each sender; NaN if it is not complete. */
  readonly #completionPs: Float64Array;

  constructor(driver: HostsDriver) {
    this.#driver = driver;
    this.#names = new Map(driver.hosts.settings.hosts.map(({ node, name }) => [node, name]));
    this.#completionPs = new Float64Array(driver.hosts.senders.length).fill(NaN);
  }

  /** Records which flows are complete. @returns whether all are. */
  look(timePs: number): boolean {
    const { senders, receivers } = this.#driver.hosts;
    let isThrough = receivers.every(({ flow, responder }) => responder.expected >= flow.packets);
    for (const [at, { flow, requester }] of senders.entries()) {
      if (!requester.isDone) isThrough = false;
      else if (Number.isNaN(this.#completionPs[at])) this.#completionPs[at] = timePs - flow.startPs;
    }
    return isThrough;
  }

  result(): HostsResult {
    const { hosts, nodes, rejected } = this.#driver;
    const { senders, receivers, settings: { shape: { mtuBytes } } } = hosts;
    const sending = senders.map(({ flow, requester, rateBps }, at): SendingFlow => ({
      from: this.#nameOf(flow.source),
      to: this.#nameOf(flow.destination),
      rateBps: rateBps(),
      packets: flow.packets === Infinity ? null : flow.packets,
      sentPackets: requester.sent,
      resentPackets: requester.again,
      acknowledgedPackets: requester.acknowledged,
      acknowledgedBytes: requester.acknowledged * mtuBytes,
      naks: requester.naks,
      timeouts: requester.timeouts,
      completionPs: Number.isNaN(this.#completionPs[at]) ? null : this.#completionPs[at],
    }));
    return {
      isThrough: sending.every(({ completionPs }) => completionPs !== null) &&
        receivers.every(({ flow, responder }) => responder.expected >= flow.packets),
      sending,
      receiving: receivers.map(({ flow, responder }) => ({
        from: this.#nameOf(flow.source),
        to: this.#nameOf(flow.destination),
        deliveredPackets: responder.expected,
        deliveredBytes: responder.expected * mtuBytes,
        outOfOrderPackets: responder.outOfOrder,
        duplicatePackets: responder.duplicates,
      })),
      hosts: nodes.map((node) => this.#countersOf(node)),
      rejected,
      maxLagPs: hosts.maxLagPs,
      lostPs: hosts.lostPs,
    };
  }

  #countersOf(node: number): EmulatedHostCounters {
    const { hosts } = this.#driver;
    const { sentFrames, sentBytes, droppedResponses, pausesReceived } = hosts.nicOf(node);
    return {
      name: this.#nameOf(node),
      ...hosts.countersOf(node),
      sentFrames,
      sentBytes,
      droppedResponses,
      pausesReceived,
    };
  }

  #nameOf(node: number): string {
    return this.#names.get(node) ?? '';
  }
}
