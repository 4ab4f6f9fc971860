/** Every header of this folder as data, from which docs/wire.md is drawn. */
import { ARN_LAYOUT } from './arn/index.js';
import { QOS_DATA_LAYOUT, ROCE_FC6_OPTION_LAYOUT, ROCE_FC_FLAGS_OPTION_LAYOUT, ROCE_FC_ICMP_LAYOUT,
  ROCE_FC_OPTION_LAYOUT } from './discovery/index.js';
import { EXTENSION_HEADER_LAYOUT, FRAGMENT_HEADER_LAYOUT, IPV4_LAYOUT, IPV6_LAYOUT, OPTION_LAYOUT,
  PARAMETER_PROBLEM_LAYOUT, ROUTING_HEADER_LAYOUT, SEGMENT_ROUTING_LAYOUT, UDP_LAYOUT } from './ip/index.js';
import { ERF } from './link/erf.js';
import { ETHERNET_LAYOUT, MAC_CONTROL_LAYOUT, PAUSE_LAYOUT, PFC_LAYOUT, SLL2_LAYOUT, SLL_LAYOUT,
  VLAN_TAG_LAYOUT } from './link/index.js';
import { LOOPBACK } from './link/loopback.js';
import { PPI } from './link/ppi.js';
import { ARISTA, CISCO_METADATA, ETAG, SNAP, VLAN, VN_TAG } from './link/tags.js';
import { AETH_LAYOUT, ATOMIC_ACK_ETH_LAYOUT, ATOMIC_ETH_LAYOUT, BTH_LAYOUT, DETH_LAYOUT, FAST_CNP_1_COMPACT_LAYOUT,
  FAST_CNP_1_LAYOUT, FAST_CNP_2_LAYOUT, GRH_LAYOUT, IETH_LAYOUT, IMMEDIATE_DATA_LAYOUT, RDETH_LAYOUT, RETH_LAYOUT,
  XRCETH_LAYOUT } from './roce/index.js';
import { CM_REP_LAYOUT, CM_RTU_LAYOUT } from './roce/cm.js';
import { CM_REQ_LAYOUT } from './roce/cm-req.js';
import { MAD_LAYOUT } from './roce/mad.js';
import { EETH_LAYOUT, ERTH_LAYOUT, METH_LAYOUT, MRC_BTH_LAYOUT, MRC_CC_STATE_LAYOUT, NETH_LAYOUT, PETH_LAYOUT,
  SETH_LAYOUT, TSETH_LAYOUT } from './mrc/index.js';
import { HPCC_INT_HOP_LAYOUT, HPCC_INT_LAYOUT, INT_MD_LAYOUT, IOAM_OPTION_LAYOUT,
  IOAM_TRACE_LAYOUT } from './telemetry/index.js';
import { ERSPAN_2, ERSPAN_3, MELLANOX_MIRROR } from './tunnel/erspan.js';
import { GENEVE } from './tunnel/geneve.js';
import { GRE } from './tunnel/gre.js';
import { CONTROL_WORD, MPLS } from './tunnel/mpls.js';
import { NSH } from './tunnel/nsh.js';
import { VXLAN } from './tunnel/vxlan.js';
import type { HeaderLayout } from './header/layout.js';

/** Layouts that belong together. */
export interface LayoutChapter {
  /** Heading on docs/wire.md. */
  readonly title: string;
  /** In the order of a frame. */
  readonly layouts: readonly HeaderLayout[];
}

/** All layouts, in the order of a frame. */
export const LAYOUT_CHAPTERS: readonly LayoutChapter[] = [
  {
    title: 'Link layer',
    layouts: [
      ETHERNET_LAYOUT,
      VLAN_TAG_LAYOUT,
      SLL_LAYOUT,
      SLL2_LAYOUT,
      LOOPBACK.layout,
      PPI.layout,
      ERF.layout,
      VLAN.layout,
      ETAG.layout,
      VN_TAG.layout,
      CISCO_METADATA.layout,
      ARISTA.layout,
      SNAP.layout,
      MAC_CONTROL_LAYOUT,
      PAUSE_LAYOUT,
      PFC_LAYOUT,
    ],
  },
  {
    title: 'IP and UDP',
    layouts: [
      IPV4_LAYOUT,
      IPV6_LAYOUT,
      EXTENSION_HEADER_LAYOUT,
      OPTION_LAYOUT,
      ROUTING_HEADER_LAYOUT,
      SEGMENT_ROUTING_LAYOUT,
      FRAGMENT_HEADER_LAYOUT,
      UDP_LAYOUT,
      PARAMETER_PROBLEM_LAYOUT,
    ],
  },
  {
    title: 'Tunnels and mirrors',
    layouts: [
      MPLS.layout,
      CONTROL_WORD.layout,
      VXLAN.layout,
      NSH.layout,
      GENEVE.layout,
      GRE.layout,
      ERSPAN_2.layout,
      ERSPAN_3.layout,
      MELLANOX_MIRROR.layout,
    ],
  },
  {
    title: 'InfiniBand transport',
    layouts: [
      GRH_LAYOUT,
      BTH_LAYOUT,
      RDETH_LAYOUT,
      DETH_LAYOUT,
      XRCETH_LAYOUT,
      RETH_LAYOUT,
      ATOMIC_ETH_LAYOUT,
      AETH_LAYOUT,
      ATOMIC_ACK_ETH_LAYOUT,
      IMMEDIATE_DATA_LAYOUT,
      IETH_LAYOUT,
    ],
  },
  { title: 'Connection management', layouts: [MAD_LAYOUT, CM_REQ_LAYOUT, CM_REP_LAYOUT, CM_RTU_LAYOUT] },
  {
    title: 'Multipath Reliable Connection (MRC)',
    layouts: [
      MRC_BTH_LAYOUT,
      METH_LAYOUT,
      TSETH_LAYOUT,
      SETH_LAYOUT,
      MRC_CC_STATE_LAYOUT,
      NETH_LAYOUT,
      PETH_LAYOUT,
      ERTH_LAYOUT,
      EETH_LAYOUT,
    ],
  },
  { title: 'Fast CNP', layouts: [FAST_CNP_1_LAYOUT, FAST_CNP_1_COMPACT_LAYOUT, FAST_CNP_2_LAYOUT] },
  {
    title: 'In-band telemetry',
    layouts: [IOAM_OPTION_LAYOUT, IOAM_TRACE_LAYOUT, HPCC_INT_HOP_LAYOUT, HPCC_INT_LAYOUT, INT_MD_LAYOUT],
  },
  {
    title: 'Flow control and discovery',
    layouts: [
      ARN_LAYOUT,
      ROCE_FC_OPTION_LAYOUT,
      ROCE_FC_FLAGS_OPTION_LAYOUT,
      ROCE_FC6_OPTION_LAYOUT,
      ROCE_FC_ICMP_LAYOUT,
      QOS_DATA_LAYOUT,
    ],
  },
];
