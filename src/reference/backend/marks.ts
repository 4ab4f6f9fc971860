/**
 * The notification point of the `js` backend: `../notification-point.ts` decides, this file numbers the windows.
 *
 * Windows have numbers because `advance` iterates over them in order and can stop in between. The number is that of the QP
 * or of the endpoint. If one window serves all QPs with the same peer, it is the first free number at or above that of the
 * first of these QPs.
 */
import { ACTION_CNP, NONE, OUTCOME_BAD_TIME, OUTCOME_CNP_SUPPRESSED, OUTCOME_UNKNOWN_QP } from '../../abi/codes.js';
import { COUNTER_CNP_SENT, COUNTER_CNP_SUPPRESSED, COUNTER_ECN_MARKED, REGION_FLOW_ENTRIES } from '../../abi/layout.js';
import type { NotificationPointSettings } from '../../config/notification-point.js';
import { FLOW_RECORD_BYTES, FLOW_RECORD_WINDOW, REGION_WINDOWS, WINDOW_FIELDS, WINDOW_RECORD_BYTES, type ActionRing,
  type BackendMemory } from '../backend-memory.js';
import { NotificationPointModel } from '../notification-point.js';
import type { FlowTableModel } from '../address-tables.js';

interface SharedWindow {
  readonly index: number;
  /** Number of QPs that share it; the window of a port counts one more and is never released. */
  sharers: number;
}

export class BackendMarks {
  /** Maximum number of windows. */
  readonly windowCount: number;
  readonly #memory: BackendMemory;
  readonly #flows: FlowTableModel;
  readonly #model: NotificationPointModel;
  readonly #windows = new Map<string, SharedWindow>();
  readonly #keys = new Map<number, string>();

  constructor(memory: BackendMemory, actions: ActionRing, flows: FlowTableModel, settings: NotificationPointSettings) {
    const hasPorts = settings.scope === 'port';
    this.windowCount = hasPorts ? memory.sizes.endpoints : memory.sizes.qps;
    this.#memory = memory;
    this.#flows = flows;
    this.#model = new NotificationPointModel(settings, ({ timePs, qp, pKey }) => {
      memory.count(COUNTER_CNP_SENT, 1);
      actions.emit(timePs, qp, ACTION_CNP, 0, pKey);
    });
    for (let endpoint = 0; hasPorts && endpoint < this.windowCount; endpoint++) this.#share(String(endpoint), endpoint);
  }

  /** Called when a QP was opened. */
  join(qp: number): void {
    const key = this.#keyOf(qp);
    if (key === undefined) return;
    const index = this.#share(key, this.#windows.get(key)?.index ?? this.#freeIndexFrom(qp));
    this.#memory.u32[this.#indexAt(qp) / 4] = index;
  }

  /** Called before a QP is closed: cancels its pending CNP. */
  leave(qp: number): void {
    const flow = this.#flows.flowOf(qp);
    if (!flow) return;
    const key = this.#model.keyOf(flow);
    const window = this.#windows.get(key);
    if (!window) return;
    this.#model.dropPending(key, qp);
    window.sharers -= 1;
    if (window.sharers > 0) return;
    this.#model.forget(flow);
    this.#windows.delete(key);
    this.#keys.delete(window.index);
  }

  /** A CE-marked data packet arrived for a QP. */
  marked(qp: number, timePs: number, pKey: number): number {
    const flow = this.#flows.flowOf(qp);
    if (!flow) return OUTCOME_UNKNOWN_QP;
    const outcome = this.#model.marked({ timePs, qp, endpoint: flow.endpoint, peerAddress: flow.peerAddress, pKey });
    if (outcome !== OUTCOME_BAD_TIME) this.#memory.count(COUNTER_ECN_MARKED, 1);
    if (outcome === OUTCOME_CNP_SUPPRESSED) this.#memory.count(COUNTER_CNP_SUPPRESSED, 1);
    return outcome;
  }

  /** Sends the CNP that is due at the end of a window, if there is one. */
  flush(index: number, timePs: number): void {
    const key = this.#keys.get(index);
    if (key !== undefined) this.#model.flushWindow(key, timePs);
  }

  /** Writes all windows into their records; unused records are those of a window without marks. */
  save(): void {
    const { qps, endpoints } = this.#memory.sizes;
    for (let index = 0; index < Math.max(qps, endpoints); index++) {
      const key = this.#keys.get(index);
      const { endPs, pending } = this.#model.windowOf(key ?? '');
      this.#memory.write(this.#windowAt(index), WINDOW_FIELDS, { endPs, qp: NONE, ...pending });
    }
  }

  /** Restores the windows of these QPs from the records of a snapshot. */
  load(qps: Iterable<number>): void {
    for (const qp of qps) {
      const key = this.#keyOf(qp);
      if (key !== undefined) this.#share(key, this.#memory.readU32(this.#indexAt(qp)));
    }
    for (const [index, key] of this.#keys) {
      const { endPs, qp, pKey } = this.#memory.read(this.#windowAt(index), WINDOW_FIELDS);
      this.#model.resume(key, { endPs, pending: qp === NONE ? undefined : { qp, pKey } });
    }
  }

  #keyOf(qp: number): string | undefined {
    const flow = this.#flows.flowOf(qp);
    return flow && this.#model.keyOf(flow);
  }

  /** Adds a QP to a window; a new window gets this number. */
  #share(key: string, index: number): number {
    const window = this.#windows.get(key) ?? { index, sharers: 0 };
    window.sharers += 1;
    this.#windows.set(key, window);
    this.#keys.set(window.index, key);
    return window.index;
  }

  #freeIndexFrom(qp: number): number {
    let index = qp;
    while (this.#keys.has(index)) index = (index + 1) % this.windowCount;
    return index;
  }

  #windowAt(index: number): number {
    return this.#memory.at(REGION_WINDOWS, index, WINDOW_RECORD_BYTES);
  }

  /** Address of the field that holds the number of a QP's window. */
  #indexAt(qp: number): number {
    return this.#memory.at(REGION_FLOW_ENTRIES, qp, FLOW_RECORD_BYTES) + FLOW_RECORD_WINDOW;
  }
}
