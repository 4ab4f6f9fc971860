/**
 * Congestion control under `standard`: a model of `src/reference/algorithms`, used as by the hosts of the engine.
 *
 *   window         the algorithm's own if it keeps one, else the plan's; DCQCN has the plan's alone
 *   gap            after a packet: the algorithm's; none while DCQCN does not limit the flow; the port's rate if the
 *                  rules don't pace. An applied ACK or notification moves a running gap to the algorithm's time
 *   numbers        packets (24 bits): first byte / payload, rounded up
 *   notification   duplicates have no effect: a CNP within w of a Fast CNP, and a Fast CNP within w of a CNP, or of a
 *                  Fast CNP unless it has hops that the algorithm reads. Under `ack-flag` an echo counts as a CNP
 *
 * w = `fastCnp.duplicateWindowPs`.
 */
import { PACES, FAST_ACKS } from '../../../src/abi/algorithms.js';
import { ALGORITHMS, factsOf, readsAcks, type BuiltInParameters } from '../../../src/config/algorithms/registry.js';
import type { Ack } from '../../../src/reference/algorithms/ack.js';
import { DcqcnModel } from '../../../src/reference/algorithms/dcqcn/model.js';
import { RcccModel } from '../../../src/reference/algorithms/rccc/model.js';
import { windowInUse } from '../../../src/reference/algorithms/rate-numbers.js';
import { makeModel, type AckModel } from '../../../src/reference/algorithms/registry.js';
import type { FlowPlan } from '../../../src/sim/plan.js';
import type { LossReaction } from '../../../src/sim/scenario/spec.js';
import { transportOf } from './transports.js';
import type { World } from '../network.js';
import type { Packet } from '../packet.js';
import type { AckedBytes, Reaction, SendingFlow, CongestionControl, SenderCredit } from '../parts.js';

const NUMBERS = 2 ** 24;
const BITS_PS = 8e12;
/** A loss that counts as a notification. */
const LOSS_AS_CNP: Pick<Packet, 'kind' | 'records'> = { kind: 'cnp', records: [] };

/** The interface of a QP under any algorithm. */
interface Control {
  readonly rateBps: number;
  readonly ownWindowBytes: number;
  /** Undefined: no gap. */
  readonly nextSendPs: number | undefined;
  touch(timePs: number): unknown;
  sent(timePs: number, lenBytes: number): void;
  /** Returns whether the ACK was applied. */
  ack(ack: Ack): boolean;
  loss(timePs: number, found: 'fast' | 'timeout'): void;
  /** Handles a NACK of a trimmed packet with this payload. */
  nack(timePs: number, nack: Packet, payloadBytes: number): void;
  notified(timePs: number, packet: Pick<Packet, 'kind' | 'records'>): boolean;
  readonly readsHops: boolean;
  readonly movesNextSend: boolean;
  change?(timePs: number, parameters: BuiltInParameters): void;
  readonly credit?: SenderCredit | undefined;
}

export class StandardCongestionControl implements CongestionControl {
  readonly #world: World;
  readonly #flow: FlowPlan;
  #control: Control;
  readonly #isTimed: boolean;
  readonly #readsTelemetry: boolean;
  readonly #mtuBytes: number;
  readonly #lineRateBps: number;
  readonly #lossReaction: LossReaction;
  #lastCnpPs = -Infinity;
  #lastFastCnpPs = -Infinity;

  constructor(world: World, index: number) {
    const { plan } = world;
    this.#world = world;
    this.#flow = plan.flows.get(index);
    const { source, sourcePort, parameterSet } = this.#flow;
    const parameters = plan.parameterSets[parameterSet] as BuiltInParameters;
    this.#isTimed = !readsAcks(parameters, ALGORITHMS);
    this.#control = controlOf(parameters);
    this.#readsTelemetry = plan.rules.telemetry !== 'none' && factsOf(parameters).telemetry !== undefined;
    this.#mtuBytes = plan.nodes[source].mtuBytes ?? plan.rules.mtuBytes;
    this.#lineRateBps = plan.ports[sourcePort].rateBps;
    this.#lossReaction = transportOf(plan, index).lossReaction;
  }

