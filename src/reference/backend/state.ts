/**
 * The state of one `js` engine: the models, the memory shared with the host, and the methods through which events
 * reach them. Batch loops and single events share these, so that all are counted the same way.
 */
import { ACTION_FAST_CNP_ACCEPTED, ACTION_FAST_CNP_REJECTED, CAUSE_ACK, CAUSE_BYTES, CAUSE_CNP, CAUSE_FAST_CNP,
  CAUSE_LOSS, CAUSE_TIME, NONE, ORIGIN_NETWORK, ORIGIN_RECEIVER, OUTCOME_ACK, OUTCOME_BAD_TIME,
  OUTCOME_FAST_CNP_ACCEPTED, OUTCOME_UNKNOWN_QP } from '../../abi/codes.js';
import { REGION_FLOW_ENTRIES } from '../../abi/layout.js';
import type { EngineConfig } from '../../config/engine-config.js';
import { parsePrefix } from '../../wire/ip/ip-address.js';
import { AccessListModel, addressKey } from '../address-tables.js';
import { isEventTime, type Ack, type Nack } from '../algorithms/ack.js';
import type { HpccPpTelemetry } from '../algorithms/hpcc-pp/hops.js';
import { ActionRing, FLOW_RECORD_BYTES, NOTIFICATION_FIELDS, type BackendMemory, ADDRESS_RECORD_BYTES,
  ADDRESS_RECORD_ENDPOINT, REGION_ADDRESSES, TraceRing } from '../backend-memory.js';
import { FastCnpReceiverModel, type FastCnp, type FastCnpVerdict } from '../rp/fast-cnp-receiver.js';
import { BackendMarks } from './marks.js';
import { BackendQps } from './qps.js';

export class BackendState {
  readonly memory: BackendMemory;
  readonly actions: ActionRing;
  readonly trace: TraceRing;
  readonly addresses: BackendAddresses;
  readonly qps: BackendQps;
  readonly marks: BackendMarks;
  readonly #receiver: FastCnpReceiverModel;

  constructor(memory: BackendMemory, config: EngineConfig) {
    this.memory = memory;
    this.actions = new ActionRing(memory);
    this.trace = new TraceRing(memory);
    this.addresses = new BackendAddresses(memory);
    this.qps = new BackendQps(memory, this.actions, this.trace, config);
    this.marks = new BackendMarks(memory, this.actions, this.qps.flows, config.notificationPoint);
    this.#receiver = new FastCnpReceiverModel(config.fastCnp, accessListOf(config), this.qps.flows, this.qps.models);
  }

  /** Clears the reports of the last call; called at the start of each call. */
  clearOutput(): void {
    this.actions.clear();
    this.trace.clear();
  }

  openQp(endpoint: number, localQpn: number, peerAddress: Uint8Array, peerQpn: number, parameterSet: number): number {
    const qp = this.qps.open({ endpoint, localQpn, peerAddress, peerQpn }, parameterSet);
    if (this.qps.models.has(qp)) this.marks.join(qp);
    return qp;
  }

  closeQp(qp: number): void {
    this.marks.leave(qp);
    this.#receiver.forget(qp);
    this.qps.close(qp);
  }

  sent(qp: number, timePs: number, lenBytes: number): number {
    const model = this.qps.models.get(qp);
    if (!model) return OUTCOME_UNKNOWN_QP;
    const outcome = model.sent(timePs, lenBytes);
    this.qps.publish(qp, model.state.rateBps === model.rateBeforeEventBps ? CAUSE_TIME : CAUSE_BYTES);
    return outcome;
  }

  cnp(qp: number, timePs: number): number {
    this.trace.notifiedBy = CAUSE_CNP;
    const outcome = this.#receiver.cnp(timePs, qp);
    this.qps.publish(qp, CAUSE_CNP);
    return outcome;
  }

  ack(qp: number, timePs: number, ack: Omit<Ack, 'timePs'> | undefined): number {
    const model = this.qps.models.get(qp);
    if (!model) return OUTCOME_UNKNOWN_QP;
    if (!isEventTime(timePs)) return OUTCOME_BAD_TIME;
    const outcome = model.ack(timePs, ack);
    this.qps.publish(qp, CAUSE_ACK);
    return outcome;
  }

  loss(qp: number, timePs: number, found: 'fast' | 'timeout'): number {
    const model = this.qps.models.get(qp);
    if (!model) return OUTCOME_UNKNOWN_QP;
    if (!isEventTime(timePs)) return OUTCOME_BAD_TIME;
    const outcome = model.loss(timePs, found);
    this.qps.publish(qp, CAUSE_LOSS);
    return outcome;
  }

  nack(qp: number, timePs: number, nack: Omit<Nack, 'timePs'> | undefined): number {
    const model = this.qps.models.get(qp);
    if (!model) return OUTCOME_UNKNOWN_QP;
    if (!isEventTime(timePs)) return OUTCOME_BAD_TIME;
    const outcome = model.nack(timePs, nack);
    this.qps.publish(qp, CAUSE_LOSS);
    return outcome;
  }

