/**
 * The telemetry that a switch of the network model writes into data packets.
 *
 *   HPCC   one record per hop: time, bytes sent by the port before this packet, bytes that remain queued; `int64` into
 *          slot hop mod 5, `exact` without conversion
 *   PINT   the larger one of the packet's power and the encoded utilisation of the port
 *          (`src/reference/algorithms/hpcc-pint/model.ts`), truncated to the low bits that the packet has space for;
 *          under `standard` it saturates instead
 */
import { factsOf } from '../../src/config/algorithms/registry.js';
import { INT64_LINE_RATES_BPS, MAX_INT64_HOPS, quantizeHop, type HopSample,
  type RawHop } from '../../src/reference/algorithms/hpcc/hops.js';
import { PintCodec, pintPortUtilization } from '../../src/reference/algorithms/hpcc-pint/model.js';
import type { Packet } from './packet.js';
import type { Port } from './link-ends.js';
import type { Network } from './network.js';

/** The PINT measurement at one port. */
interface PintPort {
  utilization: number;
  lastDepartureNs: number;
  lastLenBytes: number;
}

/** Queues are measured in these units, rounded down. */
const PINT_QUEUE_UNIT_BYTES = 256;

export class SwitchTelemetry {
  readonly #network: Network;
  readonly #codecs: readonly (PintCodec | undefined)[];
  readonly #readsHops: readonly boolean[];
  readonly #pintPorts: readonly PintPort[];
  readonly #pintRttNs: number;

  constructor(network: Network, portCount: number) {
    const { parameterSets, rules } = network.plan;
    this.#network = network;
    this.#codecs = parameterSets.map((parameterSet) => {
      const pint = factsOf(parameterSet).pint?.(parameterSet);
      return pint && new PintCodec(pint.pintBase, pint.pintBits);
    });
    this.#readsHops = parameterSets.map((parameterSet) =>
      rules.telemetry !== 'none' && factsOf(parameterSet).telemetry !== undefined
    );
    this.#pintPorts = Array.from({ length: portCount },
      () => ({ utilization: 0, lastDepartureNs: 0, lastLenBytes: 0 }));
    this.#pintRttNs = (rules.pintRttPs ?? 0) / 1000;
  }

  /** @param queuedBytes of all classes on the port, without this packet. */
  write(port: Port, local: number, packet: Packet, queuedBytes: number): void {
    if (packet.kind !== 'data') return;
    const parameterSet = this.#network.plan.flows.parameterSet[packet.flow];
    if (this.#readsHops[parameterSet]) this.#writeHop(port, packet, queuedBytes);
    packet.hopCount += 1;
    const codec = this.#codecs[parameterSet];
    if (codec !== undefined) this.#writePower(codec, port, local, packet, queuedBytes);
  }

  /** Copies the records of a packet to a notification and adds that of this hop. */
  copy(port: Port, cause: Packet, packet: Packet, queuedBytes: number): void {
    packet.records = [...cause.records, this.#sample(port, queuedBytes)];
  }

  /** Counts every departing packet for PINT. */
  noteDeparture(local: number, { lenBytes }: Packet): void {
    const state = this.#pintPorts[local];
    state.lastDepartureNs = this.#network.events.nowPs / 1000;
    state.lastLenBytes = lenBytes;
  }

  #sample(port: Port, qlenBytes: number): HopSample {
    const { events: { nowPs: timePs } } = this.#network;
    return { timePs, txBytes: port.txBytes, qlenBytes, lineRateBps: port.plan.rateBps, hopId: port.index };
  }

  #writeHop(port: Port, packet: Packet, queuedBytes: number): void {
    if (this.#network.plan.rules.telemetry === 'exact') {
      packet.records = [...packet.records, this.#sample(port, queuedBytes)];
      return;
    }
    const slot = packet.hopCount % MAX_INT64_HOPS;
    const sample = {
      ...this.#sample(port, queuedBytes),
      lineRateBps: lineRateWithCode(port.plan.rateBps, packet.hops.at(slot)),
    };
    packet.hops[slot] = quantizeHop(sample, this.#network.plan.rules.intMultiplier);
  }

  #writePower(codec: PintCodec, port: Port, local: number, packet: Packet, queuedBytes: number): void {
    const state = this.#pintPorts[local];
    const sample = {
      sinceLastNs: this.#network.events.nowPs / 1000 - state.lastDepartureNs,
      lastLenBytes: state.lastLenBytes,
      qlenBytes: queuedBytes - (queuedBytes % PINT_QUEUE_UNIT_BYTES),
    };
    state.utilization = pintPortUtilization(state.utilization, sample, port.plan.rateBps, this.#pintRttNs);
    const power = codec.powerOf(state.utilization, this.#network.random);
    const largest = codec.table.length - 1;
    const kept = this.#network.parts.telemetry.pintPower === 'wraps' ? power & largest : Math.min(power, largest);
    if (power > packet.pintPower) packet.pintPower = kept;
  }
}

/** A rate without a code leaves the slot's code unchanged, 0 at first. */
function lineRateWithCode(rateBps: number, slot: RawHop | undefined): number {
  if (INT64_LINE_RATES_BPS.includes(rateBps)) return rateBps;
  return INT64_LINE_RATES_BPS[slot?.lineRateCode ?? 0];
}
