/** The checksum status that tshark should show, and the fields in which it shows the last bytes of a RoCE packet. */
import type { Layer, LayerOf, Packet } from '../../../src/packet/index.js';
import type { LayerKind } from '../../../src/packet/layer-kinds.js';
import { Ipv4 } from '../../../src/wire/ip/ipv4.js';
import { UDP_CHECKSUM, Udp } from '../../../src/wire/ip/udp.js';
import { Bth, Opcode } from '../../../src/wire/roce/bth.js';
import type { FieldKind } from './tshark.js';

const IPV4_CHECKSUM = Ipv4.offsetOf('checksum');
const OPCODE_RC_ACKNOWLEDGE = 0x11;

type Add = (name: string, value: number | Uint8Array) => void;

/** Values of the two status fields (Wireshark User's Guide, section 7.8.2). */
const BAD = 0;
const GOOD = 1;
const NOT_PRESENT = 3;
const ILLEGAL = 4;

export const SUM_KINDS: Readonly<Record<string, FieldKind>> = {
  'ip.checksum.status': 'number',
  'udp.checksum.status': 'number',
  'udp.payload': 'bytes',
  'infiniband.invariant.crc': 'bytes',
  'infiniband.vendor': 'bytes',
};

/** Adds the checksum status, the bytes after UDP, and the invariant CRC. */
export function addSums({ layers }: Pick<Packet, 'layers'>, bytes: Uint8Array, add: Add): void {
  for (const layer of layers) {
    if (layer.kind === 'ipv4') add('ip.checksum.status', ipv4Status(layer));
    if (layer.kind === 'udp') addUdp(layer, layers, bytes, add);
    if (layer.kind === 'bth') addEnd(layer, layers, bytes, add);
  }
}

function ipv4Status({ value }: LayerOf<'ipv4'>): number {
  const { checksum, ...fields } = value;
  const right = Ipv4.write(fields).subarray(IPV4_CHECKSUM, IPV4_CHECKSUM + 2);
  return right[0] === checksum >> 8 && right[1] === (checksum & 0xff) ? GOOD : BAD;
}

function addUdp({ offset, value }: LayerOf<'udp'>, layers: readonly Layer[], bytes: Uint8Array, add: Add): void {
  const ip = layers.findLast((layer) => isIp(layer) && layer.offset < offset);
  if (ip?.kind !== 'ipv4' && ip?.kind !== 'ipv6') throw new Error('UDP without IP');
  const datagram = bytes.slice(offset, offset + value.length);
  if (datagram.length > 8) add('udp.payload', datagram.subarray(8));
  if (value.checksum === 0) {
    // Annex A17 requires a zero checksum over IPv6 too, where RFC 8200 forbids it.
    add('udp.checksum.status', ip.kind === 'ipv4' ? NOT_PRESENT : ILLEGAL);
    return;
  }
  datagram.fill(0, UDP_CHECKSUM, UDP_CHECKSUM + 2);
  const right = Udp.computeChecksum(ip.value.source, lastDestination(ip, layers), datagram);
  add('udp.checksum.status', right === value.checksum ? GOOD : BAD);
}

/** With segments left, the checksum covers the last address of the list (RFC 8200, section 8.1). */
function lastDestination({ offset, value }: LayerOf<'ipv4'> | LayerOf<'ipv6'>, layers: readonly Layer[]): Uint8Array {
  const routing = layers.find((layer) => layer.kind === 'segment-routing' && layer.offset > offset);
  return routing?.kind === 'segment-routing' && routing.value.segmentsLeft > 0 ?
    routing.value.segments[0]! :
    value.destination;
}

function isIp({ kind }: { readonly kind: LayerKind }): boolean {
  return kind === 'ipv4' || kind === 'ipv6';
}

/**
 * tshark 4.0 does not decode CNPs, XRC and undefined opcodes: it shows all bytes after the BTH, including the invariant
 * CRC, as one field.
 */
function addEnd({ value: { opcode }, offset }: LayerOf<'bth'>, layers: readonly Layer[], bytes: Uint8Array,
  add: Add): void {
  const icrc = layers.find((layer) => layer.kind === 'icrc' && layer.offset > offset);
  const hasPayload = layers.some((layer) => layer.kind === 'payload' && layer.offset > offset);
  // An acknowledgement has no payload; tshark stops when one has.
  if (!icrc || (opcode === OPCODE_RC_ACKNOWLEDGE && hasPayload)) return;
  const endOffset = icrc.offset + icrc.lenBytes;
  const isUnknown = opcode === Bth.OPCODE_CNP || Opcode.transport(opcode) === 'XRC' || !Opcode.isDefined(opcode);
  if (!isUnknown) {
    add('infiniband.invariant.crc', bytes.subarray(icrc.offset, endOffset));
    return;
  }
  add('infiniband.vendor', bytes.subarray(offset + 12, offset + 16));
  add('infiniband.vendor', bytes.subarray(offset + 12, endOffset));
}
