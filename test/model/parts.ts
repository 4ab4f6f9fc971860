/**
 * What differs between fidelities, as the parts from which hosts, switches and ports are built.
 *
 * A fidelity is an object that makes them (`Parts`): `reference/parts.ts`, `lossy/parts.ts`.
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
  /** R, bits per second. */
  readonly rateBps: number;
  /** R with the timers run up to now. */
  rateAt(timePs: number): number;
  /** Begins as when it was made. */
  restart(): void;
  /** Bytes that may be unacknowledged; 0: unlimited. */
  windowBytes(): number;
  /** A packet leaves now; returns when the next one may. */
  onSent(timePs: number, lenBytes: number): number;
  /** An ACK or NAK; returns when the next packet may leave, if that has moved. */
  onResponse(flow: SendingFlow, response: Packet, acked: AckedBytes): number | undefined;
  /** A NAK or a timeout found a loss; returns when the next packet may leave, if that may have moved. */
  onLoss(timePs: number, found: 'fast' | 'timeout'): number | undefined;
  /** A NACK of a packet with this payload, which a switch trimmed; returns the same. */
  onNack?(timePs: number, nack: Packet, payloadBytes: number): number | undefined;
  /** A CNP or Fast CNP. */
  onNotification(timePs: number, packet: Packet): Reaction;
  /** All is acknowledged: timers stop. */
  stop(): void;
  /** Undefined: its receiver grants no credit. */
  readonly credit?: SenderCredit | undefined;
}

/** Credit of one flow at its sender. */
export interface SenderCredit {
  readonly hasCredit: boolean;
  /** A pull number has arrived. */
  take(timePs: number, pullNumber: number): void;
  /** None has arrived for too long: it counts as a timeout. */
  miss(timePs: number): void;
  /** @param senders of the port that wait. */
  pullTarget(backlogBytes: number, senders: number): number;
}

/** Grants credit to the flows that a host receives by a port. */
export interface CreditPacer {
  /** A data packet, whole or trimmed, has arrived. */
  take(packet: Packet, receiver: Receiver): void;
}

/** The effect of a notification. */
export interface Reaction {
  /** Whether congestion control applied it; one that repeats another is not applied. */
  readonly taken: boolean;
  /** When the next packet may leave, if that may have moved. */
  readonly nextAvailPs: number | undefined;
}

/** Bytes newly acknowledged by one response. */
export type AckedBytes = number;

/** The sending end of one flow (`queue-pair.ts`), as its parts see it. */
export interface SendingFlow {
  readonly index: number;
  readonly flow: FlowPlan;
  readonly stream: SendStream;
  readonly recovery: LossRecovery;
  /** Next byte to send, first byte not acknowledged. */
  sndNxt: number;
  sndUna: number;
  /** Time from which it may send. */
  readonly nextAvailPs: number;
  /** When something was last acknowledged, or sent with nothing else in flight. */
  lastProgressPs: number;
  readonly bytesInFlight: number;
  readonly congestionControl: CongestionControl;
  readonly isFinished: boolean;
  readonly hasBytesLeft: boolean;
  readonly isWindowBlocked: boolean;
  /** The path of a lost packet, by its first byte. */
  losePath(sequence: number, found: 'fast' | 'timeout'): void;
}

