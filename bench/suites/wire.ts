/**
 * The codecs in TypeScript: whole packets dissected with and without allocation, and the ICRC.
 */
import { crc32 } from 'node:zlib';
import { LINK_TYPE_ETHERNET } from '../../src/capture/link-types.js';
import { Dissection, createDissector, dissectInto, dissectionRules } from '../../src/packet/index.js';
import { Ipv6 } from '../../src/wire/ip/ipv6.js';
import { Ethernet } from '../../src/wire/link/ethernet.js';
import { Icrc } from '../../src/wire/roce/icrc.js';
import { frameStream } from '../support/frames.js';
import type { BenchCase, Variant } from '../support/interleave.js';
import type { CasePlan, Suite, SuiteSize } from './suite.js';

const QPS = 1000;
const DATA_BYTES = 1024;

export const wireSuite: Suite = {
  name: 'wire',
  about: 'codecs in TypeScript: dissecting whole frames, computing ICRCs',
  plan({ smoke }: SuiteSize): readonly CasePlan[] {
    return [
      { title: 'dissect frames', inBenny: true, make: () => dissectCase(smoke ? 2 ** 10 : 2 ** 16) },
      { title: 'icrc of 1 KiB packets', inBenny: true, make: () => icrcCase(smoke ? 2 ** 8 : 2 ** 14) },
    ];
  },
};

/** The frames of the packets suite: data, ACKs, CNPs and Fast CNPs over IPv6, cut at 96 bytes. */
function dissectCase(count: number): BenchCase {
  const { bytes, offset, captured, original } = frameStream(QPS, count);
  const frames = Array.from(offset, (at, i) => bytes.subarray(at, at + (captured[i] ?? 0)));
  const options = { linkType: LINK_TYPE_ETHERNET, checkIcrc: false } as const;
  const rules = dissectionRules(options);
  const dissection = new Dissection();
  const dissect = createDissector(options);
  const lengths = Array.from(original);
  return {
    title: 'dissect frames',
    unit: 'frame',
    units: count,
    base: 'dissect, values',
    variants: [
      timed('dissect, values', () => {
        let layers = 0;
        frames.forEach((frame, i) => {
          layers += dissect(frame, lengths[i]).layers.length;
        });
        return layers;
      }),
      timed('dissectInto, reused', () => {
        let layers = 0;
        for (let i = 0; i < count; i++) {
          layers += dissectInto(dissection, frames[i] ?? bytes, lengths[i] ?? 0, rules).count;
        }
        return layers;
      }),
    ],
  };
}

/** An IPv6 RoCEv2 packet with 1,024 bytes of payload; 1 GB/s is about 1,090 ns per packet. */
function icrcCase(count: number): BenchCase {
  const { bytes } = frameStream(1, 1);
  const packet = new Uint8Array(Ipv6.lenBytes + 8 + 12 + DATA_BYTES);
  packet.set(bytes.subarray(Ethernet.lenBytes, Ethernet.lenBytes + Ipv6.lenBytes + 8 + 12));
  packet[6] = 17;
  packet.fill(0xa5, Ipv6.lenBytes + 20);
  const { length } = packet;
  return {
    title: `icrc of 1 KiB packets (${length} bytes)`,
    unit: 'packet',
    units: count,
    base: 'Icrc.computeAt',
    variants: [
      timed('Icrc.computeAt', () => repeat(count, () => Icrc.computeAt(packet, 0, Ipv6.lenBytes, length))),
      timed('Icrc.compute, headers searched', () => repeat(count, () => Icrc.compute(packet))),
      timed('zlib crc32 of the same bytes, unmasked', () => repeat(count, () => crc32(packet))),
    ],
  };
}

function repeat(count: number, action: () => number): number {
  let sum = 0;
  for (let i = 0; i < count; i++) sum ^= action();
  return sum;
}

/** The result is kept, so that no work can be left out. */
let sink = 0;

function timed(name: string, run: () => number): Variant {
  return {
    name,
    reset() {
      // Nothing to put back: the input stays as it is.
    },
    pass() {
      const begun = performance.now();
      sink ^= run();
      return performance.now() - begun;
    },
  };
}

/** Sum over all passes; a benchmark that reads it can't be optimised away. */
export function wireSink(): number {
  return sink;
}
