/** Adds the addresses of an endpoint: all of them, or none. */
import type { EngineAbi } from '../abi/engine-abi.js';
import { ADDRESS_ARGUMENT } from '../abi/layout.js';
import { addressBytes } from './address-bytes.js';
import * as fail from './engine-errors.js';

/** The parts of the engine that are needed to add addresses. */
interface AddressedEngine {
  readonly abi: EngineAbi;
  readonly u8: Uint8Array;
  readonly capacity: number;
}

/** @throws as `Engine.addEndpoint`; no address has been added then. */
export function addAddresses(addresses: readonly (string | Uint8Array)[], endpoint: number,
  { abi, u8, capacity }: AddressedEngine): void {
  const all = addresses.map((address, index) => addressBytes(address, `addresses[${index}]`));
  const rejected = all.findIndex((address) => {
    u8.set(address, ADDRESS_ARGUMENT);
    return !abi.addAddress(endpoint);
  });
  if (rejected < 0) return;
  for (const address of all.slice(0, rejected).reverse()) {
    u8.set(address, ADDRESS_ARGUMENT);
    abi.removeAddress();
  }
  throw fail.addressRejected(addresses[rejected], capacity);
}
