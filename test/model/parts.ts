/**
 * What fidelities do each in a way of its own, as parts that hosts, switches and ports are put together from.
 *
 * A fidelity is an object that makes them (`Parts`): `reference/parts.ts`, `lossy/parts.ts`.
 */
import type { RawDeadlock, RawHazardPort, RawVictim } from '../../src/sim/kernel/read-hazards.js';
import type { FlowPlan } from '../../src/sim/plan.js';
import type { Port } from './link-ends.js';
import type { RawWanNode, RawWanPort } from '../../src/sim/kernel/read-wan.js';
import type { Arn, Packet } from './packet.js';
import type { Retries } from './retries.js';

/** What congestion control lets one flow do: behind it is a model of `src/reference/algorithms`. */
export interface CongestionControl {
  /** R, bits per second. */
  readonly rateBps: number;
  /** Bytes that may be unacknowledged; 0: any number. */
  windowBytes(): number;
  /** A packet leaves now; returns when the next one may. */
  onSent(timePs: number, lenBytes: number): number;
  /** An ACK or NAK; returns when the next packet may leave, if that has moved. */
  onResponse(flow: SendingFlow, response: Packet, acked: AckedBytes): number | undefined;
  /** Something was lost, by a NAK or by a timeout; returns when the next packet may leave, if that may have moved. */
  onLoss(timePs: number, found: 'fast' | 'timeout'): number | undefined;
  /** A CNP or Fast CNP. */
  onNotification(timePs: number, packet: Packet): Reaction;
  /** All is acknowledged: timers stop. */
  stop(): void;
}

/** What a notification has done. */
export interface Reaction {
  /** Did congestion control take it? Not one that repeats another. */
  readonly taken: boolean;
  /** When the next packet may leave, if that may have moved. */
  readonly nextAvailPs: number | undefined;
}

/** Bytes that one answer has newly acknowledged. */
export type AckedBytes = number;

/** The sending end of one flow (`queue-pair.ts`), as its parts see it. */
export interface SendingFlow {
  readonly index: number;
  readonly flow: FlowPlan;
  readonly recovery: LossRecovery;
  /** Next byte to send, first byte not acknowledged. */
  sndNxt: number;
  sndUna: number;
  /** From when on it may send. */
  readonly nextAvailPs: number;
  /** When something was last acknowledged, or sent with nothing else in flight. */
  lastProgressPs: number;
  readonly isFinished: boolean;
  readonly hasBytesLeft: boolean;
  readonly isWindowBlocked: boolean;
}

/** How one flow finds out what was lost, and what it sends again. Moves `sndUna` and `sndNxt` of its QP. */
export interface LossRecovery {
  /** Takes in what an ACK or NAK acknowledges: `sndUna` and what else is known to have arrived. */
  acknowledge(timePs: number, response: Packet): void;
  /** Goes back, if the response asks for it; behind completion and timer. Returns whether it reports a loss. */
  goBackFor(response: Packet): boolean;
  /** The timeout has come: what is not acknowledged is sent again. */
  goBack(timePs: number): void;
  /** A packet is about to leave: `sndNxt` is still its first byte. */
  onSend(timePs: number): void;
  /** Moves `sndNxt` past what is known to have arrived; whoever asks for the bytes left calls it first. */
  skipReceived(): void;
  /** A limit beside the window of congestion control: may a packet of so many bytes be sent? */
  allows(payloadBytes: number): boolean;
  /** Is it sending again what was lost? For traces. */
  readonly recovering: boolean;
  /** First byte never sent, where `sndNxt` can be below what is sent in order. */
  readonly newFrom?: number;
}

/** The retransmission timer of one flow. */
export interface RetransmitTimer {
  beforeTransmit(): void;
  afterTransmit(): void;
  /** A response has moved what is acknowledged; it has not gone back yet. */
  onResponse(): void;
  stop(): void;
}

/** Which marked packets a host answers by a CNP. */
export interface NotificationPoint {
  /** How much later a CNP leaves; undefined: none does. */
  cnpDelayPs(timePs: number, packet: Packet): number | undefined;
}

/** What a port of a host sends before its QPs. */
export interface ResponseQueue {
  push(packet: Packet): void;
  /** Takes out the one that is next; undefined: none may go. */
  next(paused: readonly boolean[]): Packet | undefined;
  /** Takes out all. */
  clear(): Packet[];
  [Symbol.iterator](): Iterator<Packet>;
}

/** The receiving end of one flow. */
export interface Receiver {
  /** Bytes received in order. */
  readonly expected: number;
  /** The response to a data packet, or undefined. */
  receive(timePs: number, packet: Packet): Packet | undefined;
}

