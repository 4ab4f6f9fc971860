/** Addresses of endpoints: each address once, and at most the number that the engine was made for. */
import { NONE } from '../../abi/codes.js';
import { ADDRESS_RECORD_BYTES, ADDRESS_RECORD_ENDPOINT, REGION_ADDRESSES,
  type BackendMemory } from '../memory/backend-memory.js';
import { addressKey } from '../table/address-key.js';

export class BackendAddresses {
  readonly #memory: BackendMemory;
  readonly #endpoints = new Map<string, number>();

  constructor(memory: BackendMemory) {
    this.#memory = memory;
    for (let index = 0; index < memory.sizes.addresses; index++) this.#setEndpoint(index, NONE);
  }

  /** Gives an endpoint one more address; false when it is taken or there is no room. */
  add(endpoint: number, address: Uint8Array): boolean {
    const key = addressKey(address);
    const index = this.#endpoints.size;
    if (this.#endpoints.has(key) || index >= this.#memory.sizes.addresses) return false;
    this.#endpoints.set(key, endpoint);
    this.#memory.u8.set(address, this.#at(index));
    this.#setEndpoint(index, endpoint);
    return true;
  }

  /** Takes the address back that was added last. */
  remove(address: Uint8Array): void {
    this.#endpoints.delete(addressKey(address));
    this.#setEndpoint(this.#endpoints.size, NONE);
  }

  endpointOf(address: Uint8Array): number | undefined {
    return this.#endpoints.get(addressKey(address));
  }

  /** Takes over what the address records say. */
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
