/**
 * ConWeave at the destination leaf of the second reference: packets on a flow's new path that overtake those on the old
 * one wait until the tail has arrived, or should have.
 *
 *   e < epoch   forwarded, nothing else
 *   ph = 0      tx0 := tx, rx0 := now
 *   e > epoch   epoch := e; phase := 1 of a TAIL, else 0; early = ph > phase; cached := (ph = 0)
 *   e = epoch   TAIL: phase := 1 unless reordering; else early = ph > phase; ph = 0: cached := yes
 *   then        TAIL or ph = 1: tail := tl;  gap = cached ? max(0, tail - tx0) : default wait
 *               ph = 0, reordering: flush at now + 1 ns of a TAIL, else at now + gap + extra
 *               ph = 1, early, not reordering: reordering, flush at max(now, (cached ? rx0 : now) + gap + extra)
 *               marked: notice of the path;  INIT or TAIL: reply;  early: waits, else forwarded
 *   flush       reordering := no, phase := 1, all that waits is forwarded at that instant
 *
 * Source: docs/specs/reference-lossy.md, section 9.
 */
import type { ConWeavePlan } from '../../../src/sim/features/reference-lossy/plan.js';
import type { EventQueue, ScheduledEvent } from '../../../src/sim/event-queue.js';
import type { Port } from '../link-ends.js';
import type { Packet } from '../packet.js';
import type { WeaveLabel } from './conweave-label.js';
import { weaveKey } from './conweave-key.js';

const NS_PS = 1000;

interface Waiting {
  readonly packet: Packet;
  readonly arrival: Port;
}

/** A flow at its destination leaf. */
interface WeaveFlow {
  epoch: number;
  phase: number;
  /** The times at which the last packet of phase 0 was sent and arrived. */
  sentPs: number;
  receivedPs: number;
  cached: boolean;
  tailPs: number;
  lastPs: number;
  /** Set while reordering. */
  flush: ScheduledEvent | undefined;
  waiting: Waiting[];
}

export class WeaveDestination {
  readonly #plan: ConWeavePlan;
  readonly #events: EventQueue;
  readonly #forward: (packet: Packet, arrival: Port) => void;
  readonly #response: (packet: Packet, label: WeaveLabel) => void;
  readonly #flows = new Map<string, WeaveFlow>();

  /** @param answer sends the notice and the reply that a packet requests. */
  constructor(plan: ConWeavePlan, events: EventQueue, forward: (packet: Packet, arrival: Port) => void,
    response: (packet: Packet, label: WeaveLabel) => void) {
    this.#plan = plan;
    this.#events = events;
    this.#forward = forward;
    this.#response = response;
  }

  receive(packet: Packet, arrival: Port, label: WeaveLabel): void {
    const flow = this.#flowOf(packet);
    flow.lastPs = this.#events.nowPs;
    if (label.epoch < flow.epoch) {
      this.#forward(packet, arrival);
      return;
    }
    const early = this.#advance(flow, label);
    this.#schedule(flow, label, early);
    this.#response(packet, label);
    if (early) flow.waiting.push({ packet, arrival });
    else this.#forward(packet, arrival);
  }

  *waiting(): Generator<Packet> {
    for (const { waiting } of this.#flows.values()) for (const { packet } of waiting) yield packet;
  }

  forgetIdle(nowPs: number, longerThanPs: number): void {
    for (const [key, { lastPs, flush }] of this.#flows) {
      if (nowPs - lastPs > longerThanPs && flush === undefined) this.#flows.delete(key);
    }
  }

  #flowOf({ tuple }: Packet): WeaveFlow {
    const key = weaveKey(tuple);
    const flow = this.#flows.get(key) ?? newFlow();
    this.#flows.set(key, flow);
    return flow;
  }

  /** Returns whether the packet has overtaken others. */
  #advance(flow: WeaveFlow, { epoch, phase, kind, sentPs, tailPs }: WeaveLabel): boolean {
    if (phase === 0) {
      flow.sentPs = sentPs;
      flow.receivedPs = this.#events.nowPs;
    }
    if (epoch > flow.epoch) {
      flow.epoch = epoch;
      flow.phase = kind === 'tail' ? 1 : 0;
      flow.cached = phase === 0;
    } else {
      if (kind === 'tail' && flow.flush === undefined) flow.phase = 1;
      if (phase === 0) flow.cached = true;
    }
    if (kind === 'tail' || phase === 1) flow.tailPs = tailPs;
    return kind !== 'tail' && phase > flow.phase;
  }

  #schedule(flow: WeaveFlow, { phase, kind }: WeaveLabel, early: boolean): void {
    const { nowPs } = this.#events;
    const { flushExtraPs, defaultWaitPs } = this.#plan;
    const gapPs = flow.cached ? Math.max(0, flow.tailPs - flow.sentPs) : defaultWaitPs;
    if (phase === 0 && flow.flush !== undefined) {
      this.#flushAt(flow, kind === 'tail' ? nowPs + NS_PS : nowPs + gapPs + flushExtraPs);
    } else if (phase === 1 && early && flow.flush === undefined) {
      const fromPs = flow.cached ? flow.receivedPs : nowPs;
      this.#flushAt(flow, Math.max(nowPs, fromPs + gapPs + flushExtraPs));
    }
  }

  #flushAt(flow: WeaveFlow, timePs: number): void {
    if (flow.flush !== undefined) flow.flush.cancelled = true;
    flow.flush = this.#events.schedule(timePs, () => {
      const { waiting } = flow;
      flow.flush = undefined;
      flow.phase = 1;
      flow.waiting = [];
      for (const { packet, arrival } of waiting) this.#forward(packet, arrival);
    });
  }
}

function newFlow(): WeaveFlow {
  return {
    epoch: 1,
    phase: 0,
    sentPs: 0,
    receivedPs: 0,
    cached: false,
    tailPs: 0,
    lastPs: 0,
    flush: undefined,
    waiting: [],
  };
}
