/**
 * The role hosts: RC hosts of a scenario at ports. They send the scenario's flows, paced by their reaction points, and
 * respond to received data, also as notification points.
 *
 * The run ends when every flow with an end here is complete and nothing was received for a second: a peer that missed
 * the last ACK retransmits within that time.
 */
import { checkRecord } from '../../config/field-rules.js';
import type { ScenarioSpec } from '../../sim/index.js';
import { PS_PER_MS, PS_PER_NS } from '../../units.js';
import { Ipv6 } from '../../wire/ip/ipv6.js';
import { requireCallback, requireClock, requirePorts, requireSignal } from '../ports/checks.js';
import { LAST_PS, startLiveClock, type LiveClock, type FramePort, makeFrameBatch,
  type FrameBatch } from '../ports/frame-port.js';
import { openPortWaiter, type PortWaiter } from '../ports/linux/port-waiter.js';
import { FrameFacts, KIND_MAC_CONTROL } from '../switch/frame-facts.js';
import { EmulatedHosts } from './emulated-hosts.js';
import { hostsOfChoice, type HostsChoice } from './emulation.js';
import type { HostCounters } from './host.js';
import type { HostSettings, HostsSettings } from './settings.js';

/** A host and its port. */
interface HostPort {
  /** Index of the host in the plan. */
  readonly node: number;
  readonly port: FramePort;
}

/** A frame received or sent by a host. */
export interface HostFrame {
  /** Name of the host. */
  readonly host: string;
  /** Whether it was received or sent. */
  readonly direction: 'in' | 'out';
  /** When the role read or sent it, picoseconds since the role started. */
  readonly timePs: number;
  /** Frame without FCS; valid until the callback returns. */
  readonly frame: Uint8Array;
}

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
  readonly isComplete: boolean;
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

const VIEW_PS = 5e11;
const QUIET_PS = 1e12;
const IDLE_MS = 250;
const DESTINATION = Ipv6.offsetOf('destination');

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
    if (meter.record(timePs) && timePs - lastFramePs > QUIET_PS) return;
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
  record(timePs: number): boolean {
    const { senders, receivers } = this.#driver.hosts;
    let isComplete = receivers.every(({ flow, responder }) => responder.expected >= flow.packets);
    for (const [at, { flow, requester }] of senders.entries()) {
      if (!requester.isDone) isComplete = false;
      else if (Number.isNaN(this.#completionPs[at])) this.#completionPs[at] = timePs - flow.startPs;
    }
    return isComplete;
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
      isComplete: sending.every(({ completionPs }) => completionPs !== null) &&
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

/** Connects emulated hosts to ports and wall-clock time: feeds them arrivals, and sends their frames. */
export class HostsDriver implements Disposable {
  readonly hosts: EmulatedHosts;
  /** Frames sent, and frames that a port rejected. */
  sent = 0;
  rejected = 0;
  readonly #ports: ReadonlyMap<number, FramePort>;
  /** Hosts at each distinct port. */
  readonly #nodesAt: ReadonlyMap<FramePort, readonly HostSettings[]>;
  readonly #facts = new FrameFacts();
  readonly #onFrame: ((frame: HostFrame) => void) | undefined;
  #nowPs = 0;
  readonly #batch: FrameBatch = makeFrameBatch({ frames: 256, bytes: 2 ** 21 });

  /** @param at hosts and their ports; several hosts may share a port. */
  constructor(settings: HostsSettings, at: readonly HostPort[], onFrame?: (frame: HostFrame) => void) {
    this.#onFrame = onFrame;
    this.#ports = new Map(at.map(({ node, port }) => [node, port]));
    const byNode = new Map(settings.hosts.map((host) => [host.node, host]));
    const nodesAt = new Map<FramePort, HostSettings[]>();
    for (const [node, port] of this.#ports) {
      const host = byNode.get(node);
      if (host !== undefined) nodesAt.set(port, [...(nodesAt.get(port) ?? []), host]);
    }
    this.#nodesAt = nodesAt;
    this.hosts = new EmulatedHosts(settings, at.map(({ node }) => node), (node, frame) => {
      this.#onFrame?.({ host: byNode.get(node)?.name ?? '', direction: 'out', timePs: this.#nowPs, frame });
      if (this.#ports.get(node)?.send(frame, 0, frame.length) === true) this.sent += 1;
      else this.rejected += 1;
    });
  }

  /** Hosts emulated here, in the order of their ports. */
  get nodes(): readonly number[] {
    return [...this.#ports.keys()];
  }

  /** Handles all arrivals and all work due up to `timePs`. @returns number of frames received. */
  poll(timePs: number): number {
    this.#nowPs = timePs;
    let frames = 0;
    for (const [port, hosts] of this.#nodesAt) frames += this.#receive(hosts, port, timePs);
    this.hosts.run(timePs);
    for (const port of this.#nodesAt.keys()) port.flush();
    return frames;
  }

  [Symbol.dispose](): void {
    this.hosts[Symbol.dispose]();
  }

  #receive(hosts: readonly HostSettings[], port: FramePort, timePs: number): number {
    const batch = this.#batch;
    port.receive(batch);
    for (let index = 0; index < batch.count; index += 1) {
      const at = batch.offsets[index];
      const frame = batch.bytes.subarray(at, at + batch.lenBytes[index]);
      for (const { node, name } of this.#receiversOf(frame, hosts)) {
        this.#onFrame?.({ host: name, direction: 'in', timePs, frame });
        this.hosts.receive(node, frame, timePs);
      }
    }
    return batch.count;
  }

  /**
   * Hosts that receive a frame. A pause applies to all hosts at the port; a frame that matches none goes to the first
   * host.
   */
  #receiversOf(frame: Uint8Array, hosts: readonly HostSettings[]): readonly HostSettings[] {
    if (hosts.length === 1) return hosts;
    const facts = this.#facts;
    facts.read(frame, 0, frame.length);
    if (facts.kind === KIND_MAC_CONTROL) return hosts;
    const at = facts.ipOffset + DESTINATION;
    const own = hosts.filter(({ address }) => address.every((byte, index) => byte === frame[at + index]));
    return facts.ipVersion === 6 && own.length > 0 ? own : hosts.slice(0, 1);
  }
}
