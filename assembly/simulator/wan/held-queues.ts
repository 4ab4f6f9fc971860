/** Selects the next packet of a port at which some packets are held: the first that is not held, of the class to be served. */
import { SIM_NONE } from '../../../src/abi/sim-codes';
import { packetAt } from '../packets';
import { classToServe, removeBehind } from '../queues';
import { isHeld } from './arn';
import { arns, wanPort } from './memory';
import { SimPort } from '../../records/network';
import { classOf } from '../classes';

/** Whether anything is held at this port. */
@inline export function holdsAny(port: SimPort): bool {
  return arns && wanPort(port).held != 0;
}

/** Removes the next packet from its queue; SIM_NONE if there is none. */
export function takeNotHeld(port: SimPort): u32 {
  let ready = port.waiting & (~port.paused | 1);
  while (ready) {
    const lastServed = port.lastServed;
    const cls = classToServe(port, ready);
    const taken = firstNotHeld(port, cls);
    if (taken != SIM_NONE) return taken;
    port.lastServed = lastServed;
    ready &= ~(1 << cls);
  }
  return SIM_NONE;
}

function firstNotHeld(port: SimPort, cls: u32): u32 {
  const own = wanPort(port);
  let before = SIM_NONE;
  let index = classOf(port, cls).head;
  while (index != SIM_NONE) {
    const packet = packetAt(index);
    if (!isHeld(own, packet)) {
      removeBehind(port, cls, before, index);
      return index;
    }
    before = index;
    index = packet.next;
  }
  return SIM_NONE;
}
