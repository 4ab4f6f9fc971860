/**
 * A single switch of the simulator's plain model: it takes frames at given times at its ports, and returns marks, drops
 * and departures. Emulated switches are compared with it.
 */
import { CongestionPointRandom } from '../../../src/reference/cp/random.js';
import { TxTimes } from '../../../src/sim/compile/paths.js';
import { tupleOf } from '../../../src/switching/ecmp-hash.js';
import { Counters } from '../../model/counters.js';
import { Streams } from '../../model/streams.js';
import { LinkRerouting } from '../../model/rerouting.js';
import { EventQueue } from '../../../src/sim/event-queue.js';
import type { Device } from '../../model/link-ends.js';
import type { Network, World } from '../../model/network.js';
import { dataPacket, notification, pauseFrame, type Packet } from '../../model/packet.js';
import { LinkEnd } from '../../model/port.js';
import { standardParts } from '../../model/standard/parts.js';
import { Switch } from '../../model/switch.js';
import type { NetworkPlan } from '../../../src/sim/plan.js';

/** A packet that arrives at a port of the switch; ports count from 0. */
export interface ModelArrival {
  readonly port: number;
  readonly timePs: number;
  readonly kind: 'data' | 'ack' | 'cnp' | 'pause' | 'resume';
  /** The flow of data and responses. */
  readonly flow: number;
  readonly sequence: number;
  /** Length including the frame check sequence. */
  readonly lenBytes: number;
  /** The class of a pause. */
  readonly trafficClass: number;
}

/** Departures, marks and drops in order of time; ports of the switch count from 0. */
export interface ModelOutcome {
  readonly arrived: {
    readonly port: number;
    readonly timePs: number;
    readonly kind: string;
    readonly flow: number;
    readonly sequence: number;
    readonly marked: boolean;
  }[];
  readonly drops: { readonly timePs: number; readonly flow: number; readonly sequence: number }[];
  readonly marks: { readonly timePs: number; readonly port: number }[];
}

export function runModelSwitch(plan: NetworkPlan, node: number, arrivals: readonly ModelArrival[]): ModelOutcome {
  const outcome: ModelOutcome = { arrived: [], drops: [], marks: [] };
  const { firstPort } = plan.nodes[node]!;
  const ports: LinkEnd[] = [];
  const world: World = {
    changed: {},
    discarding: new Map(),
    plan,
    ports,
    events: new EventQueue(),
    txTimes: new TxTimes(plan.rules.txTime),
    count: new Counters(plan.flows.length),
    streams: new Streams(plan),
    listener: (timePs, kind, at, port, flow, sequence) => {
      if (at !== node) return;
      if (kind === 'drop') outcome.drops.push({ timePs, flow, sequence });
      if (kind === 'mark') outcome.marks.push({ timePs, port: port - firstPort });
    },
    onStep: undefined,
    random: new CongestionPointRandom(plan.seed),
  };
  const network: Network = {
    ...world,
    parts: standardParts(world),
    rerouting: new LinkRerouting(world, ports),
    withoutUsid: new Set(),
    forgetReceiver: () => undefined,
  };
  const one = new Switch(network, node);
  plan.ports.forEach((port, index) => {
    const end = new LinkEnd(network, index, port.node === node ? one : sink(port.node));
    // Frames and pauses that leave the switch are recorded at the far end of the link.
    if (plan.ports[port.peerPort]!.node === node) {
      end.receive = ({ kind, flow, sequence, marked }: Packet): void => {
        const { nowPs: timePs } = world.events;
        outcome.arrived.push({ port: port.peerPort - firstPort, timePs, kind, flow, sequence, marked });
      };
    }
    ports.push(end);
  });
  for (const arrival of arrivals) {
    world.events.schedule(arrival.timePs, () => {
      ports[firstPort + arrival.port]!.receive(packetOf(plan, arrival));
    });
  }
  world.events.runUntil(Infinity);
  return outcome;
}

function packetOf(plan: NetworkPlan, { kind, flow, sequence, lenBytes, trafficClass }: ModelArrival): Packet {
  if (kind === 'pause' || kind === 'resume') return pauseFrame(kind, trafficClass, plan.rules.pauseFrameBytes);
  const { source, destination, dataClass, udpSourcePort, udpDestinationPort } = plan.flows.get(flow);
  const tuple = tupleOf(plan.nodes[source]!.address, plan.nodes[destination]!.address, udpSourcePort,
    udpDestinationPort);
  const data = dataPacket({
    flow,
    destination,
    tuple,
    trafficClass: dataClass,
    sequence,
    payloadBytes: 1,
    nextSequence: sequence + 1,
    lenBytes,
    sentPs: 0,
  });
  if (kind === 'data') return data;
  if (kind === 'cnp')
    return notification('cnp', data, { destination: source, trafficClass: plan.rules.cnpClass, lenBytes });
  return { ...data, kind: 'ack', destination: source };
}

function sink(node: number): Device {
  const nothing = (): void => undefined;
  return {
    node,
    receive: nothing,
    trySend: nothing,
    loseQueues: nothing,
    forgetPauses: nothing,
    flowsHeld: () => [],
  };
}
