/**
 * Access lists at the borders between data centres and WAN: gateways and provider edges drop Fast CNPs from switches that are not
 * listed, into the domain and out of it.
 *
 * Source: draft-xiao-rtgwg-rocev2-fast-cnp-01, section 5: border filtering MUST drop inbound Fast CNPs from outside of the domain,
 * and outbound ones that leave it. So only Fast CNPs of listed switches pass.
 */
import { DROP_ACCESS_LIST } from '../../../src/abi/sim-codes';
import { portAt } from '../network';
import { dropHazard, packetAt } from '../packets';
import { domainOf, isInTunnel, isPermitted, wanNodeOf } from './memory';
import { isFastCnp } from './tunnels';
import { SimNode, SimPort } from '../../records/network';

const IN: u32 = 0;
const OUT: u32 = 1;

@inline function isBorder(node: SimNode, port: SimPort): bool {
  const own = wanNodeOf(node);
  return own.lists != 0 && domainOf(portAt(port.peer).node) != own.domain;
}

/** Checks an arriving packet; false if it is dropped. */
export function passesIn(node: SimNode, inPort: SimPort, index: u32): bool {
  const packet = packetAt(index);
  if (!isFastCnp(packet) || isInTunnel(packet) || !isBorder(node, inPort)) return true;
  const own = wanNodeOf(node);
  if (isPermitted(own.lists - 1, IN, packet.power)) return true;
  own.deniedIn += 1;
  inPort.drops += 1;
  dropHazard(index, DROP_ACCESS_LIST);
  return false;
}

/** Checks a departing packet; false if it is dropped. */
export function passesOut(node: SimNode, outPort: SimPort, index: u32): bool {
  const packet = packetAt(index);
  if (!isFastCnp(packet) || isInTunnel(packet) || !isBorder(node, outPort)) return true;
  const own = wanNodeOf(node);
  if (isPermitted(own.lists - 1, OUT, packet.power)) return true;
  own.deniedOut += 1;
  outPort.drops += 1;
  dropHazard(index, DROP_ACCESS_LIST);
  return false;
}
