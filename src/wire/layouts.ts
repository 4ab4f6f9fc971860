/** All headers of this folder as data, from which docs/reference/wire.md is generated. */
import { Arn } from './arn/arn.js';
import { QosData } from './discovery/qos-data.js';
import { RoceFc6Option, RoceFcFlagsOption, RoceFcOption, RoceFcIcmp } from './discovery/roce-fc.js';
import { ExtensionHeader, FragmentHeader, RoutingHeader, Ipv6 } from './ip/ipv6.js';
import { Ipv4 } from './ip/ipv4.js';
import { Ipv6Option } from './ip/ipv6-options.js';
import { ParameterProblem } from './ip/icmpv6-parameter-problem.js';
import { SegmentRouting } from './ip/segment-routing.js';
import { Udp } from './ip/udp.js';
import { Erf, LinuxSll, LinuxSll2, Loopback, Ppi } from './link/capture-headers.js';
import { Ethernet, VlanTag } from './link/ethernet.js';
import { MacControl, Pause, Pfc } from './link/mac-control.js';
import { Arista, CiscoMetadata, ETag, Snap, Vlan, VnTag } from './link/tags.js';
import { Aeth, AtomicAckEth, AtomicEth, Deth, Ieth, ImmediateData, Rdeth, Reth,
  Xrceth } from './roce/extended-headers.js';
import { Bth } from './roce/bth.js';
import { FastCnpOption1Compact, FastCnpOption1, FastCnpOption2 } from './roce/fast-cnp-option.js';
import { Grh } from './roce/roce-v1.js';
import { CmRep, CmRtu, CmReq, Mad } from './roce/cm.js';
import { Eeth, MrcCcState, Seth, Neth } from './mrc/response-headers.js';
import { Erth, Meth, Peth, Tseth } from './mrc/request-headers.js';
import { MrcBth } from './mrc/bth.js';
import { UetAck, UetControl, UetCreditState, UetEntropy, UetNack, UetNsccState, UetRequest, UetRequestCc, UetRudi,
  UetSack, UetSecurity, UetSecuritySource, UetUud } from './uet/pds.js';
import { UetAtomic, UetCompareSwap, UetRendezvous, UetSesContinued, UetSesMedium, UetSesResponse, UetSesResponseData,
  UetSesResponseDataSmall, UetSesSmall, UetSesStandard } from './uet/ses.js';
import { HpccInt } from './telemetry/hpcc-int.js';
import { HpccIntHop } from './telemetry/hpcc-int-hop.js';
import { IntMdHeader } from './telemetry/int-md.js';
import { IoamTraceHeader } from './telemetry/ioam-trace.js';
import { IoamOption } from './telemetry/ioam-option.js';
import { Erspan2, Erspan3, MellanoxMirror } from './tunnel/erspan.js';
import { Geneve, Nsh, Vxlan } from './tunnel/overlays.js';
import { Gre } from './tunnel/gre.js';
import { ControlWord, Mpls } from './tunnel/mpls.js';
import type { HeaderLayout } from './header/define-header.js';

/** A group of headers. */
export interface LayoutChapter {
  /** Heading in docs/reference/wire.md. */
  readonly title: string;
  /** In frame order. */
  readonly headers: readonly HeaderLayout[];
}

/** All headers, in frame order. */
export const LAYOUT_CHAPTERS: readonly LayoutChapter[] = [
  {
    title: 'Link layer',
    headers: [
      Ethernet,
      VlanTag,
      LinuxSll,
      LinuxSll2,
      Loopback,
      Ppi,
      Erf,
      Vlan,
      ETag,
      VnTag,
      CiscoMetadata,
      Arista,
      Snap,
      MacControl,
      Pause,
      Pfc,
    ],
  },
  {
    title: 'IP and UDP',
    headers: [
      Ipv4,
      Ipv6,
      ExtensionHeader,
      Ipv6Option,
      RoutingHeader,
      SegmentRouting,
      FragmentHeader,
      Udp,
      ParameterProblem,
    ],
  },
  {
    title: 'Tunnels and mirrors',
    headers: [
      Mpls,
      ControlWord,
      Vxlan,
      Nsh,
      Geneve,
      Gre,
      Erspan2,
      Erspan3,
      MellanoxMirror,
    ],
  },
  {
    title: 'InfiniBand transport',
    headers: [
      Grh,
      Bth,
      Rdeth,
      Deth,
      Xrceth,
      Reth,
      AtomicEth,
      Aeth,
      AtomicAckEth,
      ImmediateData,
      Ieth,
    ],
  },
  { title: 'Connection management', headers: [Mad, CmReq, CmRep, CmRtu] },
  {
    title: 'Multipath Reliable Connection (MRC)',
    headers: [
      MrcBth,
      Meth,
      Tseth,
      Seth,
      MrcCcState,
      Neth,
      Peth,
      Erth,
      Eeth,
    ],
  },
  {
    title: 'Ultra Ethernet Transport (UET)',
    headers: [
      UetEntropy,
      UetSecurity,
      UetSecuritySource,
      UetRequest,
      UetRequestCc,
      UetAck,
      UetSack,
      UetNsccState,
      UetCreditState,
      UetNack,
      UetControl,
      UetRudi,
      UetUud,
      UetSesStandard,
      UetSesContinued,
      UetSesMedium,
      UetSesSmall,
      UetAtomic,
      UetCompareSwap,
      UetRendezvous,
      UetSesResponse,
      UetSesResponseData,
      UetSesResponseDataSmall,
    ],
  },
  { title: 'Fast CNP', headers: [FastCnpOption1, FastCnpOption1Compact, FastCnpOption2] },
  {
    title: 'In-band telemetry',
    headers: [IoamOption, IoamTraceHeader, HpccIntHop, HpccInt, IntMdHeader],
  },
  {
    title: 'Flow control and discovery',
    headers: [
      Arn,
      RoceFcOption,
      RoceFcFlagsOption,
      RoceFc6Option,
      RoceFcIcmp,
      QosData,
    ],
  },
];
