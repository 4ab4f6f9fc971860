/**
 * Determines whether a node meets a request: the code of its reply (TDCommons 1652, figure 2).
 *
 *   1 not supported   the node has no RoCE, or none of the requested lossless priorities is lossless with PFC
 *   0 supported       each requested item is met; more lossless, PFC or ECN priorities or a larger MTU are allowed
 *   2 partially       anything in between, and data that the node cannot read
 */
import { RoceError } from '../errors.js';
import { DscpMap } from '../wire/discovery/qos-parts.js';
import { QosData } from '../wire/discovery/qos-data.js';
import { RoceFcIcmp } from '../wire/discovery/roce-fc-icmp.js';
import type { DiscoveryNode, NodeQos } from './node.js';
import { reportedMapHash } from './node.js';

/** The data of a request or a reply, or why it could not be read. */
export type ReportedQos = { readonly state: 'reported'; readonly qos: QosData } | { readonly state: 'empty' } | {
  readonly state: 'unreadable';
  readonly why: string;
};

/** Reads any data from the network; never throws. */
export function readReportedQos(data: Uint8Array): ReportedQos {
  if (data.length === 0) return { state: 'empty' };
  try {
    return { state: 'reported', qos: QosData.read(data) };
  } catch (error) {
    if (error instanceof RoceError) return { state: 'unreadable', why: error.message };
    throw error;
  }
}

/** A requested item that the node does not meet. */
export type Shortfall = 'lossless' | 'pfc' | 'ecn' | 'trust' | 'roce-priority' | 'cnp-priority' | 'mtu' | 'dscp-map'
  | 'ets';

/** The requested items that the node does not meet, in this order. */
export function findShortfalls(qos: NodeQos, wanted: QosData): Shortfall[] {
  const lacks: readonly (readonly [Shortfall, boolean])[] = [
    ['lossless', (wanted.losslessPriorities & ~qos.losslessPriorities) !== 0],
    ['pfc', (wanted.pfcPriorities & ~qos.pfcPriorities) !== 0],
    ['ecn', (wanted.ecnPriorities & ~qos.ecnPriorities) !== 0],
    ['trust', wanted.trustMode !== qos.trustMode],
    ['roce-priority', qos.dscpToPriority[wanted.roceDscp] !== wanted.rocePriority],
    ['cnp-priority', qos.dscpToPriority[wanted.cnpDscp] !== wanted.cnpPriority],
    ['mtu', qos.mtuBytes < (wanted.mtuBytes ?? 0)],
    ['dscp-map', differsFromWantedMap(qos, wanted)],
    ['ets', wanted.etsShares?.some((share, priority) => share !== qos.etsShares?.[priority]) ?? false],
  ];
  return lacks.filter(([, isLacking]) => isLacking).map(([item]) => item);
}

function differsFromWantedMap({ dscpToPriority }: NodeQos, wanted: QosData): boolean {
  const wantedHash = reportedMapHash(wanted);
  return wantedHash !== undefined && wantedHash !== DscpMap.hash(dscpToPriority);
}

/** The code of a reply: 0, 1 or 2. An empty request asks only whether the node's own RoCE priority is lossless. */
export function judgeSupport({ qos, capability }: DiscoveryNode, wanted: ReportedQos): number {
  if (!capability.supportsRoce) return RoceFcIcmp.NOT_SUPPORTED;
  const served = qos.losslessPriorities & qos.pfcPriorities;
  if (wanted.state === 'unreadable') return RoceFcIcmp.PARTIALLY_SUPPORTED;
  if (wanted.state === 'empty') {
    return hasPriority(served, qos.dscpToPriority[qos.roceDscp]) ? RoceFcIcmp.SUPPORTED : RoceFcIcmp.NOT_SUPPORTED;
  }
  const { losslessPriorities } = wanted.qos;
  if (losslessPriorities !== 0 && (losslessPriorities & served) === 0) return RoceFcIcmp.NOT_SUPPORTED;
  return findShortfalls(qos, wanted.qos).length === 0 ? RoceFcIcmp.SUPPORTED : RoceFcIcmp.PARTIALLY_SUPPORTED;
}

/** Whether the priority is in the bitmap. */
export function hasPriority(bitmap: number, priority: number): boolean {
  return (bitmap & (1 << priority)) !== 0;
}
