/**
 * Finds Fast CNPs whose option type numbers differ from the engine's: each domain chooses them until they are assigned
 * (draft-xiao-rtgwg-rocev2-fast-cnp-01, section 4).
 */
import { IpProtocol } from '../wire/ip/ip-protocol.js';
import { readOptions, walkExtensionHeaders } from '../wire/ip/ipv6-options.js';
import { Ipv6 } from '../wire/ip/ipv6.js';
import { Udp } from '../wire/ip/udp.js';
import { Bth } from '../wire/roce/bth.js';
import { FAST_CNP_1_DATA_BYTES, FAST_CNP_2_LEAST_DATA_BYTES } from '../wire/roce/fast-cnp-option.js';
import type { OtherOptionType } from './report.js';

const IPV6_BYTES = 40;
/** Option types have action bits 10 and change bit 0. */
const TYPE_MIN = 0x80;
const TYPE_MAX = 0x9f;

export class OtherOptionTypes {
  readonly #frames = new Map<string, OtherOptionType & { frames: number }>();

  /** Option types, the most frequent first. */
  get summaries(): OtherOptionType[] {
    return [...this.#frames.values()].sort((a, b) => b.frames - a.frames);
  }

  /** Counts an IPv6 frame that would be discarded for an unknown option, if it resembles a Fast CNP. */
  count(frame: Uint8Array, ipOffset: number): void {
    const { nextHeader } = Ipv6.read(frame, ipOffset);
    const { headers, upperProtocol, upperOffset } = walkExtensionHeaders(frame, nextHeader, ipOffset + IPV6_BYTES,
      frame.length);
    if (upperProtocol !== IpProtocol.UDP || frame[upperOffset + Udp.lenBytes] !== Bth.OPCODE_CNP) return;
    for (const header of headers) {
      if (header.type !== IpProtocol.DESTINATION_OPTIONS) continue;
      for (const { type, dataBytes } of readOptions(frame, header)) this.#add(type, dataBytes);
    }
  }

  /** Tells the two options apart by their length. */
  #add(type: number, dataBytes: number): void {
    if (type < TYPE_MIN || type > TYPE_MAX) return;
    if (dataBytes !== FAST_CNP_1_DATA_BYTES && dataBytes < FAST_CNP_2_LEAST_DATA_BYTES) return;
    const option = dataBytes === FAST_CNP_1_DATA_BYTES ? 1 : 2;
    const key = `${option} ${type}`;
    const known = this.#frames.get(key);
    if (known !== undefined) known.frames++;
    else this.#frames.set(key, { option, type, frames: 1 });
  }
}
