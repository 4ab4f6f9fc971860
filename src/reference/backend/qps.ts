/**
 * The open QPs of the `js` backend: numbers, flows, one model each, and their records for the host.
 *
 * A record always equals its model's state: `publish` copies it after each event, and a difference from the previous
 * rate becomes the rate action.
 */
import { KEPT_HOP_BYTES } from '../../abi/ack-layout.js';
import { OPEN_DUPLICATE_FLOW, OPEN_DUPLICATE_LOCAL, OPEN_FULL, QP_OPEN,
  QP_PARAMETER_SET_SHIFT } from '../../abi/codes.js';
import { COUNTER_LATE_CLAMPED, COUNTER_TIMER_STEPS, QP_BYTES, QP_RATE, REGION_FLOW_ENTRIES, REGION_KEPT_HOPS,
  REGION_LOCAL_QPNS, REGION_QPS, REGION_QP_FLAGS } from '../../abi/layout.js';
import type { EngineConfig } from '../../config/engine-config.js';
import { DcqcnModel } from '../algorithms/dcqcn/model.js';
import { FLOW_FIELDS, FLOW_RECORD_BYTES, FLOW_RECORD_NEXT_CUT, flagsOfState, readQpState, writeQpState, type ActionRing,
  type BackendMemory, type TraceRing } from '../backend-memory.js';
import { makeReactionPoint, type ReactionPoint } from '../rp/reaction-points.js';
import { FlowTableModel, type Flow } from '../address-tables.js';

/** The part of a model's totals that the counters already include. */
interface CountedTotals {
  readonly timerSteps: number;
  readonly lateClamped: number;
}

const NOTHING_COUNTED: CountedTotals = { timerSteps: 0, lateClamped: 0 };

export class BackendQps {
  readonly flows = new FlowTableModel();
  /** The reaction points of all open QPs, by number. */
  readonly models = new Map<number, ReactionPoint>();
  readonly #counted = new Map<number, CountedTotals>();
  readonly #memory: BackendMemory;
  readonly #actions: ActionRing;
  readonly #trace: TraceRing;
  readonly #config: EngineConfig;
  /** Lower bound of the free numbers. */
  #firstFree = 0;

  constructor(memory: BackendMemory, actions: ActionRing, trace: TraceRing, config: EngineConfig) {
    this.#memory = memory;
    this.#actions = actions;
    this.#trace = trace;
    this.#config = config;
  }

