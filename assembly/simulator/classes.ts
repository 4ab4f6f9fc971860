/** The classes of a port: their queues, and the memory used by packets that arrived by the port. */
import { SIM_CLASS_BYTES, SIM_PORT_CLASSES, SimClass, SimPort } from '../records/network';

/** Classes per port; 0 is for pause frames. */
export const CLASSES: u32 = 8;

@inline export function classOf(port: SimPort, cls: u32): SimClass {
  return changetype<SimClass>(changetype<usize>(port) + SIM_PORT_CLASSES + <usize>cls * SIM_CLASS_BYTES);
}