/** How one flow detects losses, and what it retransmits. Moves `sndUna` and `sndNxt` of its QP. */
export interface LossRecovery {
  /** Applies what an ACK or NAK acknowledges: `sndUna` and what else is known to have arrived. */
  acknowledge(timePs: number, response: Packet): void;
  /** Of MRC: a probe of a shut window is acknowledged, after `acknowledge`; returns whether it was awaited. */
  takeProbeAck?(id: number): boolean;
  /** Of MRC: notes whether a packet that leaves makes its receiver send a SACK at once. */
  noteAckRequest?(sequence: number, asks: boolean): void;
  /** Of MRC: a probe of the shut window, unless a SACK is on its way; notes that it is sent. */
  takeProbe?(timePs: number): { readonly id: number; readonly isOneLost: boolean } | undefined;
  /** Goes back, if the response requests it; after completion and timer. Returns whether it reports a loss. */
  goBackFor(response: Packet): boolean;
  /** The timeout has expired: everything unacknowledged is retransmitted. */
  goBack(timePs: number): void;
  /** A packet is about to leave: `sndNxt` is still its first byte. */
  onSend(timePs: number): void;
  /** Moves `sndNxt` past what is known to have arrived; must be called before the bytes left are read. */
  skipReceived(): void;
  /** A limit in addition to the window of congestion control: whether a packet of this many bytes may be sent. */
  allows(payloadBytes: number): boolean;
  /** Whether it is retransmitting. For traces. */
  readonly recovering: boolean;
  /** First byte never sent, where `sndNxt` may be below the bytes sent in order. */
  readonly newFrom?: number;
  /** Bytes beyond `sndUna` that are acknowledged; undefined: 0. */
  readonly heldBytes?: number;
  /** Of MRC: whether packets ask for SACKs; the bytes that retries take as progress, undefined: `sndUna`. */
  readonly asksForSacks?: boolean;
  readonly progressBytes?: number;
  /** A NACK names a packet: whether that is lost. */
  takeNack?(timePs: number, nack: Packet): boolean;
  /** Of MRC: whether a packet leaves only if a full one fits into the window. */
  readonly sendsWholePackets?: boolean;
  /** Bytes in flight; undefined: those between `sndUna` and `sndNxt`. */
  readonly inFlightBytes?: number;
  /** Bytes that count for the window of congestion control; undefined: those in flight. */
  readonly limitedBytes?: number | undefined;
  /** Of MRC: whether the range announced last keeps the next packet back. */
  readonly isRangeShut?: boolean;
}

/** How a flow chooses the UDP source port of each packet: 49,152 + an entropy. */
export interface PathSelection {
  /** The entropy of a packet. @param number of the packet in its flow. */
  next(number: number | undefined): number;
  /** The ACK or NAK of a packet with this entropy. */
  onResponse(timePs: number, entropy: number, isMarked: boolean): void;
  /** MRC: a SACK says that this entropy is always to be skipped. */
  onAlwaysSkip?(entropy: number): void;
  /** A packet with this entropy was trimmed before the last hop. */
  onTrim(entropy: number): void;
  /** @param number of the first packet that is not acknowledged. */
  onLoss(timePs: number, number: number, found: 'fast' | 'timeout'): void;
  /** MRC: each lost packet that no NACK has reported, by its entropy. */
  onPacketLost?(entropy: number, found: 'fast' | 'timeout'): void;
  /** MRC: how it probes paths; undefined: it does not. */
  readonly probes?: PathProbes | undefined;
}

/** A path that is probed now. */
export interface TakenProbe {
  readonly entropy: number;
  readonly id: number;
  /** Whether the probe before it was not acknowledged. */
  readonly isOneLost: boolean;
}

/** Which paths a sender of MRC probes, and when. */
export interface PathProbes {
  /** Undefined: the timeout of the flow. */
  readonly intervalPs: number | undefined;
  readonly lenBytes: number;
  /** When the next probe is due; undefined: there is no path to probe. */
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
  /** A response has moved what is acknowledged; it has not gone back yet. */
  onResponse(): void;
  /** Called when credit arrives. */
  onCredit?: () => void;
  /** Called when it expires with nothing in flight, with what sets it again. */
  whenIdle?: ((awaitUntil: (timePs: number) => void) => void) | undefined;
  stop(): void;
}

/** Which marked packets get a CNP from a host. */
export interface NotificationPoint {
  /** Delay of the CNP; undefined: none is sent. */
  cnpDelayPs(timePs: number, packet: Packet): number | undefined;
}

/** What a port of a host sends before its QPs. */
export interface ResponseQueue {
  push(packet: Packet): void;
  /** Removes the next one; undefined: none may go. */
  next(paused: readonly boolean[]): Packet | undefined;
  /** Removes all. */
  clear(): Packet[];
  [Symbol.iterator](): Iterator<Packet>;
}

/** The receiving end of one flow. */
export interface Receiver {
  /** Bytes received in order. */
  readonly expected: number;
  /** The response to a data packet, or undefined. */
  receive(timePs: number, packet: Packet): Packet | undefined;
  /** The SACK of a probe. Of MRC. */
  acknowledgeProbe?(probe: Packet): Packet;
  /** Whether a packet would be dropped without being counted as received. Left out: none is. */
  rejects?(timePs: number, packet: Packet): boolean;
}

/** What a requester does to its host. */
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

