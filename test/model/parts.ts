/**
 * The parts of hosts, switches and ports that differ between fidelities.
 *
 * A fidelity is an object that makes them (`Parts`): `reference/parts.ts`, `standard/parts.ts`, `lossy/parts.ts`.
 */
import type { RawDeadlock, RawHazardPort, RawVictim } from '../../src/sim/features/hazards/memory.js';
import type { FlowPlan } from '../../src/sim/plan.js';
import type { Port } from './link-ends.js';
import type { RawWanNode, RawWanPort } from '../../src/sim/features/wan/memory.js';
import type { Arn, Packet } from './packet.js';
import type { Retries } from './retries.js';
import type { SendStream } from './send-stream.js';
import type { Trimming } from './standard/trimming.js';

/** Congestion control of one flow, backed by a model of `src/reference/algorithms`. */
export interface CongestionControl {
  /** The rate R in bits per second. */
  readonly rateBps: number;
  /** R after all timers up to this time. */
  rateAt(timePs: number): number;
  /** Returns to the initial state. */
  restart(): void;
  /** Bytes that may be unacknowledged; 0: unlimited. */
  windowBytes(): number;
  /** A packet leaves now; returns the time at which the next one may leave. */
  onSent(timePs: number, lenBytes: number): number;
  /** Handles an ACK or NAK; returns the time at which the next packet may leave, if that has changed. */
  onResponse(flow: SendingFlow, response: Packet, acked: AckedBytes): number | undefined;
  /** Handles a loss found by a NAK or a timeout; returns the same, if it may have changed. */
  onLoss(timePs: number, found: 'fast' | 'timeout'): number | undefined;
  /** Handles a NACK for a trimmed packet with this payload; returns the same. */
  onNack?(timePs: number, nack: Packet, payloadBytes: number): number | undefined;
  /** Handles a CNP or Fast CNP. */
  onNotification(timePs: number, packet: Packet): Reaction;
  /** Everything is acknowledged, so timers stop. */
  stop(): void;
  /** Undefined: its receiver grants no credit. */
  readonly credit?: SenderCredit | undefined;
}

/** Credit of one flow at its sender. */
export interface SenderCredit {
  readonly hasCredit: boolean;
  /** A pull number has arrived. */
  take(timePs: number, pullNumber: number): void;
  /** No credit has arrived for a timeout. */
  miss(timePs: number): void;
  /** @param senders number of waiting senders of the port. */
  pullTarget(backlogBytes: number, senders: number): number;
}

/** Grants credit to the flows that a host receives on a port. */
export interface CreditPacer {
  /** A data packet, whole or trimmed, has arrived. */
  take(packet: Packet, receiver: Receiver): void;
}

/** The effect of a notification. */
export interface Reaction {
  /** Whether congestion control applied it; duplicates are not applied. */
  readonly taken: boolean;
  /** The time at which the next packet may leave, if that may have changed. */
  readonly nextAvailPs: number | undefined;
}

/** Bytes newly acknowledged by one response. */
export type AckedBytes = number;

/** The sending end of one flow (`queue-pair.ts`) as used by its parts. */
export interface SendingFlow {
  readonly index: number;
  readonly flow: FlowPlan;
  readonly stream: SendStream;
  readonly recovery: LossRecovery;
  /** The next byte to send, and the first byte that is not acknowledged. */
  sndNxt: number;
  sndUna: number;
  /** The time at which it may send next. */
  readonly nextAvailPs: number;
  /** The time when bytes were last acknowledged, or sent with nothing else in flight. */
  lastProgressPs: number;
  readonly bytesInFlight: number;
  readonly congestionControl: CongestionControl;
  readonly isFinished: boolean;
  readonly hasBytesLeft: boolean;
  readonly isWindowBlocked: boolean;
  /** Reports the loss of a packet, by its first byte, to path selection. */
  losePath(sequence: number, found: 'fast' | 'timeout'): void;
}

