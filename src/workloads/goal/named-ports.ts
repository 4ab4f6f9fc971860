/** Ports of messages (nic): a message leaves by the port of its path, whatever its file names. */
import type { LeftOut } from '../left-out.js';

export function notePort(leftOut: LeftOut, where: string): void {
  leftOut.add('messages name a port (nic), and leave by that of their path', where, 1,
    'message names a port (nic), and leaves by that of its path');
}
