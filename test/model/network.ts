/** The state that hosts, switches, ports and their parts share. */
import type { TxTimes } from '../../src/sim/compile/paths.js';
import type { NetworkPlan } from '../../src/sim/plan.js';
import type { DiscardReason } from '../../src/sim/scenario/spec.js';
import type { CongestionPointRandom } from '../../src/reference/cp/random.js';
import type { Counters } from './counters.js';
import type { EventQueue } from '../../src/sim/event-queue.js';
import type { Port } from './link-ends.js';
import type { ModelListener, Packet } from './packet.js';
import type { Parts } from './parts.js';
import type { StepListener } from './steps.js';
import type { Streams } from './streams.js';

/** The context from which parts are made. */
export interface World {
  readonly plan: NetworkPlan;
  /** The range that MRC receivers accept and the penalty that they demand, after a change during the run. */
  readonly changed: { receiverRangePackets?: number; windowPenalty?: number };
  /** The hosts that currently discard MRC packets, with the reason. */
  readonly discarding: Map<number, DiscardReason>;
  readonly events: EventQueue;
  readonly txTimes: TxTimes;
  /** Rounds the utilisation in switches with HPCC-PINT; under `standard` all other random choices draw from it too. */
  readonly random: CongestionPointRandom;
  /** Ports by their index in the plan. */
  readonly ports: readonly Port[];
  readonly count: Counters;
  readonly streams: Streams;
  readonly listener: ModelListener | undefined;
  readonly onStep: StepListener | undefined;
}

/** Paths around links that are down (`rerouting.ts`). */
export interface Rerouting {
  readonly areNeeded: boolean;
  /** Next hops to a host: the planned ones that still lead nearer, otherwise all ports that do; none: no path. */
  nextHops(node: number, host: number, planned: readonly Port[]): readonly Port[];
  /** Whether the port's link is down without adapters having noticed. */
  isDownUnnoticed(port: Port): boolean;
  /** An endpoint packet of MRC has reached its host. */
  takeEndpointPacket(packet: Packet): void;
}

/** A world with the parts of its fidelity. */
export interface Network extends World {
  readonly parts: Parts;
  readonly rerouting: Rerouting;
  /** Egress ports for which the table of their switch has no uSID. */
  readonly withoutUsid: Set<number>;
  /** Forgets the receiver state of a flow. */
  readonly forgetReceiver: (flow: number) => void;
}

/** The number of a port within its node, from 1, as in topologies. */
export function interfaceOf({ plan }: World, { index, device }: Port): number {
  return index - plan.nodes[device.node].firstPort + 1;
}