/** Loss detection and retransmission of one flow, which update `sndUna` and `sndNxt` of its QP. */
export interface LossRecovery {
  /** Applies an ACK or NAK to `sndUna` and to the packets known to have arrived. */
  acknowledge(timePs: number, response: Packet): void;
  /** MRC: a probe of a closed window is acknowledged, after `acknowledge`; returns whether it was awaited. */
  takeProbeAck?(id: number): boolean;
  /** MRC: records whether a departing packet makes its receiver send a SACK at once. */
  noteAckRequest?(sequence: number, asks: boolean): void;
  /** MRC: a probe of the closed window, which counts as sent; undefined: a SACK is expected. */
  takeProbe?(timePs: number): { readonly id: number; readonly isOneLost: boolean } | undefined;
  /** Goes back if the response requires it, after completion and timer; returns whether it reports a loss. */
  goBackFor(response: Packet): boolean;
  /** The timeout has expired, so everything unacknowledged is retransmitted. */
  goBack(timePs: number): void;
  /** A packet is about to leave; `sndNxt` is still its first byte. */
  onSend(timePs: number): void;
  /** Moves `sndNxt` past packets known to have arrived; must be called before the bytes left are read. */
  skipReceived(): void;
  /** Whether limits other than the window of congestion control allow a packet of this size. */
  allows(payloadBytes: number): boolean;
  /** Whether it is retransmitting, for traces. */
  readonly recovering: boolean;
  /** The first byte never sent, if `sndNxt` may be below it. */
  readonly newFrom?: number;
  /** Bytes beyond `sndUna` that are acknowledged; undefined: 0. */
  readonly heldBytes?: number;
  /** MRC: whether packets request SACKs, and the bytes that count as progress of retries (undefined: `sndUna`). */
  readonly asksForSacks?: boolean;
  readonly progressBytes?: number;
  /** Handles a NACK; returns whether its packet counts as lost. */
  takeNack?(timePs: number, nack: Packet): boolean;
  /** MRC: whether a packet leaves only if a full one fits into the window. */
  readonly sendsWholePackets?: boolean;
  /** Bytes in flight; undefined: those between `sndUna` and `sndNxt`. */
  readonly inFlightBytes?: number;
  /** Bytes that the window of congestion control limits; undefined: those in flight. */
  readonly limitedBytes?: number | undefined;
  /** MRC: whether the last announced range blocks the next packet. */
  readonly isRangeShut?: boolean;
}

/** Selects the UDP source port of each packet of a flow: 49,152 plus an entropy. */
export interface PathSelection {
  /** The entropy of a packet. @param number of the packet in its flow. */
  next(number: number | undefined): number;
  /** A packet with this entropy is acknowledged by an ACK or NAK. */
  onResponse(timePs: number, entropy: number, isMarked: boolean): void;
  /** MRC: a SACK requests that this entropy always be skipped. */
  onAlwaysSkip?(entropy: number): void;
  /** A packet with this entropy was trimmed before the last hop. */
  onTrim(entropy: number): void;
  /** @param number of the first packet that is not acknowledged. */
  onLoss(timePs: number, number: number, found: 'fast' | 'timeout'): void;
  /** MRC: each lost packet that no NACK has reported, by its entropy. */
  onPacketLost?(entropy: number, found: 'fast' | 'timeout'): void;
  /** MRC: its path probes; undefined: it sends none. */
  readonly probes?: PathProbes | undefined;
}

/** A probe that is due. */
export interface TakenProbe {
  readonly entropy: number;
  readonly id: number;
  /** Whether the previous probe was lost. */
  readonly isOneLost: boolean;
}

/** The path probes of an MRC sender. */
export interface PathProbes {
  /** Undefined: the timeout of the flow. */
  readonly intervalPs: number | undefined;
  readonly lenBytes: number;
  /** The time of the next probe; undefined: there is no path to probe. */
  dueAt(intervalPs: number): number | undefined;
  /** The probes that are due. */
  take(timePs: number, intervalPs: number): readonly TakenProbe[];
  /** Returns whether it was still awaited. */
  onAcknowledged(entropy: number, id: number, mark: boolean | 'always-skip'): boolean;
}

