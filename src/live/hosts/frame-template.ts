/**
 * A RoCEv2 frame of an emulated QP that is sent repeatedly with different numbers: offsets of its fields, and its ICRC.
 */
import type { FieldsOf } from '../../wire/header/define-header.js';
import { IpProtocol } from '../../wire/ip/ip-protocol.js';
import { Udp } from '../../wire/ip/udp.js';
import { Ipv6 } from '../../wire/ip/ipv6.js';
import { Bth } from '../../wire/roce/bth.js';
import { Icrc, type IcrcPolicy } from '../../wire/roce/icrc.js';
import { buildRoceFrame, locateRoce, type EthernetLink } from '../../wire/roce/roce-frame.js';

/** Destination and common fields of a QP's frames. */
export interface QpPath {
  readonly link: EthernetLink;
  /** IP addresses, 16 bytes each. */
  readonly source: Uint8Array;
  readonly destination: Uint8Array;
  readonly dscp: number;
  readonly udpSourcePort: number;
  readonly destQpn: number;
  /** A Hop-by-Hop header with space for telemetry; empty if the flow has none. */
  readonly hopByHop: Uint8Array;
  readonly icrcPolicy: IcrcPolicy;
}

/** The parts of a frame other than its path. */
export interface FrameContent {
  readonly ecn: number;
  readonly bth: Omit<FieldsOf<typeof Bth>, 'destQpn'>;
  readonly payload: Uint8Array;
}

const HOP_LIMIT = 64;
const IPV6_NEXT_HEADER = Ipv6.offsetOf('nextHeader');

export class FrameTemplate {
  readonly bytes: Uint8Array;
  readonly bthOffset: number;
  /** Offset of the Hop-by-Hop header, if there is one. */
  readonly hopByHopOffset: number;
  readonly #ipOffset: number;
  readonly #icrcOffset: number;
  readonly #icrcPolicy: IcrcPolicy;

  constructor({ destQpn, hopByHop, icrcPolicy, ...travel }: QpPath, { bth, ...content }: FrameContent) {
    this.bytes = buildRoceFrame({
      ...travel,
      ...content,
      hopLimit: HOP_LIMIT,
      flowLabel: 0,
      ipv4Identification: 0,
      udpChecksum: 'zero',
      destinationOptions: hopByHop,
      icrcPolicy,
      bth: { ...bth, destQpn },
    });
    const { ipOffset, payloadOffset, endOffset } = locateRoce(this.bytes, 0, 'ethernet');
    this.#ipOffset = ipOffset;
    this.bthOffset = payloadOffset - Bth.lenBytes;
    this.hopByHopOffset = this.bthOffset - Udp.lenBytes - hopByHop.length;
    this.#icrcOffset = endOffset - Icrc.lenBytes;
    this.#icrcPolicy = icrcPolicy;
    if (hopByHop.length > 0) this.bytes[ipOffset + IPV6_NEXT_HEADER] = IpProtocol.HOP_BY_HOP;
  }

  /** Computes the ICRC of the current contents and returns the frame; valid until it is changed. */
  sealed(): Uint8Array {
    const { bytes } = this;
    const icrc = Icrc.computeAt(bytes, this.#ipOffset, this.bthOffset - Udp.lenBytes, this.#icrcOffset,
      this.#icrcPolicy);
    Icrc.write(bytes, this.#icrcOffset, icrc);
    return bytes;
  }
}
