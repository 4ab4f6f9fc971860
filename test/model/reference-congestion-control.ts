/**
 * Congestion control as in the reference simulators: windows from the plan, gaps in whole nanoseconds, timers of
 * DCQCN as ordinary events (`dcqcn-sender.ts`), marks reported by ACKs.
 */
import { ALGORITHMS, readsAcks, type BuiltInParameters } from '../../src/config/algorithms/registry.js';
import { windowInUse } from '../../src/reference/algorithms/rate-numbers.js';
import { ns3TxTimePs } from '../../src/sim/compile/paths.js';
import type { FlowPlan } from '../../src/sim/plan.js';
import { AckSender } from './ack-sender.js';
import { DcqcnSender } from './dcqcn-sender.js';
import type { World } from './network.js';
import type { Packet } from './packet.js';
import type { Reaction, SendingFlow, CongestionControl } from './parts.js';
import type { SenderControl } from './sender-control.js';

export class ReferenceCongestionControl implements CongestionControl {
  readonly #world: World;
  readonly #flow: FlowPlan;
  readonly #control: SenderControl;
  readonly #maxRateBps: number;

  constructor(world: World, index: number) {
    const { plan } = world;
    this.#world = world;
    this.#flow = plan.flows.get(index);
    this.#maxRateBps = plan.parameterSets[this.#flow.parameterSet].maxRateBps;
    this.#control = makeControl(world, index);
  }

  get rateBps(): number {
    return this.#control.rateBps;
  }

  rateAt(): number {
    return this.rateBps;
  }

  restart(): void {
    // QPs in the reference simulators have one message.
  }

  windowBytes(): number {
    const { windowMode, windowBytes } = this.#flow;
    if (windowBytes === 0) return 0;
    return windowInUse(windowMode, 'whole-bps', windowBytes, this.rateBps, this.#maxRateBps);
  }

  onSent(timePs: number, lenBytes: number): number {
    const rateBps = this.#world.plan.rules.pacing ? this.rateBps : this.#maxRateBps;
    this.#control.onSent(timePs, lenBytes);
    return timePs + ns3TxTimePs(lenBytes, rateBps);
  }

  onResponse({ sndNxt, nextAvailPs }: SendingFlow, response: Packet): number | undefined {
    const { nowPs: timePs } = this.#world.events;
    const shiftPs = this.#control.onAck({
      timePs,
      ackSeq: response.sequence,
      sndNxt,
      ecnEcho: response.echo,
      sentTimePs: response.sentPs,
      telemetry: { kind: 'int64', hopCount: response.hopCount, hops: response.hops },
      pintPower: response.pintPower,
    });
    return shiftPs === undefined ? undefined : nextAvailPs + shiftPs;
  }

  onLoss(): undefined {
    // A loss has no effect.
  }

  onNotification(): Reaction {
    return { taken: false, nextAvailPs: undefined };
  }

  stop(): void {
    this.#control.stop();
  }
}

function makeControl({ plan, events, listener }: World, index: number): SenderControl {
  const { parameterSet, source, sourcePort } = plan.flows.get(index);
  const parameters = plan.parameterSets[parameterSet] as BuiltInParameters;
  if (readsAcks(parameters, ALGORITHMS)) return new AckSender(parameters);
  return new DcqcnSender(parameters, events, (timePs, kind, rateBps) => {
    listener?.(timePs, kind, source, sourcePort, index, rateBps);
  });
}
