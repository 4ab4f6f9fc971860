/**
 * The output queue of a host: three classes in strict priority, each with round robin over flows in the
 * order of their ids. Its size is unlimited; if the NIC is as fast as the link, it holds one packet.
 */
import { SimEvent } from './event-list.js';
import { Fifo } from './fifo.js';
import type { Packet, PacketSink } from './packet.js';
import type { RunContext } from './run-context.js';
import { psPerByte } from './switch-queue.js';

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
