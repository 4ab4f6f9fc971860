/** Ports of messages (nic) have no effect: a message leaves by the port of its path, whatever its file specifies. */
import type { LeftOut } from '../left-out.js';

export function notePort(leftOut: LeftOut, where: string): void {
  leftOut.add('port-of-message', where, 1);
}
