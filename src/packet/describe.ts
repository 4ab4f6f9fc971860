/** Describes a packet in one line. */
import { requireRecord } from '../wire/bytes.js';
import { formatIpAddress, formatIpv6Address } from '../wire/ip/ip-address.js';
import type { Packet, PacketTrouble } from './dissect.js';
import { formatMac } from './layer-json.js';
import { findLayer } from './find-layer.js';
import { mrcDscpWords, mrcProblemWords } from './mrc-words.js';
import { packetSummary } from './packet-summary.js';
import { ECN_WORDS } from './words.js';

/**
 * A packet in one line: addresses, kind, QPN and PSN, DSCP and ECN, errors, length.
 *
 * @example
 * describe(dissect(bytes)); // '10.0.17.1 > 10.0.18.1  CNP QP 0x000118 PSN 0  DSCP 48 ECT(0)  74 bytes'
 */
export function describe(packet: Packet): string {
  requireRecord('packet', packet);
  const parts = [addresses(packet), packetSummary(packet), marking(packet), verdict(packet), length(packet)];
  return parts.filter((part) => part !== '').join('  ');
}

/** The packet's addresses, or those of the header around it, or those of the first layer that identifies hosts. */
function addresses(packet: Packet): string {
  const ip = packet.ip ?? packet.tunnel?.outer;
  if (ip) return `${formatIpAddress(ip.source)} > ${formatIpAddress(ip.destination)}`;
  const grh = findLayer(packet, 'grh')?.value;
  if (grh) return `${formatIpv6Address(grh.sourceGid)} > ${formatIpv6Address(grh.destinationGid)}`;
  const ethernet = findLayer(packet, 'ethernet')?.value;
  return ethernet ? `${formatMac(ethernet.source)} > ${formatMac(ethernet.destination)}` : '';
}

function marking({ ip, destQpn, tunnel, mrc }: Packet): string {
  if (ip === undefined || (destQpn === undefined && mrc === undefined)) return '';
  const outer = tunnel?.outer === undefined ? '' : ` (outer ${ECN_WORDS[tunnel.outer.ecn]})`;
  const dscp = mrc === undefined || tunnel?.outer === undefined ? ip.dscp : tunnel.outer.dscp;
  return `DSCP ${dscp}${mrc === undefined ? '' : mrcDscpWords(mrc)} ${ECN_WORDS[ip.ecn]}${outer}`;
}

/** The error, unless the class already states it. */
function verdict({ class: name, trouble, icrc, mrc }: Packet): string {
  if (mrc !== undefined && mrc.problems.length > 0) {
    const problems = mrcProblemWords(mrc);
    return `malformed: ${problems}${icrc === 'wrong' ? ', ICRC wrong' : ''}`;
  }
  const isSaid = mrc === undefined && (name === 'malformed' || name === 'cut');
  if (trouble && !isSaid) return troubleWords(trouble);
  return icrc === 'wrong' ? 'ICRC wrong' : '';
}

function troubleWords({ layer, required, actual, reason, isCut }: PacketTrouble): string {
  if (isCut) return `cut inside ${layer}`;
  const isLength = required > 0 && reason !== 'ip-version';
  return isLength ? `${layer} too short, ${actual} of ${required} bytes` : `trouble in ${layer}`;
}

function length({ capturedBytes, originalBytes }: Packet): string {
  return capturedBytes < originalBytes ?
    `${originalBytes} bytes, ${capturedBytes} captured` :
    `${originalBytes} bytes`;
}