/** Which of a port's QPs sends next, and when it looks again. */
export interface Turns<Flow extends SendingFlow> {
  add(flow: Flow): void;
  /** The QP whose turn it is, or undefined. */
  nextTurn(): Flow | undefined;
  /** Sets the wake-up for when something may be sent again. */
  wakeLater(): void;
  /** One has begun to send, until `sentPs`. @param othersWait are there answers to be sent? */
  afterSend(queuePair: Flow, sentPs: number, othersWait: boolean): void;
  /** A QP's time has changed: a pending wake-up comes no later than that. */
  wakeEarlier(flow: Flow): void;
}

/** A frame that a switch owes a neighbour. */
export interface PauseFrame {
  readonly kind: 'pause' | 'resume';
  readonly trafficClass: number;
}

/** Why a switch does not take a packet: its memory, by the rule of the way out or in, or a test's will. */
export type Rejection = 'memory' | 'out' | 'in' | 'forced';

/** A packet's place in a switch: where it came in, and where it goes out, as ports of the switch. */
export interface Place {
  readonly arrival: number;
  readonly egress: number;
}

/** What a memory holds, for traces: in all, of a packet's arrival and class, of its exit and class. */
export interface MemoryState {
  readonly totalBytes: number;
  readonly arrivedBytes: number;
  readonly headroomBytes: number;
  readonly queuedBytes: number;
  readonly sharedOutBytes: number;
  readonly poolOutBytes: number;
  readonly paused: boolean;
}

/** A switch's packet memory: who may still store a packet, and when a neighbour has to pause. */
export interface SwitchMemory {
  /** Why a packet may not be stored; undefined: it may. */
  rejection(place: Place, packet: Packet): Rejection | undefined;
  store(place: Place, packet: Packet): void;
  release(place: Place, packet: Packet): void;
  /** Frames that a stored packet gives cause to, for the neighbour that it came from. */
  framesAfterStore(place: Place, trafficClass: number): PauseFrame[];
  framesAfterRelease(place: Place, trafficClass: number): PauseFrame[];
  /** The link of a port was cut: nobody is paused there. */
  forgetPauses(port: number): void;
  /** Would the neighbour at a port stay paused in a class if all but the stuck bytes (by port, class) left? */
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
  /** @param queueBytes what waits in the packet's class, by the rules with it or without. */
  judge(port: Port, packet: Packet, queueBytes: number): CongestionVerdict;
}

/** A switch, as what chooses its paths sees it. */
export interface Forwarder {
  readonly node: number;
  /** The egress port by the hash of the packet's addresses and ports; undefined: no path. */
  ecmpEgress(packet: Packet): Port | undefined;
  /** Exits of all shortest paths of a packet, in the order of the hash. */
  nextHops(packet: Packet): readonly Port[];
  /** Those that may be taken now: all of them, or while links are down those around. */
  openNextHops(packet: Packet): readonly Port[];
  /** What waits at a port, without what is being sent. */
  waitingBytes(port: Port): number;
  /** Admits, stores and queues a packet. */
  forward(packet: Packet, arrival: Port, egress: Port | undefined): void;
}

/** Which path packets take through a switch; it may also hold them back, take them in, or send some of its own. */
export interface Balancer {
  receive(packet: Packet, arrival: Port): void;
  /** Packets that wait in it, for the balance at the end. */
  waiting(): Iterable<Packet>;
}

/** What a host's port takes in before the host does, where it receives slowly. */
export interface ReceiveBuffer {
  take(packet: Packet): void;
  [Symbol.iterator](): Iterator<Packet>;
}

/** What a host does for its receive buffers and storms. */
export interface PausingHost {
  handle(port: Port, packet: Packet): void;
  sendPauseFrames(port: Port, frames: readonly PauseFrame[]): void;
}

/** What PFC can do wrong, and what watches it. */
export interface Hazards {
  /** Sets off what comes by itself. */
  begin(): void;
  /** The run ends: what is counted over time is brought up to it. */
  account(timePs: number): void;
  /** Undefined: the host takes in as fast as the link brings. */
  makeReceiveBuffer(port: Port, host: PausingHost): ReceiveBuffer | undefined;
  /** Does something else than the port act on a frame? */
  takesFrame(port: Port, kind: PauseFrame['kind'], trafficClass: number): boolean;
  pauseBegan(port: Port, trafficClass: number): void;
  pauseEnds(port: Port, trafficClass: number): void;
  /** The link of a port has changed. */
  forgetPauses(port: Port): void;
  /** Has a deadlock ended the run? */
  readonly isEnded: boolean;
  outcome(): ModelHazards;
  /** The port whose watchdog drops a packet from one port to another in a class; undefined: none does. */
  shutPort(arrival: Port, egress: Port, trafficClass: number): Port | undefined;
}

