/**
 * The QPs of an engine: opening them, the addresses of their endpoints, which the engine compares as 16 bytes, and a live
 * view of their state.
 */
import * as code from '../abi/codes.js';
import type { EngineAbi } from '../abi/engine-abi.js';
import * as layout from '../abi/layout.js';
import { CONTROLLER } from '../abi/records/controllers.js';
import { readsAcks } from '../config/algorithms/registry.js';
import type { EngineConfig } from '../config/engine-config.js';
import { IP_ADDRESS_BYTES, parseIpAddress } from '../wire/ip/ip-address.js';
import type { AlgorithmState } from './algorithm-state.js';
import * as fail from './engine-errors.js';
import { regionAddress, type MemoryViews } from './memory-views.js';
import type { EngineParts } from './parts.js';

/** Options of a new QP. */
export interface QpOptions {
  /** Local NIC port, as returned by `addEndpoint`. Default 0, which needs no address if only events are applied. */
  readonly endpoint?: number;
  /** Its own QPN, 1..2^24-1, to which CNPs for it are addressed. Unique per endpoint. */
  readonly localQpn: number;
  /** The peer's address, text or 16 bytes. Default `::`, unknown, which no Fast CNP matches. */
  readonly peerAddress?: string | Uint8Array;
  /** The peer's QPN, 0..2^24-1. Default `localQpn`. */
  readonly peerQpn?: number;
  /** Name of the parameter set. Default: the first set. */
  readonly parameterSet?: string;
}

/** The parts of the engine needed to open a QP. */
interface OpeningEngine {
  readonly abi: EngineAbi;
  readonly config: EngineConfig;
  /** Number of endpoints so far. */
  readonly endpoints: number;
  readonly u8: Uint8Array;
}

/** Opens a QP and returns its number. @throws as `Engine.openQp`. */
export function openQp(options: QpOptions, { abi, config, endpoints, u8 }: OpeningEngine): number {
  fail.checkObject(options, 'openQp', 'a record { localQpn, … }');
  const { endpoint = 0, localQpn, peerAddress = '::', peerQpn = localQpn, parameterSet } = options;
  fail.checkEndpoint(endpoint, endpoints, 'endpoint');
  fail.checkWhole(localQpn, 1, layout.QPN_MAX, 'localQpn');
  fail.checkWhole(peerQpn, 0, layout.QPN_MAX, 'peerQpn');
  const parameterSetIndex = parameterSet === undefined ? 0 : config.parameterSetNames.indexOf(parameterSet);
  if (parameterSetIndex < 0) throw fail.unknownParameterSet(parameterSet, config.parameterSetNames);
  u8.set(addressBytes(peerAddress, 'peerAddress'), layout.ADDRESS_ARGUMENT);
  const qp = abi.openQp(endpoint, localQpn, peerQpn, parameterSetIndex) >>> 0;
  if (qp === code.OPEN_FULL) throw fail.noRoom('qps', config.capacity.qps);
  if (qp === code.OPEN_DUPLICATE_FLOW) {
    throw fail.duplicateQp('the pair of peer address and QPN', { endpoint, peerAddress, peerQpn });
  }
  if (qp === code.OPEN_UNSUPPORTED) {
    throw fail.unsupportedAlgorithm(config.parameterSets[parameterSetIndex]?.algorithm ?? '');
  }
  if (qp === code.OPEN_DUPLICATE_LOCAL) throw fail.duplicateQp('the local QPN', { endpoint, localQpn });
  return qp;
}

/** The parts of the engine that are needed to add addresses. */
interface AddressedEngine {
  readonly abi: EngineAbi;
  readonly u8: Uint8Array;
  readonly capacity: number;
}

