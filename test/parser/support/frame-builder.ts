/** Builds frames from the innermost header outwards; every length field is correct unless the caller overrides it. */

export const ADDRESS_A = Uint8Array.from(Buffer.from('20010db8000100000000000000000010', 'hex'));
export const ADDRESS_B = Uint8Array.from(Buffer.from('20010db8000200000000000000000020', 'hex'));
export const IPV6 = 0x86dd;
export const IPV4 = 0x0800;
export const NEXT = { hopByHop: 0, udp: 17, ipv6: 41, routing: 43, fragment: 44, ah: 51, destination: 60 } as const;

/** Joins parts into one array, allocated once because this builds millions of random frames. */
export function bytes(...parts: (number | ArrayLike<number>)[]): Uint8Array {
  let length = 0;
  for (const part of parts) length += typeof part === 'number' ? 1 : part.length;
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    if (typeof part === 'number') whole[at++] = part;
    else {
      whole.set(part, at);
      at += part.length;
    }
  }
  return whole;
}

export function be16(value: number): Uint8Array {
  return bytes((value >> 8) & 0xff, value & 0xff);
}

export function zeros(count: number): Uint8Array {
  return new Uint8Array(count);
}

export function ethernet(etherType: number, payload: Uint8Array, tags: readonly number[] = []): Uint8Array {
  const tagBytes = tags.flatMap((tag) => [tag >> 8, tag & 0xff, 0x60, 0x01]);
  return bytes([2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2], tagBytes, be16(etherType), payload);
}

export function ipv6(next: number, payload: Uint8Array, source = ADDRESS_B): Uint8Array {
  return bytes([0x6b, 0x10, 0, 0], be16(payload.length), next, 64, source, ADDRESS_A, payload);
}

/** `fragment` is the 16-bit field of flags and offset; the length of `options` is a multiple of four bytes. */
export function ipv4(payload: Uint8Array, fragment = 0x4000, options: ArrayLike<number> = []): Uint8Array {
  const headerBytes = 20 + options.length;
  const total = headerBytes + payload.length;
  const front = bytes(0x40 | (headerBytes / 4), 0xc2, be16(total), 0, 1, be16(fragment), 64, 17, 0, 0);
  return bytes(front, [10, 0, 0, 1], [10, 0, 0, 2], options, payload);
}

/** A Hop-by-Hop or Destination Options header; content is padded with Pad1. */
export function optionsHeader(next: number, content: Uint8Array): Uint8Array {
  const units = Math.ceil((content.length + 2) / 8);
  return bytes(next, units - 1, content, zeros(units * 8 - 2 - content.length));
}

export function option(type: number, data: ArrayLike<number>): Uint8Array {
  return bytes(type, data.length, data);
}

/** Option 1 of the Fast CNP draft. */
export function fastCnpOption1(type = 0x9e, address = ADDRESS_B): Uint8Array {
  return option(type, address);
}

/** An IOAM option's data: reserved byte, IOAM Option-Type, trace header and node data. */
export function ioamData(optionType: number, nodeBytes: number): Uint8Array {
  return bytes(0, optionType, be16(7), be16(0x1000), [0xf0, 0, 0], 0, zeros(nodeBytes).fill(0x5a));
}

/** Option 2: a copied IOAM option, then the address. */
export function fastCnpOption2(type = 0x9e, nodeBytes = 8, ioamType = 0): Uint8Array {
  return option(type, bytes(ioamData(ioamType, nodeBytes), ADDRESS_B));
}

export function fragmentHeader(next: number, offset: number, more: 0 | 1): Uint8Array {
  return bytes(next, 0, be16((offset << 3) | more), 0, 0, 0, 1);
}

export function udp(payload: Uint8Array, port = 4791, length = payload.length + 8): Uint8Array {
  return bytes(be16(0xc001), be16(port), be16(length), 0, 0, payload);
}

/** A BTH, the bytes `behind` it, and an incorrect ICRC. */
export function bth(opcode: number, behind: ArrayLike<number> = [], qpn = 0x123456): Uint8Array {
  return bytes(opcode, 0, 0xff, 0xff, 0x40, qpn >> 16, be16(qpn & 0xffff), 0, 0, 0, 9, behind, [
    0xde,
    0xad,
    0xbe,
    0xef,
  ]);
}

export const cnp = (qpn?: number): Uint8Array => bth(0x81, zeros(16), qpn);
export const sendOnly = (qpn?: number): Uint8Array => bth(0x04, zeros(32), qpn);