/** Chooses which of a port's QPs sends next, and when to poll again. */
export interface QpScheduler<Flow extends SendingFlow> {
  add(flow: Flow): void;
  /** The QP to serve next, or undefined. */
  nextQp(): Flow | undefined;
  /** Sets the wake-up for the next time at which a QP may send. */
  wakeLater(): void;
  /** One has begun to send, until `sentPs`. @param othersWait whether responses are waiting. */
  afterSend(queuePair: Flow, sentPs: number, othersWait: boolean): void;
  /** A QP's time has changed: a pending wake-up comes no later than that. */
  wakeEarlier(flow: Flow): void;
}

/** A frame that a switch owes a neighbour. */
export interface PauseFrame {
  readonly kind: 'pause' | 'resume';
  readonly trafficClass: number;
}

/** Why a switch drops a packet: its memory, by the egress or ingress rule, or a drop forced by a test. */
export type Rejection = 'memory' | 'out' | 'in' | 'forced';

/** A packet's place in a switch: its ports of arrival and departure. */
export interface Place {
  readonly arrival: number;
  readonly egress: number;
}

/** Occupancy of a memory, for traces: in all, of a packet's arrival and class, of its egress port and class. */
export interface MemoryState {
  readonly totalBytes: number;
  readonly arrivedBytes: number;
  readonly headroomBytes: number;
  readonly queuedBytes: number;
  readonly sharedOutBytes: number;
  readonly poolOutBytes: number;
  readonly paused: boolean;
}

/** A switch's packet memory: admits packets, and decides when a neighbour has to pause. */
export interface SwitchMemory {
  /** Why a packet may not be stored; undefined: it may. */
  rejection(place: Place, packet: Packet): Rejection | undefined;
  store(place: Place, packet: Packet): void;
  release(place: Place, packet: Packet): void;
  /** Frames that a stored packet triggers, for the neighbour that sent it. */
  framesAfterStore(place: Place, trafficClass: number): PauseFrame[];
  framesAfterRelease(place: Place, trafficClass: number): PauseFrame[];
  /** The link of a port was cut: no neighbour is paused there. */
  forgetPauses(port: number): void;
  /** Whether the neighbour at a port would stay paused in a class if all but the stuck bytes (by port, class) left. */
  pauseLasts?(port: number, trafficClass: number, stuck: (port: number, trafficClass: number) => number): boolean;
  state?(place: Place, trafficClass: number): MemoryState;
}

/** What a switch does about congestion: a mark on the packet, a notification to its sender. */
export interface CongestionVerdict {
  readonly mark: boolean;
  readonly notify: boolean;
}

/** Which packets report a switch's congestion. */
export interface Marker {
  /** @param queueBytes bytes waiting in the packet's class, with or without the packet, as the rules say. */
  judge(port: Port, packet: Packet, queueBytes: number): CongestionVerdict;
}

/** A switch, as its load balancer sees it. */
export interface Forwarder {
  readonly node: number;
  /** The egress port by the hash of the packet's addresses and ports; undefined: no path. */
  ecmpEgress(packet: Packet): Port | undefined;
  /** Egress ports of all shortest paths of a packet, in the order of the hash. */
  nextHops(packet: Packet): readonly Port[];
  /** Those usable now: all of them, or while links are down the reroutes. */
  openNextHops(packet: Packet): readonly Port[];
  /** Bytes waiting at a port, without the packet in transmission. */
  waitingBytes(port: Port): number;
  /** Admits, stores and queues a packet. */
  forward(packet: Packet, arrival: Port, egress: Port | undefined): void;
}

/** Chooses the path of packets through a switch; it may also hold them back, consume them, or send its own. */
export interface Balancer {
  receive(packet: Packet, arrival: Port): void;
  /** Packets that wait in it, for the accounting at the end. */
  waiting(): Iterable<Packet>;
}

/** The buffer in front of a host that receives slowly. */
export interface ReceiveBuffer {
  take(packet: Packet): void;
  [Symbol.iterator](): Iterator<Packet>;
}

/** A host's receive buffers and storms. */
export interface PausingHost {
  handle(port: Port, packet: Packet): void;
  sendPauseFrames(port: Port, frames: readonly PauseFrame[]): void;
}

