/**
 * HPCC's sender, one QP: the readable model.
 *
 * Role: the entry points of the model. Each event is checked (valid time, not before the QP's last event), an ACK is
 * classified as below, and `update.ts` does the arithmetic.
 *
 *   case                                        effect
 *   ACK without readable telemetry              none
 *   ACK within the round trip, no fastReact     none
 *   first ACK                                   records stored; lastUpdateSeq = sndNxt
 *   more hops than records can hold             rate unchanged; a full update still moves lastUpdateSeq
 *   another path (`pathChange: 'reset'`)        records stored; rate and lastUpdateSeq stay, so the next ACK updates
 *   else                                        react; a full update commits and moves lastUpdateSeq
 *
 * A full update is an ACK with ackSeq > lastUpdateSeq, so one comes per round trip; then lastUpdateSeq = sndNxt.
 * HPCC ignores CNPs and losses.
 *
 * Citation: Li et al., "HPCC: High Precision Congestion Control", SIGCOMM 2019, algorithm 1.
 * Known deviations: on a first ACK with too many hops the simulator writes out of bounds; here the hops that fit are stored.
 */
import type { HpccState } from '../../../abi/state/hpcc.js';
import type { HpccParameters } from '../../../config/algorithms/hpcc/parameters.js';
import { beginsRoundTrip, moveMark, type Ack, type AckOutcome } from '../ack.js';
import type { Telemetry } from './hops.js';
import { hopLimit, initialHpccState, isNewPath, react, restartHops, takeRecords, telemetryHops } from './update.js';
import { RateSender } from '../sender-frame.js';

/**
 * HPCC's sender for one QP. The parameters must have been validated.
 *
 * Methods never throw; a rejected event changes nothing.
 */
export class HpccModel extends RateSender<HpccParameters, HpccState> {
  #rateSet = false;

  constructor(parameters: HpccParameters) {
    super(parameters, initialHpccState(parameters), parameters.sendGap);
  }

  get windowBytes(): number {
    return this.live.windowBytes;
  }

  /** Whether the last ACK set the rate, perhaps to the same value. False for the first ACK, or if all hops were ignored. */
  get rateSet(): boolean {
    return this.#rateSet;
  }

  override onAck(ack: Ack): AckOutcome {
    this.#rateSet = false;
    return super.onAck(ack);
  }

  protected takeAck(ack: Ack): AckOutcome {
    const { telemetry } = ack;
    const hopCount = telemetryHops(this.parameters, telemetry);
    if (telemetry === undefined || hopCount === undefined) return 'no-signal';
    this.live.lastEventPs = ack.timePs;
    const full = beginsRoundTrip(this.parameters.sequence, this.live, ack.ackSeq);
    if (!full && !this.parameters.fastReact) return 'skipped';
    return this.#takeHops(ack.sndNxt, telemetry, hopCount, full);
  }

  #takeHops(sndNxt: number, telemetry: Telemetry, hopCount: number, full: boolean): AckOutcome {
    const parameters = this.parameters;
    const state = this.live;
    if (!state.started) {
      takeRecords(parameters, state, telemetry, hopCount);
      moveMark(parameters.sequence, state, sndNxt);
      return 'first';
    }
    if (hopCount <= hopLimit(parameters)) {
      if (parameters.pathChange === 'reset' && isNewPath(state, telemetry, hopCount)) {
        takeRecords(parameters, state, telemetry, hopCount);
        restartHops(parameters, state);
        return 'new-path';
      }
      this.#rateSet = react(parameters, state, telemetry, hopCount, full, this.tracer);
    }
    if (full) moveMark(parameters.sequence, state, sndNxt);
    return full ? 'update' : 'fast';
  }
}
