/**
 * The frame of a readable sender model, one QP: what every model does besides its algorithm.
 *
 * Role: holds parameters and state, rejects events whose time cannot be, notes the time of the others, and paces packets.
 *
 *   event     no time, or before the last event   else
 *   packet    rejected                             the time is noted; the next packet may leave after a gap
 *   ACK       rejected                             `takeAck`: the algorithm, which notes the time unless it finds no signal
 *
 * A rejected event has changed nothing. `SenderFrame` leaves rate and pacing open; `RateSender` keeps both as most
 * algorithms do: the rate is a field of the state, and a packet keeps the limiter busy for its length at that rate.
 */
import type { RateSenderState, RoundTripMark, SendPace, SenderState } from '../../abi/state/state-record.js';
import type { SendGap } from '../../config/algorithms/shared-types.js';
import { eventRejection, takeOver, type Ack, type AckOutcome, type CongestionControl,
  type EventOutcome } from './ack.js';
import { paceSent } from './rate-numbers.js';
import type { RateTracer } from './rate-tracer.js';

/** The part of a state about what was sent: nothing yet. */
export const NOTHING_SENT: Readonly<SenderState & SendPace> = Object.freeze({
  lastEventPs: 0,
  nextSendPs: 0,
  lastLenBytes: 0,
});

/** The same with the mark of a round trip, which no ACK has set. */
export const NO_ROUND_TRIP: Readonly<typeof NOTHING_SENT & RoundTripMark> = Object.freeze({
  ...NOTHING_SENT,
  started: false,
  lastUpdateSeq: 0,
});

/** A sender's congestion control for one QP, its algorithm left open. Methods never throw. */
export abstract class SenderFrame<Parameters, State extends SenderState> implements CongestionControl {
  /** Shared and unchanging; must have been validated. */
  protected readonly parameters: Parameters;
  /** The same as `state`, for the model itself. */
  protected readonly live: State;
  protected tracer: RateTracer | undefined;

  /** @param initial the state of a QP that has sent nothing; it becomes the model's own. */
  constructor(parameters: Parameters, initial: State) {
    this.parameters = parameters;
    this.live = initial;
  }

  abstract readonly rateBps: number;
  abstract readonly windowBytes: number;
  abstract onSent(timePs: number, lenBytes: number): EventOutcome;

  /** The live state; it changes under its reader. */
  get state(): Readonly<State> {
    return this.live;
  }

  get nextSendPs(): number {
    return this.live.nextSendPs;
  }

  /** Resumes from a state of another model with the same parameters; other fields are ignored. */
  resume(state: object): void {
    takeOver(this.live, state);
    this.tracer?.start(this.rateBps);
  }

  traceWith(tracer: RateTracer): void {
    this.tracer = tracer;
    tracer.start(this.rateBps);
  }

  onAck(ack: Ack): AckOutcome {
    return eventRejection(ack.timePs, this.live.lastEventPs) ?? this.takeAck(ack);
  }

  onTouch(timePs: number): EventOutcome {
    return this.admit(timePs);
  }

  /** An event's time: rejected, or noted as the last one. */
  protected admit(timePs: number): EventOutcome {
    const rejection = eventRejection(timePs, this.live.lastEventPs);
    if (rejection !== undefined) return rejection;
    this.live.lastEventPs = timePs;
    return 'handled';
  }

  /** The algorithm, for an ACK whose time can be. It sets `lastEventPs`, except where it returns `no-signal`. */
  protected abstract takeAck(ack: Ack): AckOutcome;
}

/** A rate-based sender: the next packet may leave once this one has passed at that rate. */
export abstract class RateSender<Parameters, State extends RateSenderState> extends SenderFrame<Parameters, State> {
  /** Rounding of the gap between packets. */
  protected readonly sendGap: SendGap;

  constructor(parameters: Parameters, initial: State, sendGap: SendGap) {
    super(parameters, initial);
    this.sendGap = sendGap;
  }

  get rateBps(): number {
    return this.live.rateBps;
  }

  onSent(timePs: number, lenBytes: number): EventOutcome {
    const outcome = this.admit(timePs);
    if (outcome === 'handled') paceSent(this.sendGap, this.live, timePs, lenBytes, this.live.rateBps);
    return outcome;
  }
}
