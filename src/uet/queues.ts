/**
 * The output queues of switches and hosts. A switch's has data in the low class and headers in the high class, which
 * is served first.
 *
 * If a data packet does not fit, a coin toss selects it or the newest one in the queue. The selected packet is trimmed
 * to a header, which goes to the high class; without trimming it is dropped.
 *
 * A departing data packet is marked according to n, the bytes of data that remain in the queue:
 *
 *   n > high: marked;   low < n <= high: marked with probability (n - low) / (high - low);   else not
 *
 * As in the reference, the newest packet can be removed while it is being sent; the transmission time remains that of
 * the packet that was there at its start. The level for adaptive routing is at most 100 ns old.
 */
import { SimEvent } from './event-list.js';
import { Fifo } from './fifo.js';
import type { QueueSettings } from './network-plan.js';
import { HIGH, type Packet, type PacketSink } from './packet.js';
import type { RunContext } from './run-context.js';

/** Packets of the high class before one of the low class is sent, if both wait. */
const HIGH_PACKETS = 100_000;
const DRAW_MAX = 0x7fff_ffff;
const COIN = 0.5;
const PS_PER_BYTE_AT_1_BPS = 8e12;
const LEVEL_AGE_PS = 100_000;
/** Percentages of the queue limit at which levels 1, 2 and 3 begin. */
const LEVEL_PERCENTS = [5, 10, 20];

/** Trimming settings of the run. */
export interface TrimSettings {
  readonly isTrimming: boolean;
  /** Size of a trimmed packet, bytes. */
  readonly trimBytes: number;
}

/** Picoseconds per byte, rounded down as in the reference. */
export function psPerByte(rateBps: number): number {
  return Math.trunc(PS_PER_BYTE_AT_1_BPS / rateBps);
}

export class SwitchQueue implements PacketSink {
  readonly name: string;
  /** Whether the queue leads to a host. */
  readonly isLastHop: boolean;
  readonly #context: RunContext;
  readonly #settings: QueueSettings;
  readonly #trim: TrimSettings;
  readonly #next: PacketSink;
  readonly #psPerByte: number;
  readonly #low = new Fifo<Packet>();
  readonly #high = new Fifo<Packet>();
  readonly #served = new SimEvent(() => this.#endService());
  #lowBytes = 0;
  #highBytes = 0;
  #serving: 'low' | 'high' | undefined = undefined;
  /** Starts at 1, as in the reference: the first switch to the low class comes one packet earlier. */
  #highPackets = 1;
  #level = 0;
  #levelPs = 0;

  constructor(context: RunContext, place: { readonly name: string; readonly isLastHop: boolean },
    settings: QueueSettings, trim: TrimSettings, next: PacketSink) {
    this.name = place.name;
    this.isLastHop = place.isLastHop;
    this.#context = context;
    this.#settings = settings;
    this.#trim = trim;
    this.#next = next;
    this.#psPerByte = psPerByte(settings.rateBps);
  }

  receive(packet: Packet): void {
    if (packet.isHeaderOnly) this.#receiveHeader(packet);
    else this.#receiveData(packet);
  }

  /** Load level, 0 to 3, from the bytes of both classes; recomputed if it is older than 100 ns. */
  level(): number {
    const { nowPs } = this.#context.events;
    if (nowPs - this.#levelPs > LEVEL_AGE_PS) {
      const percent = ((this.#lowBytes + this.#highBytes) * 100) / this.#settings.limitBytes;
      this.#level = LEVEL_PERCENTS.filter((threshold) => percent >= threshold).length;
      this.#levelPs = nowPs;
    }
    return this.#level;
  }

  #receiveData(packet: Packet): void {
    if (this.#lowBytes + packet.sizeBytes <= this.#settings.limitBytes) {
      this.#appendLow(packet);
    } else if (this.#context.random.fraction() < COIN) {
      const newest = this.#low.pop();
      if (newest !== undefined) {
        this.#lowBytes -= newest.sizeBytes;
        this.#context.counts.tailSwaps += 1;
        this.#trace('QB', newest);
        this.#reject(newest);
      }
      this.#appendLow(packet);
    } else {
      this.#reject(packet);
    }
    if (this.#serving === undefined) this.#beginService();
  }

  #receiveHeader(packet: Packet): void {
    this.#appendHigh(packet);
    if (this.#serving === undefined) this.#beginService();
  }

  /** Trims a data packet, or drops it. */
  #reject(packet: Packet): void {
    const { counts, pool } = this.#context;
    if (!this.#trim.isTrimming) {
      counts.drops += 1;
      this.#trace('QD', packet);
      pool.drop(packet);
      return;
    }
    counts.trims += 1;
    this.#trace('QT', packet);
    pool.trim(packet, this.#trim.trimBytes);
    packet.isHeaderOnly = true;
    packet.hostClass = HIGH;
    packet.isTrimmedAtLastHop = this.isLastHop;
    this.#appendHigh(packet);
  }

  #appendLow(packet: Packet): void {
    const { counts } = this.#context;
    this.#low.push(packet);
    this.#lowBytes += packet.sizeBytes;
    if (this.#lowBytes > counts.maxLowBytes) counts.maxLowBytes = this.#lowBytes;
  }

  #appendHigh(packet: Packet): void {
    const { counts, pool } = this.#context;
    if (this.#highBytes + packet.sizeBytes > 2 * this.#settings.limitBytes) {
      counts.headerDrops += 1;
      this.#trace('QH', packet);
      pool.drop(packet);
      return;
    }
    this.#high.push(packet);
    this.#highBytes += packet.sizeBytes;
    if (this.#highBytes > counts.maxHighBytes) counts.maxHighBytes = this.#highBytes;
  }

  #beginService(): void {
    const serving = this.#nextClass();
    const head = serving === 'low' ? this.#low.first : this.#high.first;
    this.#serving = serving;
    if (head === undefined) return;
    const { events } = this.#context;
    events.schedule(this.#served, events.nowPs + head.sizeBytes * this.#psPerByte);
  }

  #nextClass(): 'low' | 'high' | undefined {
    if (this.#high.length === 0) return this.#low.length > 0 ? 'low' : undefined;
    if (this.#low.length === 0) return 'high';
    this.#highPackets += 1;
    if (this.#highPackets <= HIGH_PACKETS) return 'high';
    this.#highPackets = 0;
    return 'low';
  }

  #endService(): void {
    const packet = this.#serving === 'low' ? this.#takeLow() : this.#takeHigh();
    if (packet !== undefined) this.#next.receive(packet);
    this.#beginService();
  }

  #takeHigh(): Packet | undefined {
    const packet = this.#high.shift();
    if (packet !== undefined) this.#highBytes -= packet.sizeBytes;
    return packet;
  }

  #takeLow(): Packet | undefined {
    const packet = this.#low.shift();
    if (packet === undefined) return undefined;
    this.#lowBytes -= packet.sizeBytes;
    if (this.#isMarking()) {
      packet.isMarked = true;
      this.#context.counts.ecnMarks += 1;
      this.#trace('QM', packet);
    }
    return packet;
  }

  #isMarking(): boolean {
    const { markLowBytes, markHighBytes } = this.#settings;
    const bytes = this.#lowBytes;
    if (bytes > markHighBytes) return true;
    if (bytes <= markLowBytes) return false;
    return this.#context.random.draw() < scaled(DRAW_MAX, bytes - markLowBytes, markHighBytes - markLowBytes);
  }

