/** Opens ports by their names on the command line. */
import { RoceError } from '../../errors.js';
import { openPacketPort } from '../../live/ports/linux/packet-port.js';
import { openTapPort } from '../../live/ports/linux/tap-port.js';
import { openUdpPort, ROCE_UDP_PORT, type UdpAddress } from '../../live/ports/udp/udp-port.js';
import type { FramePort, LiveClock } from '../../live/index.js';

/** Options of the command line for opening a port. */
export interface PortFlags {
  /** Interfaces only: also receive frames addressed to other stations. */
  readonly promiscuous?: boolean | undefined;
  /** Interfaces only: milliseconds after which the ring returns a block that is not full. */
  readonly blockTimeout?: number | undefined;
  readonly clock?: LiveClock | undefined;
}

/**
 * Opens a port.
 *
 * @throws RoceError for an invalid name, a port that can not be opened, or a missing permission.
 */
export async function openPort(name: string, flags: PortFlags = {}): Promise<FramePort> {
  const { promiscuous, blockTimeout, clock } = flags;
  if (name.startsWith('tap:')) return openTapPort(name.slice('tap:'.length), { clock });
  if (name.startsWith('udp:')) {
    const [local = '', peer] = name.slice('udp:'.length).split(',');
    return openUdpPort({ local: addressOf(local), peer: peer === undefined ? undefined : addressOf(peer), clock });
  }
  return openPacketPort(name, { promiscuous, blockTimeoutMs: blockTimeout, clock });
}

/** `127.0.0.1:4791`, `[::1]:4791`, or an address alone. */
function addressOf(text: string): UdpAddress {
  const match = /^(?:\[([^\]]*)\]|([^:]*))(?::(\d{1,5}))?$/.exec(text);
  if (match === null) {
    const allowed = 'such as 127.0.0.1:4791 or [::1]:4791';
    throw new RoceError('invalid-argument', { what: 'the UDP address', got: text, allowed, where: 'source' });
  }
  return { address: match[1] ?? match[2] ?? '', port: match[3] === undefined ? ROCE_UDP_PORT : Number(match[3]) };
}
