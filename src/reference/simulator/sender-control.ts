/**
 * What steers one sender of the plain network model: the readable models of congestion control behind one door.
 *
 * DCQCN's timers are in the queue of events (`dcqcn-sender.ts`). All others act on acknowledgements alone.
 */
import { readsAcks, type AckParameters, type AlgorithmParameters } from '../../config/algorithms.js';
import type { Ack } from '../ack.js';
import { makeModel, type AckModel } from '../controllers.js';
import { MAX_INT64_HOPS } from '../hpcc-hops.js';
import { DcqcnSender } from './dcqcn-sender.js';
import type { EventQueue } from './event-queue.js';
import type { ModelEventKind } from './packet.js';

export interface SenderControl {
  /** R, bits per second. */
  readonly rateBps: number;
  onSent(timePs: number, lenBytes: number): void;
  /**
   * An ACK or NAK came. Returns by how much the next packet's time moves, picoseconds; undefined if the algorithm has
   * not set its rate in the way that moves it. (0 is not the same: the host then still looks at its wake-up.)
   */
  onAck(ack: Ack): number | undefined;
  /** All is acknowledged: timers stop. */
  stop(): void;
}

/** Told of transitions, with the rate after them. */
export type ControlListener = (timePs: number, kind: ModelEventKind, rateBps: number) => void;

/** The control of a QP at its beginning. */
export function makeSenderControl(parameters: AlgorithmParameters, events: EventQueue, listener: ControlListener): SenderControl {
  return readsAcks(parameters) ? new AckSender(parameters) : new DcqcnSender(parameters, events, listener);
}

/** A sender that acts on acknowledgements alone. */
class AckSender implements SenderControl {
  readonly #model: AckModel;
  readonly #movesNextSend: boolean;

  constructor(parameters: AckParameters) {
    this.#model = makeModel(parameters);
    this.#movesNextSend = parameters.algorithm === 'hpcc' || parameters.algorithm === 'hpcc-pint';
  }

  get rateBps(): number {
    return this.#model.rateBps;
  }

  onSent(timePs: number, lenBytes: number): void {
    this.#model.onSent(timePs, lenBytes);
  }

  onAck(ack: Ack): number | undefined {
    const beforePs = this.#model.nextSendPs;
    const outcome = this.#model.onAck(ack);
    const reacted = outcome === 'update' || outcome === 'fast';
    if (!this.#movesNextSend || !reacted || tooManyHops(ack)) return undefined;
    return this.#model.nextSendPs - beforePs;
  }

  stop(): void {
    // No timers.
  }
}

function tooManyHops({ telemetry }: Ack): boolean {
  return telemetry?.kind === 'int64' && telemetry.hopCount > MAX_INT64_HOPS;
}
