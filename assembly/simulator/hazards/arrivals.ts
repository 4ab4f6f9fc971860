/** Arrivals over links with bit errors, and at hosts that receive slowly. */
import { DROP_BIT_ERRORS } from '../../../src/abi/sim-codes';
import { portAt } from '../network';
import { dropHazard, packetAt } from '../packets';
import { isPauseFrame } from '../pauses';
import { isReceivedWrong } from './bit-errors';
import { hazardPort } from './memory';
import { takeIn } from './slow-receivers';
import { SimPort } from '../../records/network';

/** Whether packets that leave by this port can meet such a hazard. */
export function isHazardous(port: SimPort): bool {
  const own = hazardPort(port);
  return own.bitErrors != 0 || own.frameErrors != 0 || hazardPort(portAt(port.peer)).rateBps != 0;
}

/** Applies the hazards to a packet that left by `from`; returns whether it was dropped or must wait. */
export function meetsHazard(from: SimPort, index: u32): bool {
  const packet = packetAt(index);
  if (isPauseFrame(packet)) return false;
  if (isReceivedWrong(hazardPort(from), packet.lenBytes)) {
    from.drops += 1;
    dropHazard(index, DROP_BIT_ERRORS);
    return true;
  }
  const port = portAt(from.peer);
  if (hazardPort(port).rateBps == 0) return false;
  takeIn(port, index);
  return true;
}
