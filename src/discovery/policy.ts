/**
 * Applies a policy at a node: checks whether it may and can be applied, and returns the changed node ("automatically
 * convey and provision intended RoCEv2 lossless network QoS policy on all nodes", TDCommons 1652). A policy is applied
 * as a whole or not at all.
 */
import { requireField } from '../wire/bytes.js';
import type { QosData } from '../wire/discovery/qos-data.js';
import { QosParts } from '../wire/discovery/qos-parts.js';
import type { IpPrefix } from '../wire/ip/ip-address.js';
import { prefixContains } from '../wire/ip/ip-address.js';
import type { DiscoveryNode } from './node.js';
import { hasPriority } from './support.js';

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
