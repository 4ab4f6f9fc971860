/**
 * The `js` backend: the readable reference models behind the interface of engine.wasm.
 *
 * Role     the oracle that the wasm engine is compared with, event by event, and what runs where wasm may not.
 * Parts    engine.ts                        the calls
 *          events.ts, packets.ts, acks.ts   the two doors in, and what an ACK event says
 *          state.ts                         events on models, actions, counters
 *          qps.ts, marks.ts, addresses.ts   identities, and the records of each
 *          ../memory/backend-memory.ts      the regions and records that the host knows, in one ArrayBuffer
 * State    as bytes: the fixed part of the memory and everything from the QPs on, as the wasm backend's; its length
 *          depends on the capacity only.
 * Deviates in the counters of timer steps and probes only: the models take other shortcuts, and a Map has no probes.
 */
import type { Backend } from '../../abi/backend.js';
import type { EngineAbi } from '../../abi/engine-abi.js';
import { capacityOf, hasRoomFor, isSameCapacity } from '../../abi/capacity.js';
import { CAPACITY_ADDRESS, FIXED_END } from '../../abi/layout.js';
import type { EngineConfig } from '../../config/engine-config.js';
import { ReferenceEngine } from './engine.js';

/** An engine made of the reference models. `config` must have been checked by `engineConfig`. */
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

  /** All state as bytes: what `load` takes back. */
  save(): Uint8Array {
    const { state } = this.#engine;
    state.save();
    const [fixed, tables] = state.memory.stateParts();
    const bytes = new Uint8Array(fixed.length + tables.length);
    bytes.set(fixed);
    bytes.set(tables, fixed.length);
    return bytes;
  }

  /** A state that models can have is saved again as it was. */
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

  /** An engine of that size checks the state. */
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