/** The retransmission timer of one flow. */
export interface RetransmitTimer {
  beforeTransmit(): void;
  afterTransmit(): void;
  /** A response was applied, but the flow has not gone back yet. */
  onResponse(): void;
  /** Called when credit arrives. */
  onCredit?: () => void;
  /** Called with a function that restarts the timer when it expires with nothing in flight. */
  whenIdle?: ((awaitUntil: (timePs: number) => void) => void) | undefined;
  stop(): void;
}

/** Decides for which marked packets a host sends a CNP. */
export interface NotificationPoint {
  /** Delay of the CNP; undefined: none is sent. */
  cnpDelayPs(timePs: number, packet: Packet): number | undefined;
}

/** The responses that a host port sends before its QPs. */
export interface ResponseQueue {
  push(packet: Packet): void;
  /** Removes the next response; undefined: none may leave. */
  next(paused: readonly boolean[]): Packet | undefined;
  /** Removes all responses. */
  clear(): Packet[];
  [Symbol.iterator](): Iterator<Packet>;
}

/** The receiving end of one flow. */
export interface Receiver {
  /** The number of bytes received in order. */
  readonly expected: number;
  /** The response to a data packet, or undefined. */
  receive(timePs: number, packet: Packet): Packet | undefined;
  /** MRC: the SACK of a probe. */
  acknowledgeProbe?(probe: Packet): Packet;
  /** Whether a packet would be dropped without being counted as received; undefined: never. */
  rejects?(timePs: number, packet: Packet): boolean;
}

/** The calls of a requester to its host. */
export interface RequesterActions {
  send(request: Packet): void;
  noteTimeout(): void;
  fail(): void;
}

/** The requester of a READ. */
export interface Requester extends Receiver {
  readonly startPs: number;
  start(): void;
}

/** Chooses the QP of a port that sends next, and when to poll again. */
export interface QpScheduler<Flow extends SendingFlow> {
  add(flow: Flow): void;
  /** The QP to serve next, or undefined. */
  nextQp(): Flow | undefined;
  /** Sets the wake-up for the next time at which a QP may send. */
  wakeLater(): void;
  /** A QP has begun to send until `sentPs`. @param othersWait whether responses are waiting. */
  afterSend(queuePair: Flow, sentPs: number, othersWait: boolean): void;
  /** The send time of a QP has changed, so a pending wake-up must not be later. */
  wakeEarlier(flow: Flow): void;
}

/** A pause or resume frame that a switch must send to a neighbour. */
export interface PauseFrame {
  readonly kind: 'pause' | 'resume';
  readonly trafficClass: number;
}

/** The reason of a drop in a switch: its memory, the egress or ingress rule, or a drop forced by a test. */
export type Rejection = 'memory' | 'out' | 'in' | 'forced';

/** The ingress and egress port of a packet in a switch. */
export interface Place {
  readonly arrival: number;
  readonly egress: number;
}

/** Occupancy for traces: the total, that of the ingress port and class, and that of the egress port and class. */
export interface MemoryState {
  readonly totalBytes: number;
  readonly arrivedBytes: number;
  readonly headroomBytes: number;
  readonly queuedBytes: number;
  readonly sharedOutBytes: number;
  readonly poolOutBytes: number;
  readonly paused: boolean;
}

/** The packet memory of a switch, which admits packets and decides when to pause a neighbour. */
export interface SwitchMemory {
  /** The reason to drop a packet; undefined: it is admitted. */
  rejection(place: Place, packet: Packet): Rejection | undefined;
  store(place: Place, packet: Packet): void;
  release(place: Place, packet: Packet): void;
  /** Frames that a stored packet triggers to the neighbour that sent it. */
  framesAfterStore(place: Place, trafficClass: number): PauseFrame[];
  framesAfterRelease(place: Place, trafficClass: number): PauseFrame[];
  /** The link of a port was cut, so no neighbour is paused there. */
  forgetPauses(port: number): void;
  /** Whether the neighbour at a port would stay paused in a class if all but the stuck bytes (by port, class) left. */
  pauseLasts?(port: number, trafficClass: number, stuck: (port: number, trafficClass: number) => number): boolean;
  state?(place: Place, trafficClass: number): MemoryState;
}

