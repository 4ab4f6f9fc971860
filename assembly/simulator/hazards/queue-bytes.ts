/** The part of a queue that arrived by one port. */
import { SIM_NONE } from '../../../src/abi/sim-codes';
import { packetAt } from '../packets';
import { SimPort } from '../../records/network';
import { classOf } from '../classes';

/** Bytes of a class that wait at an egress port and arrived by a given ingress port. */
export function bytesFrom(egress: SimPort, inPort: u32, cls: u32): u32 {
  if (!(egress.waiting & (1 << cls))) return 0;
  let bytes: u32 = 0;
  for (let at = classOf(egress, cls).head; at != SIM_NONE; at = packetAt(at).next) {
    if (packetAt(at).inPort == inPort) bytes += packetAt(at).lenBytes;
  }
  return bytes;
}
