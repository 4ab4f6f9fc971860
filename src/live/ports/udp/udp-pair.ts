/** Opens two UDP sockets on the loopback, connected to each other. */
import { RoceError } from '../../../errors.js';
import { openUdpPort, type UdpPort, type UdpPortOptions } from './udp-port.js';

const ANY_LOCAL = { address: '127.0.0.1', port: 0 };
const TRIES = 10;

/**
 * Each socket needs the other's port number, so one is opened twice; if another program takes its number meanwhile,
 * both are.
 */
export async function openUdpPair(
  options: Omit<UdpPortOptions, 'local' | 'peer'>,
): Promise<readonly [UdpPort, UdpPort]> {
  for (let tries = 1;; tries++) {
    const first = await openUdpPort({ ...options, local: ANY_LOCAL });
    const { local } = first;
    // While the first one is open, the second one gets a different port number.
    const second = await openUdpPort({ ...options, local: ANY_LOCAL, peer: local });
    first.close();
    try {
      return [await openUdpPort({ ...options, local, peer: second.local }), second];
    } catch (error) {
      second.close();
      if (tries === TRIES || !(error instanceof RoceError) || error.code !== 'unsupported') throw error;
    }
  }
}