/** The reaction of a switch to congestion: a mark on the packet, or a notification to its sender. */
export interface CongestionVerdict {
  readonly mark: boolean;
  readonly notify: boolean;
}

/** Decides which packets report the congestion of a switch. */
export interface Marker {
  /** @param queueBytes bytes queued in the class of the packet; the rules determine whether they include the packet. */
  judge(port: Port, packet: Packet, queueBytes: number): CongestionVerdict;
}

/** A switch as used by its load balancer. */
export interface Forwarder {
  readonly node: number;
  /** The egress port by the ECMP hash; undefined: no path. */
  ecmpEgress(packet: Packet): Port | undefined;
  /** Egress ports of all shortest paths of a packet, in the order of the hash. */
  nextHops(packet: Packet): readonly Port[];
  /** The usable ones of them, or reroutes while links are down. */
  openNextHops(packet: Packet): readonly Port[];
  /** Bytes waiting at a port, without the packet in transmission. */
  waitingBytes(port: Port): number;
  /** Admits, stores and queues a packet. */
  forward(packet: Packet, arrival: Port, egress: Port | undefined): void;
}

/** Chooses the egress port of packets; it may also delay or consume packets, or send new ones. */
export interface Balancer {
  receive(packet: Packet, arrival: Port): void;
  /** Packets that it delays, for the accounting at the end. */
  waiting(): Iterable<Packet>;
}

/** The buffer of a host whose receive path is slower than its link. */
export interface ReceiveBuffer {
  take(packet: Packet): void;
  [Symbol.iterator](): Iterator<Packet>;
}

/** A host's receive buffers and storms. */
export interface PausingHost {
  handle(port: Port, packet: Packet): void;
  sendPauseFrames(port: Port, frames: readonly PauseFrame[]): void;
}

/** PFC hazards and their watchdogs. */
export interface Hazards {
  /** Starts the hazards that are scheduled. */
  begin(): void;
  /** Updates integrals over time at the end of the run. */
  account(timePs: number): void;
  /** Undefined: the host receives at the rate of the link. */
  makeReceiveBuffer(port: Port, host: PausingHost): ReceiveBuffer | undefined;
  /** Whether a watchdog handles a frame instead of the port. */
  takesFrame(port: Port, kind: PauseFrame['kind'], trafficClass: number): boolean;
  pauseBegan(port: Port, trafficClass: number): void;
  pauseEnds(port: Port, trafficClass: number): void;
  /** The link of a port has changed. */
  forgetPauses(port: Port): void;
  /** Whether a deadlock has ended the run. */
  readonly isEnded: boolean;
  outcome(): ModelHazards;
  /** The port whose watchdog drops a packet from one port to another in a class; undefined: none does. */
  shutPort(arrival: Port, egress: Port, trafficClass: number): Port | undefined;
}

/** Counters of PFC hazards as the kernel reports them, with ports and flows by index. */
export interface ModelHazards {
  readonly ports: readonly RawHazardPort[];
  readonly victims: readonly RawVictim[];
  readonly deadlocks: readonly Omit<RawDeadlock, 'length'>[];
}

/** The functions of switches in a WAN: tunnels, borders and ARNs. */
export interface WanOfSwitches {
  readonly tunnels: {
    /** The next node that a packet is routed to, which may be more than one link away. */
    targetOf(node: number, packet: Pick<Packet, 'destination' | 'flow' | 'tunnel'>): number;
    /** The same for the data of a flow, determined by the node alone. */
    targetOfData(node: number, flow: number): number;
    /** Processes a packet that has arrived; undefined: it is dropped. */
    arrive(node: number, port: Port, packet: Packet): Packet | undefined;
    mayLeave(node: number, port: Port, packet: Packet): boolean;
    /** Adds an outer header to a Fast CNP that a node has created, if necessary. */
    wrap(node: number, packet: Packet, cause: Packet): Packet;
    isMarkable(packet: Packet): boolean;
  };
  readonly arns: {
    hasPauses(port: Port): boolean;
    /** A packet that arrived on a port is stored. @param put queues an ARN before all other packets of a port. */
    countIn(port: Port, packet: Packet, put: (port: Port, arn: Arn) => void): void;
    /** It leaves by another port, which is being served. */
    countOut(port: Port, packet: Packet, put: (port: Port, arn: Arn) => void, served: Port): void;
    apply(port: Port, arn: Arn): boolean;
    holdsAny(port: Port): boolean;
    isHeld(port: Port, packet: Packet): boolean;
    forget(port: Port): void;
  };
  outcome(timePs: number): ModelWan;
}

