/** The QPs with several messages; sender and receiver share them because both need the ends of messages. */
import { messageCounts } from '../../src/sim/features/connections/compile.js';
import type { NetworkPlan } from '../../src/sim/plan.js';
import { MessageStream } from './send-stream.js';

export class Streams {
  readonly #plan: NetworkPlan;
  readonly #streams = new Map<number, MessageStream>();

  constructor(plan: NetworkPlan) {
    this.#plan = plan;
  }

  /** Opens the QP that a flow leads. */
  open(leader: number, mtuBytes: number): MessageStream {
    const { connections } = this.#plan;
    const stream = new MessageStream(mtuBytes, connections === undefined ? 0 : messageCounts(connections)[leader]);
    this.#streams.set(leader, stream);
    return stream;
  }

  /** Undefined: the flow has its own QP. */
  of(leader: number): MessageStream | undefined {
    return this.#streams.get(leader);
  }
}