  /** Applies credit. It changes no rate, so no cause is reported. */
  credit(qp: number, timePs: number, pullNumber: number | undefined): number {
    const model = this.qps.models.get(qp);
    if (!model) return OUTCOME_UNKNOWN_QP;
    if (!isEventTime(timePs)) return OUTCOME_BAD_TIME;
    const outcome = model.credit(timePs, pullNumber);
    this.qps.publish(qp, CAUSE_ACK);
    return outcome;
  }

  /** Applies an ACK frame with a trace. */
  echo(qp: number, timePs: number, readTelemetry: () => HpccPpTelemetry | undefined): number {
    const outcome = this.qps.models.get(qp)?.echo(timePs, readTelemetry) ?? OUTCOME_ACK;
    this.qps.publish(qp, CAUSE_ACK);
    return outcome;
  }

  touch(qp: number, timePs: number): number {
    const outcome = this.qps.models.get(qp)?.touch(timePs) ?? OUTCOME_UNKNOWN_QP;
    this.qps.publish(qp, CAUSE_TIME);
    return outcome;
  }

  advance(qp: number, timePs: number): void {
    this.qps.models.get(qp)?.advance(timePs);
    this.qps.publish(qp, CAUSE_TIME);
  }

  /** Applies a Fast CNP and reports the verdict to the host. `index`: its event or frame in the batch. */
  fastCnp(packet: FastCnp, index: number): FastCnpVerdict {
    this.trace.notifiedBy = CAUSE_FAST_CNP;
    const verdict = this.#receiver.fastCnp(packet);
    if (verdict.qp !== undefined) this.qps.publish(verdict.qp, CAUSE_FAST_CNP);
    if (verdict.outcome === OUTCOME_FAST_CNP_ACCEPTED) {
      const origin = verdict.origin === 'receiver' ? ORIGIN_RECEIVER : ORIGIN_NETWORK;
      this.actions.emit(packet.timePs, verdict.qp ?? NONE, ACTION_FAST_CNP_ACCEPTED, origin, index);
    } else {
      this.actions.emit(packet.timePs, NONE, ACTION_FAST_CNP_REJECTED, verdict.outcome, index);
    }
    return verdict;
  }

  /** Updates the records that only snapshots use. */
  save(): void {
    this.marks.save();
    for (const qp of this.qps.models.keys()) {
      const at = this.memory.at(REGION_FLOW_ENTRIES, qp, FLOW_RECORD_BYTES);
      this.memory.write(at, NOTIFICATION_FIELDS, this.#receiver.lastNotifications(qp));
    }
  }

  /** Restores a fresh state from the records of a snapshot. */
  load(): void {
    this.addresses.load();
    this.qps.load();
    this.marks.load(this.qps.models.keys());
    for (const qp of this.qps.models.keys()) {
      const at = this.memory.at(REGION_FLOW_ENTRIES, qp, FLOW_RECORD_BYTES);
      this.#receiver.resume(qp, this.memory.read(at, NOTIFICATION_FIELDS));
    }
  }
}

function accessListOf({ fastCnp }: EngineConfig): AccessListModel {
  const entries = fastCnp.accessList.map(({ prefix, action }) => {
    const { address, lengthBits } = parsePrefix(prefix, 'accessList.prefix');
    return { prefixBytes: address, prefixLength: lengthBits, action };
  });
  return new AccessListModel(entries, fastCnp.defaultAction);
}

/** Addresses of endpoints: each address is unique, and their number is limited by the engine's capacity. */
class BackendAddresses {
  readonly #memory: BackendMemory;
  readonly #endpoints = new Map<string, number>();

  constructor(memory: BackendMemory) {
    this.#memory = memory;
    for (let index = 0; index < memory.sizes.addresses; index++) this.#setEndpoint(index, NONE);
  }

  /** Adds an address to an endpoint; returns false if it is taken or the table is full. */
  add(endpoint: number, address: Uint8Array): boolean {
    const key = addressKey(address);
    const index = this.#endpoints.size;
    if (this.#endpoints.has(key) || index >= this.#memory.sizes.addresses) return false;
    this.#endpoints.set(key, endpoint);
    this.#memory.u8.set(address, this.#at(index));
    this.#setEndpoint(index, endpoint);
    return true;
  }

  /** Removes the address that was added last. */
  remove(address: Uint8Array): void {
    this.#endpoints.delete(addressKey(address));
    this.#setEndpoint(this.#endpoints.size, NONE);
  }

  endpointOf(address: Uint8Array): number | undefined {
    return this.#endpoints.get(addressKey(address));
  }

  /** Restores the addresses from their records. */
  load(): void {
    this.#endpoints.clear();
    for (let index = 0; index < this.#memory.sizes.addresses; index++) {
      const at = this.#at(index);
      const endpoint = this.#memory.readU32(at + ADDRESS_RECORD_ENDPOINT);
      if (endpoint !== NONE) this.#endpoints.set(addressKey(this.#memory.address(at)), endpoint);
    }
  }

  #at(index: number): number {
    return this.#memory.at(REGION_ADDRESSES, index, ADDRESS_RECORD_BYTES);
  }

  #setEndpoint(index: number, endpoint: number): void {
    this.#memory.u32[(this.#at(index) + ADDRESS_RECORD_ENDPOINT) / 4] = endpoint;
  }
}