/** Counters of a WAN, as the kernel reports them: by node, by port, and by service, flow or class. */
export interface ModelWan {
  readonly nodes: readonly RawWanNode[];
  readonly ports: readonly RawWanPort[];
  readonly heldPs: readonly number[];
}

/** Loss and corruption of frames on links. */
export interface LinkFaults {
  /** The cause of the loss of a frame that arrives at a port; undefined: it is not lost. */
  lossOf(port: Port, packet: Packet): 'loss' | 'bitErrors' | undefined;
  /** A host has handled a packet of a known flow. */
  afterHandling(port: Port): void;
}

/** The rules by which switches write telemetry into packets. */
export interface TelemetryRules {
  /** HPCC-PINT: whether a power above the maximum wraps or saturates. */
  readonly pintPower: 'wraps' | 'stays';
}

/** Creates all parts of a fidelity. */
export interface Parts {
  /** The number of zero-duration events between the start of a flow and its first attempt to send. */
  readonly startSteps: number;
  /** Whether the end of a flow also clears its receiver state. */
  readonly forgetsReceivers: boolean;
  /** The duration of a pause after its frame; undefined: until a resume frame. */
  readonly pauseTimePs: number | undefined;
  /** Whether a flow that waits for another one starts when its last byte arrives, or with the usual start events. */
  readonly followersStart: 'at-once' | 'as-others';
  /** Whether the run ends when all flows are complete and nothing is in flight. */
  readonly endsWhenEmpty: boolean;
  readonly telemetry: TelemetryRules;
  readonly linkFaults: LinkFaults;
  /** Undefined: pauses are not inspected. */
  readonly hazards?: Hazards | undefined;
  /** Undefined: switches trim nothing. */
  readonly trimming?: Trimming | undefined;
  /** Undefined: there are no tunnels. */
  readonly wan?: WanOfSwitches | undefined;
  /** A switch has created a pause or resume frame. */
  onPauseFrame(): void;
  makeCongestionControl(flow: number): CongestionControl;
  /** The parameter sets of the plan have changed; timers due before this time expire under the previous ones. */
  changeParameters?(timePs: number): void;
  makeNotificationPoint(node: number): NotificationPoint;
  makeResponses(): ResponseQueue;
  makeRecovery(flow: SendingFlow): LossRecovery;
  /**
   * @param onLoss called when a loss is found between responses, other than by a timeout.
   * @param onCredit called when a flow that missed credit may send.
   */
  makeTimer(flow: SendingFlow, onTimeout: (draws?: number) => void, onLoss: () => void,
    onCredit: () => void): RetransmitTimer;
  makeReceiver(flow: FlowPlan, index: number): Receiver;
  makeRetries(flow: number): Retries;
  /** The path selection of a flow that sends its first packet; undefined: the flow keeps its UDP source port. */
  makePathSelection?(flow: FlowPlan): PathSelection | undefined;
  /** A controller denies the entropies with a number, or DENIED_PLANE + a plane, or allows them again. */
  setDenied?(target: number, isDenied: boolean): void;
  /** The wait after the RNR NAK of a flow with this number, from 1; undefined: its retries are exhausted. */
  rnrWaitPs?(flow: number, retry: number): number | undefined;
  /** Undefined: the flow is not a READ. */
  makeRequester?(flow: number, actions: RequesterActions): Requester | undefined;
  makeQpScheduler<Flow extends SendingFlow>(port: Port): QpScheduler<Flow>;
  /** @param port of a host. @param send sends a credit packet on that port. */
  makeCreditPacer?(port: number, send: (credit: Packet) => void): CreditPacer;
  makeMemory(node: number): SwitchMemory;
  makeMarker(node: number): Marker;
  makeBalancer(forwarder: Forwarder): Balancer;
}