/** PFC's hazards and their watchdogs. */
export interface Hazards {
  /** Starts the hazards that are scheduled. */
  begin(): void;
  /** The run ends: integrals over time are brought up to date. */
  account(timePs: number): void;
  /** Undefined: the host receives at the rate of the link. */
  makeReceiveBuffer(port: Port, host: PausingHost): ReceiveBuffer | undefined;
  /** Whether something other than the port handles a frame. */
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

/** Counters of PFC's hazards, as the kernel reports them: ports and flows by their index. */
export interface ModelHazards {
  readonly ports: readonly RawHazardPort[];
  readonly victims: readonly RawVictim[];
  readonly deadlocks: readonly Omit<RawDeadlock, 'length'>[];
}

/** What switches do about tunnels, borders and ARNs of a WAN. */
export interface WanOfSwitches {
  readonly tunnels: {
    /** The next node that a packet is routed to, which may be more than one link away. */
    targetOf(node: number, packet: Pick<Packet, 'destination' | 'flow' | 'tunnel'>): number;
    /** The same for a flow's data, from its place alone. */
    targetOfData(node: number, flow: number): number;
    /** Processes a packet that has arrived; undefined: it is dropped. */
    arrive(node: number, port: Port, packet: Packet): Packet | undefined;
    mayLeave(node: number, port: Port, packet: Packet): boolean;
    /** A Fast CNP that a node has made for a packet, with its outer header, if it needs one. */
    wrap(node: number, packet: Packet, cause: Packet): Packet;
    isMarkable(packet: Packet): boolean;
  };
  readonly arns: {
    hasPauses(port: Port): boolean;
    /** A packet that arrived by a port is in the buffer. @param put queues an ARN before everything else of a port. */
    countIn(port: Port, packet: Packet, put: (port: Port, arn: Arn) => void): void;
    /** It leaves the buffer by another port, which is served next anyway. */
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

/** Losses and corruption of frames on links. */
export interface LinkFaults {
  /** Why a frame that arrives at a port is lost; undefined: it is not. */
  lossOf(port: Port, packet: Packet): 'loss' | 'bitErrors' | undefined;
  /** A host has handled a packet of a flow that it knows. */
  afterHandling(port: Port): void;
}

/** The telemetry that switches write into packets, and when. */
export interface TelemetryRules {
  /** Whether a power beyond the largest wraps to 0 or saturates. (HPCC-PINT) */
  readonly pintPower: 'wraps' | 'stays';
}

/** Maker of all parts of a fidelity. */
export interface Parts {
  /** Zero-duration events between a flow's start and its first attempt to send. */
  readonly startSteps: number;
  /** Whether the end of a flow also clears its receiver state. */
  readonly forgetsReceivers: boolean;
  /** Duration of a pause after its frame; undefined: until a frame ends it. */
  readonly pauseTimePs: number | undefined;
  /** Whether flows that wait for another one start with the arrival of its last byte, or as others do. */
  readonly followersStart: 'at-once' | 'as-others';
  /** Whether the run is over when all flows are complete and nothing is in flight. */
  readonly endsWhenEmpty: boolean;
  readonly telemetry: TelemetryRules;
  readonly linkFaults: LinkFaults;
  /** Undefined: pauses are not inspected. */
  readonly hazards?: Hazards | undefined;
  /** Undefined: switches trim nothing. */
  readonly trimming?: Trimming | undefined;
  /** Undefined: there are no tunnels. */
  readonly wan?: WanOfSwitches | undefined;
  /** A switch has made a frame. */
  onPauseFrame(): void;
  makeCongestionControl(flow: number): CongestionControl;
  /** The parameter sets of the plan have changed: timers due before this time expire under those before. */
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
  /** Of a flow of this host that sends its first packet; undefined: the flow's own port. */
  makePathSelection?(flow: FlowPlan): PathSelection | undefined;
  /** A controller denies the entropies with a number, or DENIED_PLANE + a plane, or allows them again. */
  setDenied?(target: number, isDenied: boolean): void;
  /** The wait after the next RNR NAK of a flow, which is its n-th, from 1; undefined: its retries are exhausted. */
  rnrWaitPs?(flow: number, retry: number): number | undefined;
  /** Undefined: the flow is not a READ. */
  makeRequester?(flow: number, actions: RequesterActions): Requester | undefined;
  makeQpScheduler<Flow extends SendingFlow>(port: Port): QpScheduler<Flow>;
  /** @param port of a host. @param send sends a credit packet by it. */
  makeCreditPacer?(port: number, send: (credit: Packet) => void): CreditPacer;
  makeMemory(node: number): SwitchMemory;
  makeMarker(node: number): Marker;
  makeBalancer(forwarder: Forwarder): Balancer;
}
