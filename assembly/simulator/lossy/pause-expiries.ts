/** The events of pauses that expire, one per port and class. */
import { addSource } from '../event-sources';
import { nodeAt, portAt, portCount } from '../network';
import { serveNic } from '../nic';
import { serve } from '../switch';
import { lossy } from './network';
import { expirePause, placeExpiries } from './pauses';
import { CLASSES } from '../classes';

/** Adds the events at which a port's pause in a class expires. */
export function addExpiries(): void {
  placeExpiries(addSource(lossy ? portCount * CLASSES : 0, endPause));
}

function endPause(expiry: u32): void {
  const port = portAt(expiry / CLASSES);
  const sincePs = expirePause(port, expiry % CLASSES);
  if (port.isHost) serveNic(port, sincePs);
  else serve(nodeAt(port.node), port);
}
