/**
 * Invariant CRC of the reference parser (Annex A17, A17.3.3, CA17-22), by the book: lay out the covered octets,
 * turn those that may change into ones, run CRC-32 over 64 one-bits and the copy.
 */
import { ICRC_LITERAL, ICRC_NORMALISE } from '../abi/codes.js';
import type { UdpDatagram } from './parse-ip.js';
import type { FrameOctets } from './parse-verdict.js';

const LRH_STAND_IN_BYTES = 8;
const ICRC_BYTES = 4;
const IPV6_HEADER_BYTES = 40;
const UDP_HEADER_BYTES = 8;
const PROTOCOL_UDP = 17;
const POLYNOMIAL_REFLECTED = 0xedb88320;

let crcTable: Uint32Array | undefined;

function tableOf(polynomial: number): Uint32Array {
  return Uint32Array.from({ length: 256 }, (_, octet) => {
    let register = octet;
    for (let bit = 0; bit < 8; bit++) register = (register >>> 1) ^ (register % 2 === 0 ? 0 : polynomial);
    return register;
  });
}

function crc32(octets: Uint8Array): number {
  crcTable ??= tableOf(POLYNOMIAL_REFLECTED);
  let register = 0xffffffff;
  for (const octet of octets) register = (register >>> 8) ^ (crcTable[(register ^ octet) & 0xff] ?? 0);
  return ~register >>> 0;
}

/**
 * ICRC of a captured datagram, as the number whose least significant octet goes first on the wire.
 *
 * @param end - offset just behind the ICRC
 * @param policy - which octets count when extension headers are present: ICRC_LITERAL, ICRC_OMIT or ICRC_NORMALISE
 */
export function computeReferenceIcrc(frame: FrameOctets, datagram: UdpDatagram, end: number, policy: number): number {
  const { ip, udpOffset } = datagram;
  const coversChain = ip.version === 4 || policy === ICRC_LITERAL;
  const networkEnd = coversChain ? udpOffset : ip.offset + IPV6_HEADER_BYTES;
  const network = frame.octets.slice(ip.offset, networkEnd);
  const transport = frame.octets.slice(udpOffset, end - ICRC_BYTES);
  const hasExtensions = ip.version === 6 && udpOffset !== ip.offset + IPV6_HEADER_BYTES;
  if (policy === ICRC_NORMALISE && hasExtensions) pretendNoExtensions(network, end - udpOffset);

  setToOnes(network, ip.version === 4 ? [1, 8, 10, 11] : [1, 2, 3, 7]);
  if (ip.version === 6) network[0] = 0x6f;
  setToOnes(transport, [6, 7, UDP_HEADER_BYTES + 4]);

  const covered = new Uint8Array(LRH_STAND_IN_BYTES + network.length + transport.length).fill(0xff);
  covered.set(network, LRH_STAND_IN_BYTES);
  covered.set(transport, LRH_STAND_IN_BYTES + network.length);
  return crc32(covered);
}

function setToOnes(octets: Uint8Array, offsets: readonly number[]): void {
  for (const offset of offsets) octets[offset] = 0xff;
}

function pretendNoExtensions(header: Uint8Array, payloadBytes: number): void {
  header[4] = payloadBytes >> 8;
  header[5] = payloadBytes & 0xff;
  header[6] = PROTOCOL_UDP;
}

/** The ICRC that the frame carries, as a number like the one above. */
export function readIcrc(frame: FrameOctets, end: number): number {
  const at = end - ICRC_BYTES;
  return frame.u8(at) + frame.u8(at + 1) * 0x100 + frame.u8(at + 2) * 0x10000 + frame.u8(at + 3) * 0x1000000;
}