/** Adds all addresses of an endpoint, or none. @throws as `Engine.addEndpoint`; no address has been added then. */
export function addAddresses(addresses: readonly (string | Uint8Array)[], endpoint: number,
  { abi, u8, capacity }: AddressedEngine): void {
  const all = addresses.map((address, index) => addressBytes(address, `addresses[${index}]`));
  const rejected = all.findIndex((address) => {
    u8.set(address, layout.ADDRESS_ARGUMENT);
    return !abi.addAddress(endpoint);
  });
  if (rejected < 0) return;
  for (const address of all.slice(0, rejected).reverse()) {
    u8.set(address, layout.ADDRESS_ARGUMENT);
    abi.removeAddress();
  }
  throw fail.addressRejected(addresses[rejected], capacity);
}

/** Returns the 16 bytes of an address. @throws RoceError `invalid-argument`. */
export function addressBytes(address: unknown, where: string): Uint8Array {
  if (typeof address === 'string') return parseIpAddress(address, where);
  if (address instanceof Uint8Array && address.length === IP_ADDRESS_BYTES) return address;
  throw fail.invalid(where, address, 'an IP address as text, or a Uint8Array of 16 bytes');
}

/** A live view of one QP's state: `engine.qp(qp)`. It reads engine memory and stores nothing. */
export class QpView {
  /** Number of the QP, as `openQp` returned it. */
  readonly qp: number;
  readonly #abi: EngineAbi;
  readonly #views: MemoryViews;
  readonly #config: EngineConfig;
  readonly #parts: EngineParts;

  /** @internal Use `engine.qp`. */
  constructor(config: EngineConfig, abi: EngineAbi, views: MemoryViews, qp: number, parts: EngineParts) {
    this.#parts = parts;
    this.#config = config;
    this.#abi = abi;
    this.#views = views;
    this.qp = qp;
  }

  /** Current rate, bits per second. */
  get rateBps(): number {
    return this.#f64(layout.QP_RATE);
  }
  /** Most bytes that may be unacknowledged; 0 if there is no window (DCQCN, TIMELY and DCTCP have none). */
  get windowBytes(): number {
    const parameters = this.#config.parameterSets[this.parameterSet];
    return readsAcks(parameters, this.#parts.algorithms) ? this.#f64(CONTROLLER.at.windowBytes) : 0;
  }
  /** Time of the last event that this state reflects, picoseconds. */
  get lastEventPs(): number {
    return this.#f64(layout.QP_LAST_EVENT);
  }
  /** Earliest time of the next packet, picoseconds; 0 means immediately. */
  get nextSendPs(): number {
    return this.#f64(layout.QP_NEXT_SEND);
  }
  /** Whether the QP is open. */
  get isOpen(): boolean {
    return (this.flags & code.QP_OPEN) !== 0;
  }
  /**
   * Whether a rate limiter is active. Under DCQCN, from a CNP until the line rate is reached again; otherwise always.
   */
  get isLimited(): boolean {
    return (this.flags & code.QP_LIMITED) !== 0;
  }
  /** Index of the QP's parameter set. */
  get parameterSet(): number {
    return this.flags >> code.QP_PARAMETER_SET_SHIFT;
  }
  /** Bits: 1 open, 2 limited, two of DCQCN; above them the index of the parameter set. */
  get flags(): number {
    return this.#views.u8[regionAddress(this.#views, layout.REGION_QP_FLAGS) + this.qp] ?? 0;
  }

  /**
   * A copy of all of its algorithm's state, including hop records: for tests, tables and display, not for hot paths.
   *
   * @example
   * const state = engine.qp(qp).algorithmState();
   * if (state.algorithm === 'dcqcn') console.log(state.alpha, state.targetBps);
   * if (state.algorithm === 'hpcc') console.log(state.utilization, state.incStage, state.committed);
   */
  algorithmState(): AlgorithmState {
    const { qp, flags, parameterSet } = this;
    return this.#parts.readAlgorithmState(this.#config, this.#views, { qp, flags, parameterSet, at: this.#address(0) });
  }

  #f64(field: number): number {
    return this.#views.f64[this.#address(field) >>> 3] ?? NaN;
  }

  #address(field: number): number {
    return this.#abi.stateAddress(this.qp) + field;
  }
}
