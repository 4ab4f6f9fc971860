/**
 * The `js` backend: the readable reference models with the interface of engine.wasm.
 *
 * Role     the oracle that the wasm engine is compared with, event by event; also runs where wasm is not allowed.
 * Parts    engine.ts                        the calls
 *          events.ts, packets.ts, acks.ts   the two kinds of input, and the contents of ACK events
 *          state.ts                         events on models, actions, counters
 *          qps.ts, marks.ts, addresses.ts   QPs, CNP windows, addresses, and their records
 *          ../backend-memory.ts             the regions and records shared with the host, in one ArrayBuffer
 * State    as bytes: the fixed part of the memory and everything from the QPs on, like that of the wasm backend; its
 *          length depends only on the capacity.
 * Differs only in the counters of timer steps and probes: the models take other shortcuts, and a Map has no probes.
 */
import type { Backend } from '../../abi/backend.js';
import type { EngineAbi } from '../../abi/engine-abi.js';
import { capacityOf, hasRoomFor, isSameCapacity } from '../../abi/capacity.js';
import { CAPACITY_ADDRESS, FIXED_END } from '../../abi/layout.js';
import type { EngineConfig } from '../../config/engine-config.js';
import { ReferenceEngine } from './engine.js';

/** An engine made of the reference models. `config` must come from `engineConfig`. */
export class ReferenceBackend implements Backend {
  readonly build = 'js 2';
  readonly #config: EngineConfig;
  readonly #engine: ReferenceEngine;

  constructor(config: EngineConfig) {
    this.#config = config;
    this.#engine = new ReferenceEngine(config);
  }

  get abi(): EngineAbi {
    return this.#engine;
  }

  /** Returns all state as bytes, which `load` accepts. */
  save(): Uint8Array {
    const { state } = this.#engine;
    state.save();
    const [fixed, tables] = state.memory.stateParts();
    const bytes = new Uint8Array(fixed.length + tables.length);
    bytes.set(fixed);
    bytes.set(tables, fixed.length);
    return bytes;
  }

  /** Restores a state. Returns false for bytes that saving the restored state does not reproduce. */
  load(bytes: Uint8Array): boolean {
    const { memory } = this.#engine.state;
    if (bytes.length < FIXED_END || !hasRoomFor(memory.u8, bytes)) return false;
    return isSameCapacity(memory.u8, bytes) ? this.#loadEqual(bytes) : this.#loadSmaller(bytes);
  }

  #loadEqual(bytes: Uint8Array): boolean {
    const before = this.save();
    if (bytes.length === before.length && this.#goesOnFrom(bytes)) return true;
    this.#overwrite(before);
    return false;
  }

  /** Checks the state in an engine of its size, then copies it. */
  #loadSmaller(bytes: Uint8Array): boolean {
    const smaller = new ReferenceBackend(this.#config);
    new Uint8Array(smaller.abi.memory.buffer).set(capacityOf(bytes), CAPACITY_ADDRESS);
    if (!smaller.abi.initialise() || !smaller.#loadEqual(bytes)) return false;
    this.#engine.takeOver(smaller.#engine.state.memory);
    return true;
  }

  #goesOnFrom(bytes: Uint8Array): boolean {
    try {
      this.#overwrite(bytes);
    } catch {
      return false;
    }
    return this.save().every((byte, index) => byte === bytes[index]);
  }

  #overwrite(bytes: Uint8Array): void {
    const [fixed, tables] = this.#engine.state.memory.stateParts();
    fixed.set(bytes.subarray(0, fixed.length));
    tables.set(bytes.subarray(fixed.length));
    this.#engine.reload();
  }
}
