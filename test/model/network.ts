/** What hosts, switches, ports and their parts share while a network runs. */
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
  /** Packets that receivers of MRC accept, and the penalty that they demand, once that has changed. */
  readonly changed: { receiverRangePackets?: number; windowPenalty?: number };
  /** Hosts that discard packets of MRC now, and why. */
  readonly discarding: Map<number, DiscardReason>;
  readonly events: EventQueue;
  readonly txTimes: TxTimes;
  /** Rounds the utilisation in switches with HPCC-PINT; under `standard` all other random choices draw from it too. */
  readonly random: CongestionPointRandom;
  /** By their index in the plan. */
  readonly ports: readonly Port[];
  readonly count: Counters;
  readonly streams: Streams;
  readonly listener: ModelListener | undefined;
  readonly onStep: StepListener | undefined;
}

/** Paths around links that are down (`rerouting.ts`). */
export interface Rerouting {
  readonly areNeeded: boolean;
  /** Next hops of a switch towards a host: the planned ones that still lead nearer, or else all that do; none: no path. */
  nextHops(node: number, host: number, planned: readonly Port[]): readonly Port[];
  /** Whether the port's link is down without adapters having noticed. */
  isDownUnnoticed(port: Port): boolean;
  /** An endpoint packet of MRC has reached its host. */
  takeEndpointPacket(packet: Packet): void;
}

/** A world and the parts of its fidelity. */
export interface Network extends World {
  readonly parts: Parts;
  readonly rerouting: Rerouting;
  /** Egress ports to which the tables of their switches have no uSID. */
  readonly withoutUsid: Set<number>;
  /** Forgets the receiver state of a flow. */
  readonly forgetReceiver: (flow: number) => void;
}

/** Number of a port within its node, from 1, as topologies count them. */
export function interfaceOf({ plan }: World, { index, device }: Port): number {
  return index - plan.nodes[device.node].firstPort + 1;
}
