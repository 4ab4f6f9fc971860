/** Addresses of the network's regions for the host; each module publishes what it allocates. */
import { SIM_REGION_COUNT } from '../../src/abi/sim-codes';

const addresses = memory.data(SIM_REGION_COUNT << 2);

/** Publishes the address of a region, SIM_*; returns the address. */
export function publish(region: u32, address: usize): usize {
  store<u32>(addresses + (<usize>region << 2), address);
  return address;
}

/** Address of a region, SIM_*; 0 if it is not allocated or does not exist. */
export function addressOf(region: u32): usize {
  if (region >= <u32>SIM_REGION_COUNT) return 0;
  return load<u32>(addresses + (<usize>region << 2));
}
