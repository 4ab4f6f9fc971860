/**
 * Base classes of the readable sender models, one QP: everything that does not depend on the algorithm.
 *
 * Role: holds parameters and state, rejects events with an invalid time, records the time of the others, and paces packets.
 *
 *   event     invalid time, or before the last event   else
 *   packet    rejected                                 the time is recorded; the next packet may leave after a gap
 *   ACK       rejected                                 `takeAck`: the algorithm, which records the time if there is a signal
 *
 * A rejected event changes nothing. `SenderFrame` leaves rate and pacing to subclasses. `RateSender` implements both as most
 * algorithms need them: the rate is a field of the state, and the gap after a packet is its length at that rate.
 */
import type { RateSenderState, RoundTripMark, SendPace, SenderState } from '../../abi/state/state-record.js';
import type { SendGap } from '../../config/algorithms/algorithm.js';
import { eventRejection, takeOver, type Ack, type AckOutcome, type CongestionControl, type EventOutcome,
  type RateTracer } from './ack.js';
import { paceSent } from './rate-numbers.js';

/** Initial values of the state's fields about sent packets. */
const NOTHING_SENT: Readonly<SenderState & SendPace> = Object.freeze({
  lastEventPs: 0,
  nextSendPs: 0,
  lastLenBytes: 0,
});

/** Initial values that include the mark of a round trip, before any ACK. */
export const NO_ROUND_TRIP: Readonly<typeof NOTHING_SENT & RoundTripMark> = Object.freeze({
  ...NOTHING_SENT,
  started: false,
  lastUpdateSeq: 0,
});

/** A sender's congestion control for one QP; subclasses add the algorithm. Methods never throw. */
export abstract class SenderFrame<Parameters, State extends SenderState> implements CongestionControl {
  /** Shared and immutable; must have been validated. */
  protected readonly parameters: Parameters;
  /** The same object as `state`, writable for the model. */
  protected readonly live: State;
  protected tracer: RateTracer | undefined;

  /** @param initial the state of a QP that has sent nothing; the model takes ownership. */
  constructor(parameters: Parameters, initial: State) {
    this.parameters = parameters;
    this.live = initial;
  }

  abstract readonly rateBps: number;
  abstract readonly windowBytes: number;
  abstract onSent(timePs: number, lenBytes: number): EventOutcome;

  /** The live state, not a copy. */
  get state(): Readonly<State> {
    return this.live;
  }

  get nextSendPs(): number {
    return this.live.nextSendPs;
  }

  /** Resumes from the state of another model with the same parameters; unknown fields are ignored. */
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

  /** Checks an event's time, and records it as the last one unless it is rejected. */
  protected admit(timePs: number): EventOutcome {
    const rejection = eventRejection(timePs, this.live.lastEventPs);
    if (rejection !== undefined) return rejection;
    this.live.lastEventPs = timePs;
    return 'handled';
  }

  /** The algorithm's reaction to an ACK with a valid time. It sets `lastEventPs`, unless it returns `no-signal`. */
  protected abstract takeAck(ack: Ack): AckOutcome;
}

/** A rate-based sender: the next packet may leave after the transmission time of this one at the rate. */
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
