/** All headers of this folder as data, from which docs/reference/wire.md is generated. */
import { Arn } from './arn/index.js';
import { QosData, RoceFc6Option, RoceFcFlagsOption, RoceFcIcmp, RoceFcOption } from './discovery/index.js';
import { ExtensionHeader, FragmentHeader, Ipv4, Ipv6, Ipv6Option, ParameterProblem, RoutingHeader, SegmentRouting,
  Udp } from './ip/index.js';
import { Erf } from './link/erf.js';
import { Ethernet, LinuxSll, LinuxSll2, MacControl, Pause, Pfc, VlanTag } from './link/index.js';
import { Loopback } from './link/loopback.js';
import { Ppi } from './link/ppi.js';
import { Arista, CiscoMetadata, ETag, Snap, Vlan, VnTag } from './link/tags.js';
import { Aeth, AtomicAckEth, AtomicEth, Bth, Deth, FastCnpOption1Compact, FastCnpOption1, FastCnpOption2, Grh, Ieth,
  ImmediateData, Rdeth, Reth, Xrceth } from './roce/index.js';
import { CmRep, CmRtu, CmReq, Mad } from './roce/cm.js';
import { Eeth, Erth, Meth, MrcBth, MrcCcState, Neth, Peth, Seth, Tseth } from './mrc/index.js';
import { UetAck, UetAtomic, UetCompareSwap, UetControl, UetCreditState, UetEntropy, UetNack, UetNsccState,
  UetRendezvous, UetRequest, UetRequestCc, UetRudi, UetSack, UetSecurity, UetSecuritySource, UetSesContinued,
  UetSesMedium, UetSesResponse, UetSesResponseData, UetSesResponseDataSmall, UetSesSmall, UetSesStandard,
  UetUud } from './uet/index.js';
import { HpccInt, HpccIntHop, IntMdHeader, IoamOption, IoamTraceHeader } from './telemetry/index.js';
import { Erspan2, Erspan3, MellanoxMirror } from './tunnel/erspan.js';
import { Geneve } from './tunnel/geneve.js';
import { Gre } from './tunnel/gre.js';
import { ControlWord, Mpls } from './tunnel/mpls.js';
import { Nsh } from './tunnel/nsh.js';
import { Vxlan } from './tunnel/vxlan.js';
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
