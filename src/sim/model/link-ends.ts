/** Ends of links, and the devices that they belong to, as they see each other. */
import type { PortPlan } from '../plan.js';
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
  /** Returns when it is sent. */
  transmit(packet: Packet): number;
  /** A packet has come in from the far end. */
  receive(packet: Packet): void;
}
