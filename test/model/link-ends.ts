/** The interfaces between link ends and the devices that own them. */
import type { PortPlan } from '../../src/sim/plan.js';
import type { Packet } from './packet.js';

/** A host or a switch as used by its ports. */
export interface Device {
  readonly node: number;
  receive(port: Port, packet: Packet): void;
  /** Sends the next packet, if there is one and the port is free. */
  trySend(port: Port): void;
  /** The link of a port is cut, so queued packets there are lost. */
  loseQueues(port: Port): void;
  /** The link of a port has changed, which ends the pauses there. */
  forgetPauses(port: Port): void;
  /** Flows whose data is queued for a port in a class; for a host, those with bytes left to send through the port. */
  flowsHeld(port: Port, trafficClass: number): readonly number[];
  /** Switches only. */
  readonly queues?: SwitchQueues;
}

/** Bytes of a class that arrived on a port of a switch and cannot leave. */
export type StuckBytes = (arrival: Port, trafficClass: number) => number;

/** A switch as used by watchdogs and by deadlock and victim detection. */
export interface SwitchQueues {
  readonly ports: readonly Port[];
  /** The egress port of a flow's data. */
  egressOf(flow: number): Port | undefined;
  /** Bytes queued for an egress port in a class, from one ingress port or from all. */
  waitingBytes(egress: Port, trafficClass: number, arrival?: Port): number;
  /** Removes the first packet of a queue and releases its memory; undefined: the queue is empty. */
  takeOut(egress: Port, trafficClass: number): Packet | undefined;
  /** Whether the far end of a port would stay paused in a class if all but the stuck bytes left. */
  pauseLasts(arrival: Port, trafficClass: number, stuck: StuckBytes): boolean;
}

/** One end of a link (`port.ts`). */
export interface Port {
  readonly index: number;
  readonly plan: PortPlan;
  readonly device: Device;
  /** By class: whether the far end has paused it. */
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
  /** Start of the current pause of a class, picoseconds. */
  pausedSincePs(trafficClass: number): number;
  /** A pause of a class ends, for any reason. */
  unpause(trafficClass: number): void;
  /** Returns the time at which transmission ends. */
  transmit(packet: Packet): number;
  /** A packet has arrived from the far end. */
  receive(packet: Packet): void;
}
