/**
 * What one would write without the engine: a class per QP in a Map, plain and direct. The same DCQCN with the switches of
 * the SIGCOMM 2015 preset, with lazy timers, in doubles; it collects the new rates as the engine does.
 */
import type { DcqcnParameters } from '../../src/config/algorithms/dcqcn.js';
import type { EventStream } from './event-stream.js';

const BITS_PER_BYTE_SECOND_PS = 8e12;

export class QpObject {
  rateBps: number;
  targetBps: number;
  alpha: number;
  nextAlphaPs = Infinity;
  nextIncreasePs = Infinity;
  lastEventPs = 0;
  nextSendPs = 0;
  bytesCounted = 0;
  timeStage = 0;
  byteStage = 0;
  limited = false;

  constructor(private readonly parameters: DcqcnParameters) {
    this.rateBps = parameters.maxRateBps;
    this.targetBps = parameters.maxRateBps;
    this.alpha = parameters.initialAlpha;
  }

  onSent(timePs: number, lenBytes: number): boolean {
    if (!this.limited) return false;
    const before = this.rateBps;
    this.catchUp(timePs);
    if (this.limited) {
      this.countBytes(lenBytes);
      if (this.limited) this.nextSendPs = timePs + Math.ceil((lenBytes * BITS_PER_BYTE_SECOND_PS) / this.rateBps);
    }
    this.lastEventPs = timePs;
    return this.rateBps !== before;
  }

  onCnp(timePs: number): boolean {
    const p = this.parameters;
    const before = this.rateBps;
    if (this.limited) this.catchUp(timePs);
    if (!this.limited) {
      this.limited = true;
      this.alpha = p.initialAlpha;
    }
    this.targetBps = this.rateBps;
    this.rateBps = Math.max(this.rateBps * (1 - this.alpha * p.cutScale), p.minRateBps);
    this.timeStage = 0;
    this.byteStage = 0;
    this.bytesCounted = 0;
    this.nextIncreasePs = timePs + p.increasePeriodPs;
    this.alpha = (1 - p.alphaGain) * this.alpha + p.alphaGain;
    this.nextAlphaPs = timePs + p.alphaPeriodPs;
    this.lastEventPs = timePs;
    return this.rateBps !== before;
  }

  private catchUp(timePs: number): void {
    const p = this.parameters;
    while (this.nextAlphaPs <= timePs) {
      this.alpha *= 1 - p.alphaGain;
      this.nextAlphaPs += p.alphaPeriodPs;
    }
    while (this.nextIncreasePs <= timePs) {
      this.nextIncreasePs += p.increasePeriodPs;
      this.increase();
      this.timeStage++;
      if (this.releases()) this.release();
    }
  }

  private countBytes(lenBytes: number): void {
    this.bytesCounted += lenBytes;
    while (this.bytesCounted >= this.parameters.byteCounterBytes) {
      this.bytesCounted -= this.parameters.byteCounterBytes;
      this.increase();
      this.byteStage++;
      if (this.releases()) this.release();
    }
  }

  private increase(): void {
    const p = this.parameters;
    const high = Math.max(this.timeStage, this.byteStage);
    const low = Math.min(this.timeStage, this.byteStage);
    if (low >= p.fastRecoverySteps) this.targetBps += p.haiRateBps * (low - p.fastRecoverySteps + 1);
    else if (high >= p.fastRecoverySteps) this.targetBps += p.aiRateBps;
    this.targetBps = Math.min(this.targetBps, p.maxRateBps);
    this.rateBps = (this.rateBps + this.targetBps) / 2;
  }

  private releases(): boolean {
    return this.rateBps >= this.parameters.maxRateBps;
  }

  private release(): void {
    this.limited = false;
    this.nextAlphaPs = Infinity;
    this.nextIncreasePs = Infinity;
    this.bytesCounted = 0;
    this.timeStage = 0;
    this.byteStage = 0;
  }
}

/** A new rate, as told to the sender. */
export interface RateChange {
  readonly timePs: number;
  readonly qp: number;
  readonly rateBps: number;
}

export class MapOfObjects {
  readonly qps = new Map<number, QpObject>();
  changes: RateChange[] = [];

  constructor(count: number, private readonly parameters: DcqcnParameters) {
    for (let qp = 0; qp < count; qp++) this.qps.set(qp, new QpObject(this.parameters));
  }

  /** Applies events `from` to `to` of a stream; with `tell` new rates are in `changes`. */
  apply(stream: EventStream, from: number, to: number, tell: boolean): void {
    this.changes = [];
    const { timePs, qp, sentBytes } = stream;
    for (let i = from; i < to; i++) {
      const number = qp[i] ?? 0;
      const object = this.qps.get(number);
      if (object === undefined) continue;
      const time = timePs[i] ?? 0;
      const lenBytes = sentBytes[i] ?? 0;
      const changed = lenBytes === 0 ? object.onCnp(time) : object.onSent(time, lenBytes);
      if (changed && tell) this.changes.push({ timePs: time, qp: number, rateBps: object.rateBps });
    }
  }

  /** A copy of all states, to be restored. */
  save(): QpObject[] {
    return [...this.qps.values()].map((object) => Object.assign(new QpObject(this.parameters), object));
  }

  /** Goes back to saved states, in place. */
  restore(saved: readonly QpObject[]): void {
    this.changes = [];
    saved.forEach((state, qp) => {
      const object = this.qps.get(qp);
      if (object !== undefined) copyState(state, object);
    });
  }
}

/** Field by field, so that objects keep their shape. */
export function copyState(from: QpObject, to: QpObject): void {
  to.rateBps = from.rateBps;
  to.targetBps = from.targetBps;
  to.alpha = from.alpha;
  to.nextAlphaPs = from.nextAlphaPs;
  to.nextIncreasePs = from.nextIncreasePs;
  to.lastEventPs = from.lastEventPs;
  to.nextSendPs = from.nextSendPs;
  to.bytesCounted = from.bytesCounted;
  to.timeStage = from.timeStage;
  to.byteStage = from.byteStage;
  to.limited = from.limited;
}