  #trace(event: string, { flowId, tracedSeq }: Packet): void {
    this.#context.trace?.(this.#context.events.nowPs, event, this.name, flowId, tracedSeq);
  }
}

/** floor(whole * part / total), exact although the product may exceed 2^53. */
function scaled(whole: number, part: number, total: number): number {
  const quotient = Math.floor(whole / total);
  return quotient * part + Math.floor(((whole % total) * part) / total);
}

/**
 * The output queue of a host: three classes in strict priority, each with round robin over flows in the
 * order of their ids. Its size is unlimited; if the NIC is as fast as the link, it holds one packet.
 */
export class HostQueue implements PacketSink {
  readonly #context: RunContext;
  readonly #psPerByte: number;
  readonly #next: PacketSink;
  readonly #classes = [new FlowRound(), new FlowRound(), new FlowRound()];
  readonly #served = new SimEvent(() => this.#endService());
  #sending: Packet | undefined = undefined;

  constructor(context: RunContext, rateBps: number, next: PacketSink) {
    this.#context = context;
    this.#psPerByte = psPerByte(rateBps);
    this.#next = next;
  }

  receive(packet: Packet): void {
    this.#classes[packet.hostClass].push(packet);
    if (this.#sending === undefined) this.#beginService();
  }

  #beginService(): void {
    const [high, middle, low] = this.#classes;
    this.#sending = high.shift() ?? middle.shift() ?? low.shift();
    if (this.#sending === undefined) return;
    const { events } = this.#context;
    events.schedule(this.#served, events.nowPs + this.#sending.sizeBytes * this.#psPerByte);
  }

  #endService(): void {
    if (this.#sending !== undefined) this.#next.receive(this.#sending);
    this.#beginService();
  }
}

/** One class: a list per flow, in the order of flow ids, and the index where the next search begins. */
class FlowRound {
  readonly #flowIds: number[] = [];
  readonly #lists: Fifo<Packet>[] = [];
  /** Index of the next list to search; the number of lists wraps to 0. */
  #place = 0;
  #length = 0;

  push(packet: Packet): void {
    const at = this.#listAt(packet.flowId);
    this.#lists[at].push(packet);
    this.#length += 1;
  }

  shift(): Packet | undefined {
    if (this.#length === 0) return undefined;
    for (let tried = 0; tried <= this.#lists.length; tried += 1) {
      if (this.#place === this.#lists.length) this.#place = 0;
      const list = this.#lists[this.#place];
      this.#place += 1;
      if (list.length > 0) {
        this.#length -= 1;
        return list.shift();
      }
    }
    return undefined;
  }

  /** Index of the flow's list, inserted if new; the next search still begins at the same list. */
  #listAt(flowId: number): number {
    const flowIds = this.#flowIds;
    let [low, high] = [0, flowIds.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (flowIds[middle] < flowId) low = middle + 1;
      else high = middle;
    }
    if (flowIds[low] !== flowId) {
      flowIds.splice(low, 0, flowId);
      this.#lists.splice(low, 0, new Fifo<Packet>());
      if (low <= this.#place) this.#place += 1;
    }
    return low;
  }
}
