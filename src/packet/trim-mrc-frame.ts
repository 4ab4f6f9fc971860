/** Trims a frame as a trimming switch does: keeps its beginning, and changes its DSCP. */
import { CLASS_MALFORMED } from '../abi/codes.js';
import { RoceError } from '../errors.js';
import { requireField, requirePlace, requireRecord, writeU16 } from '../wire/bytes.js';
import { internetChecksum, sumOfWords } from '../wire/internet-checksum.js';
import { Ipv4 } from '../wire/ip/ipv4.js';
import { Ipv6 } from '../wire/ip/ipv6.js';
import { Udp } from '../wire/ip/udp.js';
import { MRC_DSCPS } from '../wire/mrc/ip-fields.js';
import { Dissection } from './dissection.js';
import { dissectInto } from './dissect-into.js';
import { LAYER_IPV4, LAYER_IPV6, LAYER_UDP } from './layer-kinds.js';
import { dissectionRules, type DissectOptions } from './rules.js';

/** Options for trimming a frame. */
export interface TrimOptions extends Pick<DissectOptions, 'linkType' | 'mrc'> {
  /** Number of bytes to keep, including the link header; default 128, as in the Switch Abstraction Interface (SAI). */
  readonly keptBytes?: number;
  /** New DSCP of the outermost IP header, 0..63; default: TRIMMED in `MRC_DSCPS`. */
  readonly dscp?: number;
  /** Whether to adjust the IP and UDP lengths to the kept bytes; default: they are left unchanged. */
  readonly fixesLengths?: boolean;
}

const KEPT_BYTES = 128;
const DSCP_MAX = 63;
const IPV4_TRAFFIC_CLASS = Ipv4.offsetOf('dscp');
const IPV4_TOTAL_LENGTH = Ipv4.offsetOf('totalLength');
const IPV4_CHECKSUM = Ipv4.offsetOf('checksum');
const IPV6_PAYLOAD_LENGTH = Ipv6.offsetOf('payloadLength');
const UDP_LENGTH = Udp.offsetOf('length');

/**
 * Trims an MRC packet, whatever encloses it.
 *
 * @param frame a complete frame; it is not modified.
 * @returns a copy of its first bytes with the new DSCP; a frame that is shorter is kept whole.
 * @throws RoceError `invalid-argument` for an option out of range, or a frame that holds no complete MRC packet.
 */
export function trimMrcFrame(frame: Uint8Array, options: TrimOptions = {}): Uint8Array {
  requirePlace(frame, 0, undefined, 'frame');
  requireRecord('options', options);
  const { keptBytes = KEPT_BYTES, fixesLengths = false, linkType, mrc = {} } = options;
  const { dscp = typeof MRC_DSCPS.trimmed === 'number' ? MRC_DSCPS.trimmed : 0 } = options;
  requireField('options.dscp', dscp, DSCP_MAX);
  const rules = dissectionRules({ mrc, checkIcrc: false, ...(linkType !== undefined && { linkType }) });
  const d = dissectInto(new Dissection(), frame, frame.length, rules);
  if (d.mrcOffset === 0 || d.classCode === CLASS_MALFORMED) {
    throw new RoceError('invalid-argument', { where: 'frame', what: 'frame', problem: 'holds no complete MRC packet' });
  }
  requireField('options.keptBytes', keptBytes, frame.length + KEPT_BYTES, d.mrcOffset + 1);
  const trimmed = frame.slice(0, Math.min(keptBytes, frame.length));
  writeDscp(trimmed, d.carrierIpOffset, dscp);
  if (fixesLengths) fixLengths(trimmed, d);
  fixChecksums(trimmed, d);
  return trimmed;
}

function writeDscp(bytes: Uint8Array, ipOffset: number, dscp: number): void {
  if (bytes[ipOffset] >> 4 === 4) {
    const at = ipOffset + IPV4_TRAFFIC_CLASS;
    bytes[at] = (dscp << 2) | (bytes[at] & 3);
    return;
  }
  bytes[ipOffset] = 0x60 | (dscp >> 2);
  bytes[ipOffset + 1] = ((dscp & 3) << 6) | (bytes[ipOffset + 1] & 0x3f);
}

/** From the packet's outermost IP header to its UDP header. */
function fixLengths(bytes: Uint8Array, d: Dissection): void {
  for (let index = 0; index < d.count; index++) {
    const at = d.offsets[index];
    if (at < d.carrierIpOffset) continue;
    const rest = bytes.length - at;
    if (d.kinds[index] === LAYER_IPV4) writeU16(bytes, at + IPV4_TOTAL_LENGTH, rest);
    else if (d.kinds[index] === LAYER_IPV6) writeU16(bytes, at + IPV6_PAYLOAD_LENGTH, rest - Ipv6.lenBytes);
    else if (d.kinds[index] === LAYER_UDP && rest >= Udp.lenBytes) writeU16(bytes, at + UDP_LENGTH, rest);
  }
}

function fixChecksums(bytes: Uint8Array, d: Dissection): void {
  for (let index = 0; index < d.count; index++) {
    const at = d.offsets[index];
    if (d.kinds[index] !== LAYER_IPV4 || at < d.carrierIpOffset) continue;
    const end = at + Math.max(d.lengths[index], Ipv4.lenBytes);
    writeU16(bytes, at + IPV4_CHECKSUM, 0);
    writeU16(bytes, at + IPV4_CHECKSUM, internetChecksum(sumOfWords(bytes, at, end)));
  }
}
