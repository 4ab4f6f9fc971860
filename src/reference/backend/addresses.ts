/** Addresses of endpoints: each address is unique, and their number is limited by the engine's capacity. */
import { NONE } from '../../abi/codes.js';
import { ADDRESS_RECORD_BYTES, ADDRESS_RECORD_ENDPOINT, REGION_ADDRESSES,
  type BackendMemory } from '../backend-memory.js';
import { addressKey } from '../address-tables.js';

export class BackendAddresses {
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
