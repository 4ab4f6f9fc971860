/** Ends of links, and the devices that they belong to, as they see each other. */
import type { PortPlan } from '../../src/sim/plan.js';
import type { Packet } from './packet.js';

/** A host or a switch, as its ports see it. */
export interface Device {
  readonly node: number;
  receive(port: Port, packet: Packet): void;
  /** Sends what there is to send, if the port is free. */
  trySend(port: Port): void;
  /** The link of a port is cut: what waits there is lost. */
  loseQueues(port: Port): void;
  /** The link of a port has changed: nobody is paused there. */
  forgetPauses(port: Port): void;
  /** Flows whose data waits for a port in a class; of a host those that have some left to send by it. */
  flowsHeld(port: Port, trafficClass: number): readonly number[];
  /** Of switches. */
  readonly queues?: SwitchQueues;
}

/** Bytes of a class that came in by a port of a switch, and can't leave. */
export type StuckBytes = (arrival: Port, trafficClass: number) => number;

/** A switch, as those see it who look after its queues. */
export interface SwitchQueues {
  readonly ports: readonly Port[];
  /** Where data of a flow leaves. */
  egressOf(flow: number): Port | undefined;
  /** What waits for an egress port in a class; of one port of arrival, or of all. */
  waitingBytes(egress: Port, trafficClass: number, arrival?: Port): number;
  /** Takes the first packet of a queue out, which gives its memory back; undefined: the queue is empty. */
  takeOut(egress: Port, trafficClass: number): Packet | undefined;
  /** Would the far end of a port stay paused in a class if all but the stuck bytes left? */
  pauseLasts(arrival: Port, trafficClass: number, stuck: StuckBytes): boolean;
}

/** One end of a link (`port.ts`). */
export interface Port {
  readonly index: number;
  readonly plan: PortPlan;
  readonly device: Device;
  /** By class: has the far end asked for a pause? */
  readonly paused: readonly boolean[];
  readonly busy: boolean;
  readonly up: boolean;
  txPackets: number;
  txBytes: number;
  marks: number;
  drops: number;
  pausesSent: number;
  maxClassQueueBytes: number;
  fastCnps: number;
  /** Since when a class is paused, picoseconds. */
  pausedSincePs(trafficClass: number): number;
  /** A pause of a class ends, by whatever. */
  unpause(trafficClass: number): void;
  /** Returns when it is sent. */
  transmit(packet: Packet): number;
  /** A packet has come in from the far end. */
  receive(packet: Packet): void;
}
