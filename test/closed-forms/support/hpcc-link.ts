/**
 * A fluid link, and HPCC flows of an engine that share it. Time advances in steps: in a step of length d a flow sends
 * its window times d / T, the link carries what fits and the rest is queued. At the end of a step each flow receives an
 * ACK with the link's record.
 */
import { createEngineSync, gbps, us, type Engine, type HpccParameters } from '../../../src/index.js';

export const LINE_BPS = gbps(100);
export const RTT_PS = us(10);
/** C, the bytes that the link carries per round trip, and W_0 of each flow. */
export const CAPACITY_BYTES = (LINE_BPS * RTT_PS) / 8e12;

export class HpccLink {
  readonly engine: Engine;
  readonly flows: readonly number[];
  /** Bytes in the queue. */
  queueBytes = 0;
  /** Bytes that the flows sent in the last step, divided by the bytes that the link could carry. */
  offeredLoad = 0;
  readonly #stepsPerRoundTrip: number;
  #timePs = us(1);
  #txBytes = 0;
  #acks = 0;

  constructor(parameters: HpccParameters, flowCount: number, stepsPerRoundTrip: number) {
    this.engine = createEngineSync({
      parameterSets: { hpcc: parameters },
      capacity: { qps: flowCount, events: flowCount },
    });
    this.flows = Array.from({ length: flowCount }, (_, i) => this.engine.openQp({ localQpn: i + 1 }));
    this.#stepsPerRoundTrip = stepsPerRoundTrip;
    this.acknowledge();
  }

  /** Sum of the windows divided by C. */
  get load(): number {
    return this.flows.reduce((sum, qp) => sum + this.engine.windowBytes(qp), 0) / CAPACITY_BYTES;
  }

  /** One step of the link, and its ACKs. */
  step(): void {
    const stepBytes = CAPACITY_BYTES / this.#stepsPerRoundTrip;
    this.offeredLoad = this.load;
    const arrived = this.queueBytes + this.offeredLoad * stepBytes;
    const carried = Math.min(stepBytes, arrived);
    this.#txBytes += carried;
    this.queueBytes = arrived - carried;
    this.#timePs += RTT_PS / this.#stepsPerRoundTrip;
    this.acknowledge();
  }

  /** An ACK per flow with the link's record; every `stepsPerRoundTrip`-th begins a round trip. */
  acknowledge(): void {
    const hops = [{ timePs: this.#timePs, txBytes: this.#txBytes, qlenBytes: this.queueBytes, lineRateBps: LINE_BPS }];
    this.#acks += 1;
    const fields = {
      ackSeq: this.#acks,
      sndNxt: this.#acks + this.#stepsPerRoundTrip - 1,
      telemetry: { kind: 'exact', hops },
    } as const;
    for (const qp of this.flows) this.engine.events.ack(this.#timePs, qp, fields);
    this.engine.applyEvents();
  }

  /** Gives each flow its window by ACKs of another path whose load leads to it; then all return to this link. */
  spread(windowsBytes: readonly number[], parameters: HpccParameters): void {
    const { targetUtilization, windowBytes, aiWindowBytes } = parameters;
    this.#acks += 1;
    const ackSeq = this.#acks;
    this.flows.forEach((qp, i) => {
      const load = (windowBytes * targetUtilization) / (windowsBytes[i]! - aiWindowBytes);
      this.#detour(qp, ackSeq, 0);
      this.#detour(qp, ackSeq, load * CAPACITY_BYTES);
    });
    this.#timePs += 2 * RTT_PS;
    this.acknowledge();
  }

  /** An ACK with the record of another path; if the path is already known, its load causes a step. */
  #detour(qp: number, ackSeq: number, txBytes: number): void {
    const timePs = this.#timePs + (txBytes === 0 ? 0 : RTT_PS);
    const hops = [{ timePs, txBytes, qlenBytes: 0, lineRateBps: LINE_BPS, hopId: 7 }];
    this.engine.events.ack(timePs, qp, { ackSeq, sndNxt: ackSeq, telemetry: { kind: 'exact', hops, pathId: 7 } });
    this.engine.applyEvents();
  }
}