  get rateBps(): number {
    return this.#control.rateBps;
  }

  get credit(): SenderCredit | undefined {
    return this.#control.credit;
  }

  rateAt(timePs: number): number {
    this.#control.touch(timePs);
    return this.rateBps;
  }

  /** Restarts the algorithm but still recognises duplicates of earlier notifications. */
  restart(): void {
    this.#control = controlOf(this.#world.plan.parameterSets[this.#flow.parameterSet] as BuiltInParameters);
  }

  windowBytes(): number {
    const { windowMode, windowBytes } = this.#flow;
    const { ownWindowBytes } = this.#control;
    if (ownWindowBytes > 0) return Math.max(1, Math.floor(ownWindowBytes));
    if (windowMode === 'none' || windowBytes === 0) return 0;
    if (this.#isTimed && windowMode === 'variable') this.#control.touch(this.#world.events.nowPs);
    return windowInUse(windowMode, 'whole-bps', windowBytes, Math.trunc(this.rateBps), this.#lineRateBps);
  }

  onSent(timePs: number, lenBytes: number): number {
    this.#control.sent(timePs, lenBytes);
    if (!this.#world.plan.rules.pacing) return timePs + Math.ceil((lenBytes * BITS_PS) / this.#lineRateBps);
    return this.#control.nextSendPs ?? timePs;
  }

  onResponse({ sndNxt, recovery, nextAvailPs }: SendingFlow, response: Packet, acked: AckedBytes): number | undefined {
    const { events: { nowPs }, plan: { rules } } = this.#world;
    if (this.#isTimed) {
      if (rules.notification === 'ack-flag' && response.echo) this.#takeCnp(nowPs, response);
      return undefined;
    }
    const counts = this.#control.ack({
      timePs: nowPs,
      ackSeq: this.#numberOf(response.sequence),
      sndNxt: this.#numberOf(recovery.newFrom ?? sndNxt),
      ecnEcho: response.echo,
      sentTimePs: response.sentPs,
      hostDelayPs: 0,
      hopCount: response.hopCount,
      ackedPackets: Math.ceil(acked / this.#mtuBytes),
      ackedBytes: acked,
      ...(this.#readsTelemetry ? { telemetry: { kind: 'exact', hops: response.records } as const } : {}),
      pintPower: response.pintPower,
      ...(response.demand === undefined ?
        {} :
        { windowPenalty: response.demand.penalty, restoreWindow: response.demand.restores }),
    });
    return counts && this.#control.movesNextSend ? this.#movedTo(nextAvailPs) : undefined;
  }

  onLoss(timePs: number, found: 'fast' | 'timeout'): number | undefined {
    if (this.#lossReaction === 'algorithm') this.#control.loss(timePs, found);
    if (this.#lossReaction !== 'cnp' || !this.#takeCnp(timePs, LOSS_AS_CNP)) return undefined;
    return this.#control.movesNextSend ? this.#movedTo(undefined) : undefined;
  }

  onNack(timePs: number, nack: Packet, payloadBytes: number): number | undefined {
    if (this.#lossReaction !== 'algorithm') return this.onLoss(timePs, 'fast');
    this.#control.nack(timePs, nack, payloadBytes);
    return undefined;
  }

  onNotification(timePs: number, packet: Packet): Reaction {
    const taken = packet.kind === 'cnp' ? this.#takeCnp(timePs, packet) : this.#takeFastCnp(timePs, packet);
    return { taken, nextAvailPs: taken && this.#control.movesNextSend ? this.#movedTo(undefined) : undefined };
  }

  stop(): void {
    // Timers are evaluated at the time of each call.
  }

  /** Only DCQCN parameters can change. */
  changeParameters(timePs: number): void {
    this.#control.change?.(timePs, this.#world.plan.parameterSets[this.#flow.parameterSet] as BuiltInParameters);
  }

  /** The new end of a running gap, for algorithms that change it; for others only a packet starts a gap. */
  #movedTo(otherwisePs: number | undefined): number | undefined {
    return this.#world.plan.rules.pacing ? this.#control.nextSendPs ?? otherwisePs : otherwisePs;
  }

  #takeCnp(timePs: number, packet: Pick<Packet, 'kind' | 'records'>): boolean {
    if (this.#repeats(timePs, this.#lastFastCnpPs) || !this.#control.notified(timePs, packet)) return false;
    this.#lastCnpPs = timePs;
    return true;
  }

  #takeFastCnp(timePs: number, packet: Packet): boolean {
    const { accepted } = this.#world.plan.fastCnp;
    const tellsHops = this.#control.readsHops && packet.records.length > 0;
    const latestPs = tellsHops ? this.#lastCnpPs : Math.max(this.#lastCnpPs, this.#lastFastCnpPs);
    if (!accepted || this.#repeats(timePs, latestPs) || !this.#control.notified(timePs, packet)) return false;
    this.#lastFastCnpPs = timePs;
    return true;
  }

  #repeats(timePs: number, earlierPs: number): boolean {
    return timePs - earlierPs < this.#world.plan.fastCnp.duplicateWindowPs;
  }

  #numberOf(byte: number): number {
    return Math.ceil(byte / this.#mtuBytes) % NUMBERS;
  }
}

function controlOf(parameters: BuiltInParameters): Control {
  return readsAcks(parameters, ALGORITHMS) ?
    ackControl(makeModel(parameters), factsOf(parameters).traits) :
    dcqcnControl(new DcqcnModel(parameters));
}

function dcqcnControl(first: DcqcnModel): Control {
  let model = first;
  return {
    get rateBps() {
      return model.state.rateBps;
    },
    ownWindowBytes: 0,
    get nextSendPs() {
      return model.state.limited ? model.state.nextSendPs : undefined;
    },
    touch: (timePs) => model.touch(timePs),
    sent: (timePs, lenBytes) => model.sent(timePs, lenBytes),
    ack: () => false,
    loss: () => undefined,
    nack: () => undefined,
    notified: (timePs) => {
      model.cnp(timePs);
      return true;
    },
    readsHops: false,
    movesNextSend: false,
    change: (timePs, parameters) => {
      if (parameters.algorithm !== 'dcqcn') return;
      model.touch(timePs - 1);
      const { state } = model;
      model = new DcqcnModel(parameters);
      model.resume(state);
    },
  };
}

function ackControl(model: AckModel, traits: number): Control {
  return {
    get rateBps() {
      return model.rateBps;
    },
    get ownWindowBytes() {
      return model.windowBytes;
    },
    get nextSendPs() {
      return model.nextSendPs;
    },
    touch: (timePs) => model.onTouch(timePs),
    sent: (timePs, lenBytes) => model.onSent(timePs, lenBytes),
    ack: (ack) => {
      const outcome = model.onAck(ack);
      return (traits & FAST_ACKS) !== 0 || outcome === 'first' || outcome === 'update' || outcome === 'fast' ||
        outcome === 'new-path';
    },
    loss: (timePs, found) => model.onLoss?.(timePs, found),
    nack: (timePs, { sentPs, trimmed }, trimmedBytes) =>
      model.onNack === undefined ?
        model.onLoss?.(timePs, 'fast') :
        model.onNack({ timePs, trimmedBytes, sentTimePs: sentPs, isLastHop: trimmed === 'last-hop' }),
    notified: (timePs, { kind, records }) => {
      if (model.onNotification === undefined) return false;
      const telemetry = kind === 'fast-cnp' && records.length > 0 ?
        { kind: 'exact', hops: records, partial: true } as const :
        undefined;
      const outcome = model.onNotification(timePs, kind === 'fast-cnp' ? 'fast-cnps' : 'cnps', telemetry);
      return outcome !== 'no-signal' && outcome !== 'skipped';
    },
    readsHops: model.onNotification !== undefined,
    movesNextSend: (traits & PACES) !== 0,
    credit: model instanceof RcccModel ? creditOf(model) : undefined,
  };
}

function creditOf(model: RcccModel): SenderCredit {
  return {
    get hasCredit() {
      return model.hasCredit;
    },
    take: (timePs, pullNumber) => model.onCredit(timePs, pullNumber),
    miss: (timePs) => model.onLoss(timePs, 'timeout'),
    pullTarget: (backlogBytes, senders) => model.pullTarget(backlogBytes, senders),
  };
}