/** What came of PFC's hazards, as the kernel reports it: ports and flows by their index. */
export interface ModelHazards {
  readonly ports: readonly RawHazardPort[];
  readonly victims: readonly RawVictim[];
  readonly deadlocks: readonly Omit<RawDeadlock, 'length'>[];
}

/** What switches do about tunnels, borders and ARNs of a WAN. */
export interface WanOfSwitches {
  readonly tunnels: {
    /** The node that a packet goes to next, beyond single links. */
    targetOf(node: number, packet: Pick<Packet, 'destination' | 'flow' | 'tunnel'>): number;
    /** The same of a flow's data by its place alone. */
    targetOfData(node: number, flow: number): number;
    /** What becomes of a packet that has come in; undefined: it is dropped. */
    arrive(node: number, port: Port, packet: Packet): Packet | undefined;
    mayLeave(node: number, port: Port, packet: Packet): boolean;
    /** A Fast CNP that a node has made for a packet, with its outer header, if it needs one. */
    wrap(node: number, packet: Packet, cause: Packet): Packet;
    isMarkable(packet: Packet): boolean;
  };
  readonly arns: {
    hasPauses(port: Port): boolean;
    /** A packet that came in by a port is in the buffer. @param put an ARN before everything else of a port. */
    countIn(port: Port, packet: Packet, put: (port: Port, arn: Arn) => void): void;
    /** It leaves the buffer by another port, which is served next by itself. */
    countOut(port: Port, packet: Packet, put: (port: Port, arn: Arn) => void, served: Port): void;
    apply(port: Port, arn: Arn): boolean;
    holdsAny(port: Port): boolean;
    isHeld(port: Port, packet: Packet): boolean;
    forget(port: Port): void;
  };
  outcome(timePs: number): ModelWan;
}

/** What came of a WAN, as the kernel reports it: by node, by port, and by service, flow or class. */
export interface ModelWan {
  readonly nodes: readonly RawWanNode[];
  readonly ports: readonly RawWanPort[];
  readonly heldPs: readonly number[];
}

/** What becomes of frames on links. */
export interface LinkFaults {
  /** Why a frame that arrives at a port is lost; undefined: it is not. */
  lossOf(port: Port, packet: Packet): 'loss' | 'bitErrors' | undefined;
  /** A host has handled a packet of a flow that it knows. */
  afterHandling(port: Port): void;
}

/** What packets gather in switches, and when. */
export interface TelemetryRules {
  /** Does a power beyond the largest begin again at 0, or stay there? (HPCC-PINT) */
  readonly pintPower: 'wraps' | 'stays';
}

/** Maker of all parts of a fidelity. */
export interface Parts {
  /** Events of no duration between a flow's start and its first look for something to send. */
  readonly startSteps: number;
  /** Does the end of a flow also end what its receiver knows of it? */
  readonly forgetsReceivers: boolean;
  /** How long a pause lasts behind its frame; undefined: until a frame ends it. */
  readonly pauseTimePs: number | undefined;
  /** Do flows that wait for another one start with the arrival of its last byte, or as others do? */
  readonly followersStart: 'at-once' | 'as-others';
  /** Is the run over when all flows are complete and nothing is under way? */
  readonly endsWhenEmpty: boolean;
  readonly telemetry: TelemetryRules;
  readonly linkFaults: LinkFaults;
  /** Undefined: nobody looks. */
  readonly hazards?: Hazards | undefined;
  /** Undefined: there are no tunnels. */
  readonly wan?: WanOfSwitches | undefined;
  /** A switch has made a frame. */
  onPauseFrame(): void;
  makeCongestionControl(flow: number): CongestionControl;
  makeNotificationPoint(node: number): NotificationPoint;
  makeResponses(): ResponseQueue;
  makeRecovery(flow: SendingFlow): LossRecovery;
  makeTimer(flow: SendingFlow, onTimeout: () => void): RetransmitTimer;
  makeReceiver(flow: FlowPlan, index: number): Receiver;
  makeRetries(flow: number): Retries;
  makeTurns<Flow extends SendingFlow>(port: Port): Turns<Flow>;
  makeMemory(node: number): SwitchMemory;
  makeMarker(node: number): Marker;
  makeBalancer(forwarder: Forwarder): Balancer;
}
