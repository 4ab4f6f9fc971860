/**
 * The role hosts: RC hosts of a scenario at ports. They send the scenario's flows, paced by their reaction points, and
 * respond to received data, also as notification points.
 *
 * The run ends when every flow with an end here is complete and nothing was received for a second: a peer that missed
 * the last ACK retransmits within that time.
 */
import { checkRecord } from '../../config/field-rules.js';
import type { ScenarioSpec } from '../../sim/index.js';
import { PS_PER_MS, PS_PER_NS } from '../../unit-sizes.js';
import { LAST_PS, startLiveClock, type LiveClock, type FramePort } from '../ports/frame-port.js';
import { requireCallback, requireClock, requirePorts, requireSignal } from '../ports/checks.js';
import { openPortWaiter, type PortWaiter } from '../ports/linux/port-waiter.js';
import { hostsOfChoice, type HostsChoice } from './emulation.js';
import type { HostCounters } from './host.js';
import { HostsDriver, type HostFrame } from './hosts-driver.js';

/** Options of the hosts. */
export interface HostsRoleOptions extends HostsChoice {
  /** Scenario with the hosts and flows. */
  readonly scenario: ScenarioSpec;
  /** The clock that the ports were opened with. Default: a new one. */
  readonly clock?: LiveClock | undefined;
  /** Ends the role. */
  readonly signal?: AbortSignal | undefined;
  /** Called every half second with the results so far. */
  readonly onView?: ((result: HostsResult) => void) | undefined;
  /** Called for each frame received or sent by a host, for records. */
  readonly onFrame?: ((frame: HostFrame) => void) | undefined;
}

const VIEW_PS = 5e11;
const QUIET_PS = 1e12;
const IDLE_MS = 250;

/**
 * Runs hosts until their flows are complete, until the signal, or for 2.5 h, when the clock's range ends.
 *
 * @param ports one for each of `options.hosts`, in the same order; several hosts may share one; they stay open.
 * @throws RoceError `invalid-argument` unless there is a port for each host; for scenario and options as
 * `emulateHosts`.
 * @example
 * const { sending } = await runHosts([await openPacketPort('veth1')], { scenario, hosts: ['h0'], signal });
 */
export async function runHosts(ports: readonly FramePort[], options: HostsRoleOptions): Promise<HostsResult> {
  checkRecord(options, 'options');
  const { scenario, clock: given, signal, onView, onFrame, ...choice } = options;
  if (given !== undefined) requireClock(given);
  requireSignal(signal);
  requireCallback(onView, 'options.onView');
  requireCallback(onFrame, 'options.onFrame');
  const { settings, chosen } = hostsOfChoice(scenario, choice);
  requirePorts(ports, chosen);
  const clock = given ?? startLiveClock();
  const beganNs = clock.nowNs();
  const nodes = new Map(settings.hosts.map(({ name, node }) => [name, node]));
  const driver = new HostsDriver(settings, chosen.map((name, at) => ({ node: nodes.get(name) ?? -1, port: ports[at] })),
    onFrame);
  const meter = new HostsMeter(driver);
  let waiter: PortWaiter | undefined;
  try {
    waiter = await openPortWaiter([...new Set(ports)]);
    await serve(driver, meter, waiter, { signal, onView, nowPs: () => (clock.nowNs() - beganNs) * PS_PER_NS });
    return meter.result();
  } finally {
    waiter?.close();
    driver[Symbol.dispose]();
  }
}

interface Serving extends Pick<HostsRoleOptions, 'signal' | 'onView'> {
  readonly nowPs: () => number;
}

async function serve(driver: HostsDriver, meter: HostsMeter, waiter: PortWaiter,
  { signal, onView, nowPs }: Serving): Promise<void> {
  let [viewPs, lastFramePs] = [VIEW_PS, 0];
  for (let timePs = nowPs(); signal?.aborted !== true && timePs < LAST_PS; timePs = nowPs()) {
    const frames = driver.poll(timePs);
    if (frames > 0) lastFramePs = timePs;
    if (meter.look(timePs) && timePs - lastFramePs > QUIET_PS) return;
    if (onView !== undefined && timePs >= viewPs) {
      viewPs = timePs + VIEW_PS;
      onView(meter.result());
    }
    const idleMs = Math.min(IDLE_MS, Math.floor((driver.hosts.nextEventPs() - timePs) / PS_PER_MS));
    // Lets timers, signals and sockets run, even if frames keep arriving.
    if (frames > 0 || idleMs < 1) await new Promise((resolve) => setImmediate(resolve));
    else await waiter.wait(idleMs);
  }
}

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

/** Measures the results: flows, counters and lateness. */
class HostsMeter {
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