  /** Opens a QP at line rate. Returns its number, the lowest free one, or OPEN_*. */
  open(flow: Omit<Flow, 'qp'>, parameterSet: number): number {
    if (this.flows.findByPeer(flow.endpoint, flow.peerAddress, flow.peerQpn) !== undefined) return OPEN_DUPLICATE_FLOW;
    if (this.flows.findByLocal(flow.endpoint, flow.localQpn) !== undefined) return OPEN_DUPLICATE_LOCAL;
    while (this.models.has(this.#firstFree)) this.#firstFree += 1;
    const qp = this.#firstFree;
    if (qp >= this.#memory.sizes.qps) return OPEN_FULL;
    this.#memory.u8.fill(0, this.stateAddress(qp), this.stateAddress(qp) + QP_BYTES);
    this.#admit({ ...flow, qp }, parameterSet);
    this.#writeFlow({ ...flow, qp });
    this.#writeState(qp);
    return qp;
  }

  /** Removes an open QP. Its record keeps its last content. */
  close(qp: number): void {
    this.flows.remove(qp);
    this.models.delete(qp);
    this.#counted.delete(qp);
    this.#memory.u8[this.#flagsAt(qp)] = 0;
    if (qp < this.#firstFree) this.#firstFree = qp;
  }

  /** Copies the state after an event to the record and updates the counters; a new rate becomes an action. */
  publish(qp: number, cause: number): void {
    const model = this.models.get(qp);
    if (!model) return;
    const shownBps = this.#memory.readF64(this.stateAddress(qp) + QP_RATE);
    const { rateBps, lastEventPs } = model.state;
    this.#writeState(qp);
    this.#countTotals(qp, model);
    if (rateBps !== shownBps && this.#config.rateActions) this.#actions.emitRate(lastEventPs, qp, cause, rateBps);
  }

  /** Byte address of a QP's QpState record. */
  stateAddress(qp: number): number {
    return this.#memory.at(REGION_QPS, qp, QP_BYTES);
  }

  /** Restores the QPs from the records of a snapshot. */
  load(): void {
    for (let qp = 0; qp < this.#memory.sizes.qps; qp++) {
      const flags = this.#memory.u8[this.#flagsAt(qp)] ?? 0;
      if (!(flags & QP_OPEN)) continue;
      this.#admit(this.#readFlow(qp), flags >> QP_PARAMETER_SET_SHIFT);
      this.#readState(qp, flags);
      this.#writeState(qp);
    }
  }

  #admit(flow: Flow, parameterSet: number): void {
    const parameters = this.#config.parameterSets[parameterSet];
    if (!parameters) return;
    this.flows.add(flow);
    this.models.set(flow.qp, makeReactionPoint(parameters, this.#config.lateEvents, this.#trace.tracerOf(flow.qp)));
    this.#memory.u8[this.#flagsAt(flow.qp)] = QP_OPEN | (parameterSet << QP_PARAMETER_SET_SHIFT);
  }

  #writeState(qp: number): void {
    const model = this.models.get(qp);
    if (!model) return;
    const flagsAt = this.#flagsAt(qp);
    const parameterSet = (this.#memory.u8[flagsAt] ?? 0) >> QP_PARAMETER_SET_SHIFT;
    const flags = model instanceof DcqcnModel ? flagsOfState(model.state) : model.flags;
    this.#memory.u8[flagsAt] = QP_OPEN | flags | (parameterSet << QP_PARAMETER_SET_SHIFT);
    if (model instanceof DcqcnModel) {
      writeQpState(this.#memory, this.stateAddress(qp), model.state);
      this.#memory.f64[(this.#flowAt(qp) + FLOW_RECORD_NEXT_CUT) / 8] = model.state.nextCutPs;
    } else {
      model.save(this.#memory.view, this.stateAddress(qp), this.#hopsAt(qp));
    }
  }

  #readState(qp: number, flags: number): void {
    const model = this.models.get(qp);
    if (model instanceof DcqcnModel) {
      const nextCutPs = this.#memory.readF64(this.#flowAt(qp) + FLOW_RECORD_NEXT_CUT);
      model.resume(readQpState(this.#memory, this.stateAddress(qp), flags, nextCutPs));
    } else {
      model?.load(this.#memory.view, this.stateAddress(qp), this.#hopsAt(qp));
    }
  }

  #hopsAt(qp: number): number {
    return this.#memory.at(REGION_KEPT_HOPS, qp, this.#memory.sizes.hops * KEPT_HOP_BYTES);
  }

  #countTotals(qp: number, { timerSteps, lateClamped }: ReactionPoint): void {
    const counted = this.#counted.get(qp) ?? NOTHING_COUNTED;
    if (timerSteps === counted.timerSteps && lateClamped === counted.lateClamped) return;
    this.#memory.count(COUNTER_TIMER_STEPS, timerSteps - counted.timerSteps);
    this.#memory.count(COUNTER_LATE_CLAMPED, lateClamped - counted.lateClamped);
    this.#counted.set(qp, { timerSteps, lateClamped });
  }

  #writeFlow(flow: Flow): void {
    const at = this.#flowAt(flow.qp);
    this.#memory.u8.set(flow.peerAddress, at);
    this.#memory.write(at, FLOW_FIELDS, flow);
    this.#memory.u32[this.#memory.at(REGION_LOCAL_QPNS) / 4 + flow.qp] = flow.localQpn;
  }

  #readFlow(qp: number): Flow {
    const at = this.#flowAt(qp);
    return {
      qp,
      localQpn: this.#memory.readU32(this.#memory.at(REGION_LOCAL_QPNS, qp, 4)),
      peerAddress: this.#memory.address(at),
      ...this.#memory.read(at, FLOW_FIELDS),
    };
  }

  #flagsAt(qp: number): number {
    return this.#memory.at(REGION_QP_FLAGS) + qp;
  }

  #flowAt(qp: number): number {
    return this.#memory.at(REGION_FLOW_ENTRIES, qp, FLOW_RECORD_BYTES);
  }
}
