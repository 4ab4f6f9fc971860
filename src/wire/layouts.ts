/** Every header of this folder, as data: what docs/wire.md is drawn from. */
import { ARN_LAYOUT } from './arn/arn.js';
import { QOS_DATA_LAYOUT } from './discovery/qos-data.js';
import { ROCE_FC_ICMP_LAYOUT } from './discovery/roce-fc-icmp.js';
import { ROCE_FC6_OPTION_LAYOUT } from './discovery/roce-fc-ipv6-option.js';
import { ROCE_FC_FLAGS_OPTION_LAYOUT, ROCE_FC_OPTION_LAYOUT } from './discovery/roce-fc-option.js';
import { EXTENSION_HEADER_LAYOUT } from './ip/extension-header.js';
import { FRAGMENT_HEADER_LAYOUT } from './ip/fragment-header.js';
import { PARAMETER_PROBLEM_LAYOUT } from './ip/icmpv6-parameter-problem.js';
import { IPV4_LAYOUT } from './ip/ipv4.js';
import { OPTION_LAYOUT } from './ip/ipv6-options.js';
import { IPV6_LAYOUT } from './ip/ipv6.js';
import { ROUTING_HEADER_LAYOUT } from './ip/routing-header.js';
import { SEGMENT_ROUTING_LAYOUT } from './ip/segment-routing.js';
import { UDP_LAYOUT } from './ip/udp.js';
import type { HeaderLayout } from './header/layout.js';
import { ETHERNET_LAYOUT, VLAN_TAG_LAYOUT } from './link/ethernet.js';
import { SLL_LAYOUT } from './link/linux-sll.js';
import { SLL2_LAYOUT } from './link/linux-sll2.js';
import { MAC_CONTROL_LAYOUT } from './link/mac-control.js';
import { PAUSE_LAYOUT } from './link/pause.js';
import { PFC_LAYOUT } from './link/pfc.js';
import { AETH_LAYOUT } from './roce/aeth.js';
import { ATOMIC_ACK_ETH_LAYOUT } from './roce/atomic-ack-eth.js';
import { ATOMIC_ETH_LAYOUT } from './roce/atomic-eth.js';
import { BTH_LAYOUT } from './roce/bth.js';
import { DETH_LAYOUT } from './roce/deth.js';
import { FAST_CNP_1_COMPACT_LAYOUT, FAST_CNP_1_LAYOUT, FAST_CNP_2_LAYOUT } from './roce/fast-cnp-option.js';
import { GRH_LAYOUT } from './roce/grh.js';
import { IETH_LAYOUT } from './roce/ieth.js';
import { IMMEDIATE_DATA_LAYOUT } from './roce/immediate-data.js';
import { RDETH_LAYOUT } from './roce/rdeth.js';
import { RETH_LAYOUT } from './roce/reth.js';
import { XRCETH_LAYOUT } from './roce/xrceth.js';
import { HPCC_INT_HOP_LAYOUT } from './telemetry/hpcc-int-hop.js';
import { HPCC_INT_LAYOUT } from './telemetry/hpcc-int.js';
import { INT_MD_LAYOUT } from './telemetry/int-md.js';
import { IOAM_OPTION_LAYOUT } from './telemetry/ioam-option.js';
import { IOAM_TRACE_LAYOUT } from './telemetry/ioam-trace.js';

/** Layouts that belong together. */
export interface LayoutChapter {
  readonly title: string;
  readonly layouts: readonly HeaderLayout[];
}

/** All layouts, in the order of a frame. */
export const LAYOUT_CHAPTERS: readonly LayoutChapter[] = [
  {
    title: 'Link layer',
    layouts: [ETHERNET_LAYOUT, VLAN_TAG_LAYOUT, SLL_LAYOUT, SLL2_LAYOUT, MAC_CONTROL_LAYOUT, PAUSE_LAYOUT, PFC_LAYOUT],
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
