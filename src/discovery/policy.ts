/**
 * A requested QoS policy at a node: whether the node supports it, and whether it may and can be applied; then the
 * changed node ("automatically convey and provision intended RoCEv2 lossless network QoS policy on all nodes", TDCommons
 * 1652). A policy is applied as a whole or not at all. The code of the node's reply (figure 2):
 *
 *   1 not supported   the node has no RoCE, or none of the requested lossless priorities is lossless with PFC
 *   0 supported       each requested item is met; more lossless, PFC or ECN priorities or a larger MTU are allowed
 *   2 partially       anything in between, and data that the node cannot read
 */
import { RoceError } from '../errors.js';
import { requireField } from '../wire/bytes.js';
import { QosData } from '../wire/discovery/qos-data.js';
import { QosParts, DscpMap } from '../wire/discovery/qos-parts.js';
import { RoceFcIcmp } from '../wire/discovery/roce-fc.js';
import { prefixContains, type IpPrefix } from '../wire/ip/ip-address.js';
import { reportedMapHash, type DiscoveryNode, type NodeQos } from './node.js';

/** Text of each reason of a rejection. */
const REJECTION_WORDS: readonly (readonly [number, string])[] = [
  [QosParts.REJECTION_NOT_ALLOWED, 'accepts no policy from this originator'],
  [QosParts.REJECTION_NO_ROCE, 'does not support RoCE'],
  [QosParts.REJECTION_PFC_LEVELS, 'cannot make that many priorities lossless'],
  [QosParts.REJECTION_ECN, 'cannot mark ECN'],
  [QosParts.REJECTION_TRUST, 'cannot be set to this trust mode'],
  [QosParts.REJECTION_MTU, 'does not support this MTU'],
  [QosParts.REJECTION_CONTRADICTION, 'finds that the policy contradicts itself'],
];

/** The text of each reason; "gives no reason that is known here" for an empty or unknown bitmap. */
export function rejectionWords(rejection: number): string {
  requireField('rejection', rejection, 0xff);
  const words = REJECTION_WORDS.filter(([bit]) => (rejection & bit) !== 0).map(([, text]) => text);
  return words.length === 0 ? 'gives no reason that is known here' : words.join(', ');
}

/**
 * Why the node cannot apply the policy; 0 if it can.
 *
 * @param originator 16 bytes, as in the request. It is not authenticated: an operator that sets `policyFrom` must keep
 * others from sending with these addresses.
 */
export function findRejection(node: DiscoveryNode, wanted: QosData, originator: Uint8Array): number {
  const { capability, policyFrom } = node;
  let rejection = 0;
  if (!isAllowed(policyFrom, originator)) rejection |= QosParts.REJECTION_NOT_ALLOWED;
  if (!capability.supportsRoce) rejection |= QosParts.REJECTION_NO_ROCE;
  const levels = countPriorities(wanted.losslessPriorities | wanted.pfcPriorities);
  if (levels > capability.pfcLevels) rejection |= QosParts.REJECTION_PFC_LEVELS;
  if (wanted.ecnPriorities !== 0 && !capability.canMarkEcn) rejection |= QosParts.REJECTION_ECN;
  if (!capability.trustModes.includes(wanted.trustMode)) rejection |= QosParts.REJECTION_TRUST;
  if ((wanted.mtuBytes ?? 0) > capability.mtuMaxBytes) rejection |= QosParts.REJECTION_MTU;
  if (contradictsItself(wanted)) rejection |= QosParts.REJECTION_CONTRADICTION;
  return rejection;
}

/**
 * Whether a policy has lossless priorities without PFC, two priorities for one DSCP, or a map that disagrees with the
 * RoCE and CNP DSCPs.
 */
export function contradictsItself(wanted: QosData): boolean {
  if ((wanted.losslessPriorities & ~wanted.pfcPriorities) !== 0) return true;
  if (wanted.roceDscp === wanted.cnpDscp && wanted.rocePriority !== wanted.cnpPriority) return true;
  const { dscpToPriority: map } = wanted;
  if (map === undefined) return false;
  return map[wanted.roceDscp] !== wanted.rocePriority || map[wanted.cnpDscp] !== wanted.cnpPriority;
}

/**
 * Returns the node with the policy applied. A complete map replaces the node's map; from a map hash, only the RoCE and
 * CNP DSCPs are mapped. MTU and ETS shares are kept if the policy has none.
 */
export function withPolicy(node: DiscoveryNode, wanted: QosData): DiscoveryNode {
  const { losslessPriorities, pfcPriorities, ecnPriorities, trustMode, roceDscp, cnpDscp, mtuBytes, etsShares } =
    wanted;
  const dscpToPriority = (wanted.dscpToPriority ?? node.qos.dscpToPriority).slice();
  dscpToPriority[roceDscp] = wanted.rocePriority;
  dscpToPriority[cnpDscp] = wanted.cnpPriority;
  const qos = {
    ...node.qos,
    losslessPriorities,
    pfcPriorities,
    ecnPriorities,
    trustMode,
    roceDscp,
    cnpDscp,
    dscpToPriority,
    ...(mtuBytes !== undefined && { mtuBytes }),
    ...(etsShares !== undefined && { etsShares }),
  };
  return { ...node, qos };
}

function isAllowed(prefixes: readonly IpPrefix[], address: Uint8Array): boolean {
  return prefixes.some((prefix) => prefixContains(prefix, address));
}

function countPriorities(bitmap: number): number {
  let count = 0;
  for (let priority = 0; priority < 8; priority++) if (hasPriority(bitmap, priority)) count += 1;
  return count;
}

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
