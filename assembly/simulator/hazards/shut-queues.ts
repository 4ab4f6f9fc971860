/** Queues shut by a watchdog: packets for them, and packets that arrive by their port in their class, are dropped. */
import { DROP_WATCHDOG } from '../../../src/abi/sim-codes';
import { dropHazard } from '../packets';
import { hazardNode, hazardPort } from './memory';
import { SimPort } from '../../records/network';

/** Returns whether the packet was dropped. */
export function dropsForWatchdog(inPort: SimPort, outPort: SimPort, cls: u32, index: u32): bool {
  const bit: u32 = 1 << cls;
  const isOut = (hazardPort(outPort).stormed & bit) != 0;
  if (!isOut && !(hazardPort(inPort).stormed & bit)) return false;
  if (!hazardNode(outPort.node).drops) return false;
  const port = isOut ? outPort : inPort;
  port.drops += 1;
  hazardPort(port).watchdogDrops += 1;
  dropHazard(index, DROP_WATCHDOG);
  return true;
}
