/** Random frames: mutations of valid ones, and IPv6 packets of unusual but mostly legal parts. */
import { bth, ethernet, fastCnpOption1, fastCnpOption2, fragmentHeader, ioamData, ipv4, IPV4, ipv6, IPV6, NEXT, bytes,
  option, optionsHeader, udp, zeros, ADDRESS_A, ADDRESS_B } from './frame-builder.js';

export class Chance {
  private state: number;

  constructor(seed: number) {
    this.state = (seed | 0) || 1;
  }

  /** A whole number below `limit` (xorshift32). */
  below(limit: number): number {
    this.state ^= this.state << 13;
    this.state ^= this.state >>> 17;
    this.state ^= this.state << 5;
    return (this.state >>> 0) % limit;
  }

  pick<T>(choices: readonly [T, ...T[]]): T {
    return choices[this.below(choices.length)] ?? choices[0];
  }
}

const TELLING_BYTES = [
  0,
  1,
  2,
  4,
  5,
  6,
  8,
  0x0f,
  0x10,
  0x11,
  0x12,
  0x13,
  0x14,
  0x18,
  0x1a,
  0x20,
  0x2b,
  0x2c,
  0x31,
  0x3c,
  0x40,
  0x45,
  0x46,
  0x60,
  0x64,
  0x7f,
  0x80,
  0x81,
  0x86,
  0x88,
  0x9e,
  0xa8,
  0xb7,
  0xdd,
  0xfe,
  0xff,
] as const;
/** Headers end about here; most changes should be in them. */
const HEADERS_BYTES = 130;

/** A copy with up to four bytes changed, sometimes shorter or longer. */
export function mutate(chance: Chance, frame: Uint8Array): Uint8Array {
  const resize = chance.below(8);
  const bytes = resize === 0 ?
    chance.below(frame.length + 1) :
    resize === 1 ?
    frame.length + chance.below(9) :
    frame.length;
  const mutated = new Uint8Array(bytes);
  mutated.set(frame.subarray(0, bytes));
  for (let changes = 1 + chance.below(4); changes > 0 && bytes > 0; changes--) {
    const at = chance.below(chance.below(8) === 0 ? bytes : Math.min(bytes, HEADERS_BYTES));
    const old = mutated[at] ?? 0;
    const kind = chance.below(4);
    if (kind === 0) mutated[at] = chance.below(256);
    if (kind === 1) mutated[at] = old ^ (1 << chance.below(8));
    if (kind === 2) mutated[at] = old + chance.below(9) - 4;
    if (kind === 3) mutated[at] = chance.pick(TELLING_BYTES);
  }
  return mutated;
}

function randomOption(chance: Chance): Uint8Array {
  const type = chance.pick([0x9e, 0x92, 0x96]);
  switch (chance.below(9)) {
    case 0:
      return bytes(0);
    case 1:
      return option(1, zeros(chance.below(6)));
    case 2:
    case 3:
      return fastCnpOption1(type, chance.pick([ADDRESS_A, ADDRESS_B]));
    case 4:
      return fastCnpOption2(type, chance.below(12), chance.below(4));
    case 5:
      return option(chance.pick([0x31, 0x11]), ioamData(chance.below(3), chance.below(24)));
    case 6:
      return option(chance.pick([0x31, 0x11, type]), zeros(chance.below(32)));
    case 7:
      return option(chance.pick([0x1e, 0x3e, 0x05, 0x5e, 0xbe, 0xfe]), zeros(chance.below(5)));
    default:
      return bytes(1, 2, 0, 0);
  }
}

function randomHeader(chance: Chance, kind: number, next: number): Uint8Array {
  if (kind === NEXT.fragment) return fragmentHeader(next, chance.below(4) === 0 ? 5 : 0, chance.pick([0, 1]));
  if (kind !== NEXT.hopByHop && kind !== NEXT.destination) return bytes(next, 0, zeros(6));
  const options = Array.from({ length: chance.below(4) }, () => randomOption(chance));
  const header = optionsHeader(next, bytes(...options));
  if (chance.below(16) === 0) header[1] = (header[1] ?? 0) + chance.below(3) - 1;
  return header;
}

function randomTransport(chance: Chance): Uint8Array {
  const opcode = chance.pick([0x81, 0x81, 0x81, 0x81, 0x04, 0x0a, 0x11, 0x12, 0x51, 0xa4, 0xb1, 0x80, 0xe0]);
  const behind = zeros(chance.pick([0, 2, 4, 16, 16, 16, 20, 33])).fill(chance.pick([0, 0x20, 0x60, 0x40]));
  const payload = bth(opcode, behind, chance.below(16) === 0 ? 0 : 1 + chance.below(0xffffff));
  const lie = chance.below(8) === 0 ? chance.below(12) - 8 : 0;
  return udp(payload, chance.below(12) === 0 ? 4790 : 4791, payload.length + 8 + lie);
}

/** A frame made of legal parts in an order that need not be legal. */
export function assemble(chance: Chance): Uint8Array {
  const tags = chance.pick([[], [], [0x8100], [0x88a8, 0x8100], [0x9100, 0x8100, 0x8100]]);
  if (chance.below(8) === 0) {
    const options = zeros(4 * chance.pick([0, 0, 1, 10]));
    const datagram = ipv4(randomTransport(chance), chance.pick([0x4000, 0x4000, 0, 0x2000, 0x2003, 0x8000]), options);
    return ethernet(IPV4, datagram, tags);
  }
  let payload = randomTransport(chance);
  let next: number = chance.below(24) === 0 ? 59 : NEXT.udp;
  for (let headers = chance.below(4); headers > 0; headers--) {
    const { destination, hopByHop, fragment, routing, ah } = NEXT;
    const isOutermost = headers === 1;
    const inner = isOutermost ? hopByHop : fragment;
    const odd = chance.pick([fragment, routing, ah, hopByHop]);
    const kind = chance.pick([destination, destination, destination, inner, inner, odd]);
    payload = bytes(randomHeader(chance, kind, next), payload);
    next = kind;
  }
  return ethernet(IPV6, ipv6(next, payload, chance.pick([ADDRESS_A, ADDRESS_B])), tags);
}
