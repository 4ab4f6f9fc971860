/**
 * A discovery request or reply as the frame that left its port, without the frame check sequence and padded to Ethernet's
 * minimum.
 */
import { Ethernet } from '../../../wire/link/ethernet.js';
import { RoceError } from '../../../errors.js';
import type { PacketRecord } from '../../result.js';
import { macOfPort } from '../../../switching/network-addresses.js';
import type { CaptureContext } from '../../files/capture-frames.js';

const LEAST_BYTES = 60;
const ETHERTYPE_IPV4 = 0x0800;
const ETHERTYPE_IPV6 = 0x86dd;
const VERSION_SHIFT = 4;

/** @throws RoceError `invalid-argument` for a port that the network doesn't have, or a record without its packet. */
export function discoveryFrame({ ports }: CaptureContext, { port, ipPacket }: PacketRecord): Uint8Array {
  const plan = ports[port];
  if (ipPacket === undefined || plan === undefined) {
    const where = plan === undefined ? 'record.port' : 'record.ipPacket';
    throw new RoceError('invalid-argument', {
      got: plan === undefined ? port : ipPacket,
      where,
      allowed: plan === undefined ? { min: 0, max: ports.length - 1, multipleOf: 1 } : 'an IP packet',
    });
  }
  const etherType = ipPacket[0] >> VERSION_SHIFT === 4 ? ETHERTYPE_IPV4 : ETHERTYPE_IPV6;
  const header = Ethernet.write({
    source: macOfPort(port),
    destination: macOfPort(plan.peerPort),
    tags: [],
    etherType,
  });
  const frame = new Uint8Array(Math.max(LEAST_BYTES, Ethernet.lenBytes + ipPacket.length));
  frame.set(header);
  frame.set(ipPacket, Ethernet.lenBytes);
  return frame;
}
