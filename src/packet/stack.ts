/**
 * A stack of layers as users write it: everything that follows from the other layers may be left out.
 */
import type { Arn, ArnFields } from '../wire/arn/arn.js';
import type { RoceFcIcmpFields } from '../wire/discovery/roce-fc-icmp.js';
import type { LinuxSll2Fields } from '../wire/link/linux-sll2.js';
import type { EthernetHeader } from '../wire/link/ethernet.js';
import type { Ipv4Header } from '../wire/ip/ipv4.js';
import type { Ipv6Header } from '../wire/ip/ipv6.js';
import type { SegmentRoutingFields } from '../wire/ip/segment-routing.js';
import type { UdpHeader } from '../wire/ip/udp.js';
import type { BthFields } from '../wire/roce/bth.js';
import type { DethFields } from '../wire/roce/deth.js';
import type { GrhFields } from '../wire/roce/grh.js';
import type { RdethFields } from '../wire/roce/rdeth.js';
import type { XrcethFields } from '../wire/roce/xrceth.js';
import type { LayerKind } from './layer-kinds.js';
import type { LayerValues } from './layers.js';

type Addresses = 'source' | 'destination';

/** UDP as users write it: `'computed'` asks for the right checksum; by default it is 0, as RoCEv2 has it (Annex A17). */
export interface UdpSpec extends Partial<Omit<UdpHeader, 'checksum'>> {
  readonly checksum?: number | 'computed';
}

/** What may be left out of a layer's value, where it is not everything or nothing. */
export interface LayerSpecValues extends Omit<LayerValues, keyof SpecialSpecs>, SpecialSpecs {}

interface SpecialSpecs {
  /** `etherType` follows from the next layer; no tags by default. */
  readonly ethernet: Pick<EthernetHeader, Addresses> & Partial<EthernetHeader>;
  /** Payload length follows; next header BTH, hop limit 64, the rest 0 by default. */
  readonly grh: Omit<GrhFields, 'payloadLength'> & Partial<GrhFields>;
  /** `protocolType` follows from the next layer. */
  readonly 'linux-sll': Omit<LayerValues['linux-sll'], 'protocolType'> & Partial<LayerValues['linux-sll']>;
  /** `protocolType` follows from the next layer. */
  readonly 'linux-sll2': Omit<LinuxSll2Fields, 'protocolType'> & Partial<LinuxSll2Fields>;
  /** Lengths, protocol and checksum follow; DF is set, TTL 64, the rest 0 by default. */
  readonly ipv4: Pick<Ipv4Header, Addresses> & Partial<Ipv4Header>;
  /** Payload length and next header follow; hop limit 64, the rest 0 by default. */
  readonly ipv6: Pick<Ipv6Header, Addresses> & Partial<Ipv6Header>;
  /** `nextHeader` follows. */
  readonly 'hop-by-hop': Omit<LayerValues['hop-by-hop'], 'nextHeader'> & Partial<LayerValues['hop-by-hop']>;
  /** `nextHeader` follows. */
  readonly 'destination-options': SpecialSpecs['hop-by-hop'];
  /** `nextHeader` and length follow. */
  readonly routing: Omit<LayerValues['routing'], 'nextHeader' | 'headerExtLen'> & Partial<LayerValues['routing']>;
  /** `nextHeader` and lengths follow. */
  readonly 'segment-routing': Omit<SegmentRoutingFields, 'nextHeader'> & Partial<SegmentRoutingFields>;
  /** `nextHeader` follows. */
  readonly fragment: Omit<LayerValues['fragment'], 'nextHeader' | 'reserved8' | 'reserved2'> & Partial<
    LayerValues['fragment']
  >;
  /** Length and, before a BTH, the destination port follow; source port 49152 by default. */
  readonly udp: UdpSpec;
  /** `padCount` follows from a `pad` layer. */
  readonly bth: BthFields;
  readonly rdeth: RdethFields;
  readonly deth: DethFields;
  readonly xrceth: XrcethFields;
  /** 0 by default, 16 of them. */
  readonly 'cnp-reserved': Partial<LayerValues['cnp-reserved']>;
  /** Computed by default. */
  readonly icrc: Partial<LayerValues['icrc']>;
  readonly arn: ArnFields | Arn;
  /** The checksum is computed by default. */
  readonly 'roce-fc-icmp': RoceFcIcmpFields;
}

/** One layer of a stack. `value` may be left out where all of it has defaults. */
export type LayerSpec = {
  readonly [Kind in LayerKind]: { readonly kind: Kind; readonly value?: LayerSpecValues[Kind] };
}[LayerKind];
