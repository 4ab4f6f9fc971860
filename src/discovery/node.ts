/**
 * A node of the path (router, switch or destination): how it treats RoCE data, and how it could be configured.
 */
import { RoceError } from '../errors.js';
import { DscpMap, requireDscpMap, QosParts } from '../wire/discovery/qos-parts.js';
import { fitQosData, QosData } from '../wire/discovery/qos-data.js';
import { RoceFcOption } from '../wire/discovery/roce-fc.js';
import type { IpPrefix } from '../wire/ip/ip-address.js';
import { IP_ADDRESS_BYTES } from '../wire/ip/ip-address.js';
import { requireChoice, requireField, requireLength, requireRecord } from '../wire/bytes.js';

/** A node's configuration. */
export interface NodeQos {
  /** Bitmap of lossless priorities, never dropped for lack of buffer; priority 0 is the lowest bit. */
  readonly losslessPriorities: number;
  /** Bitmap of priorities with PFC. */
  readonly pfcPriorities: number;
  /** Bitmap of priorities with ECN marking. */
  readonly ecnPriorities: number;
  /** What determines a packet's priority, `QosData.TRUST_*`. */
  readonly trustMode: number;
  /** DSCP that the node treats as RoCE data, 0..63. */
  readonly roceDscp: number;
  /** DSCP that the node treats as CNPs, 0..63. */
  readonly cnpDscp: number;
  /** Priority by DSCP, 64 numbers. */
  readonly dscpToPriority: DscpMap;
  /** Maximum IP packet size, bytes. */
  readonly mtuBytes: number;
  /** Share of bandwidth of each priority, percent, 8 numbers; absent without ETS. */
  readonly etsShares?: readonly number[];
}

/** The configurations that a node supports. */
export interface NodeCapability {
  /** False: replies "not supported" to every request. */
  readonly supportsRoce: boolean;
  /** Priorities that can be lossless at once, 0..8 ("a node might only support … two levels", TDCommons 1652). */
  readonly pfcLevels: number;
  /** Whether it can mark packets (ECN). */
  readonly canMarkEcn: boolean;
  /** Supported trust modes, `QosData.TRUST_*`. */
  readonly trustModes: readonly number[];
  /** Maximum supported MTU, bytes. */
  readonly mtuMaxBytes: number;
}

/**
 * Meaning of the return hop count of a reply. The disclosure: "indicates the Router which replied", as the outbound hop
 * count already does.
 *
 *   `hop-number`  the reply's outbound hop count, repeated
 *   `copied`      the value in the request, 65535
 *   `zero`        0: the number of routers that the reply has passed, as RFC 1393 counts return hops
 */
export type ReturnHopCountReading = 'hop-number' | 'copied' | 'zero';

/** A router or a destination, as lossless discovery models it. */
export interface DiscoveryNode {
  /** 16 bytes: the source of its replies. */
  readonly address: Uint8Array;
  /** Current settings. */
  readonly qos: NodeQos;
  /** Possible settings. */
  readonly capability: NodeCapability;
  /** Originators whose policies it accepts. Empty (none) by default, since anyone can send a request. */
  readonly policyFrom: readonly IpPrefix[];
  /** Which return hop count it reports. */
  readonly returnHopCount: ReturnHopCountReading;
}

/** RoCE on DSCP 26, CNPs on DSCP 48, trust DSCP; priority 3 lossless ("RoCE Network Proposal", recommended setting). */
export const RECOMMENDED_NODE_QOS: NodeQos = {
  losslessPriorities: 0x08,
  pfcPriorities: 0x08,
  ecnPriorities: 0x08,
  trustMode: QosData.TRUST_DSCP,
  roceDscp: 26,
  cnpDscp: 48,
  // The slides' default: the three most significant bits of the DSCP.
  dscpToPriority: Array.from({ length: 64 }, (_, dscp) => dscp >> 3),
  // Own choice: a common jumbo frame size, large enough for RoCE's 4096 bytes of payload.
  mtuBytes: 9000,
};

/** A node that supports everything (own choice). */
export const FULL_NODE_CAPABILITY: NodeCapability = {
  supportsRoce: true,
  pfcLevels: QosParts.PRIORITY_COUNT,
  canMarkEcn: true,
  trustModes: [QosData.TRUST_PORT, QosData.TRUST_PCP, QosData.TRUST_DSCP, QosData.TRUST_BOTH],
  mtuMaxBytes: 9216,
};

/** Arguments of `createNode`. */
export interface NodeFields {
  /** IPv6 address, or an IPv4 address mapped into one, 16 bytes. */
  readonly address: Uint8Array;
  /** Settings that differ from the default. */
  readonly qos?: Partial<NodeQos>;
  /** Capabilities that differ from the default. */
  readonly capability?: Partial<NodeCapability>;
  /** Originators whose policies are accepted; none by default. */
  readonly policyFrom?: readonly IpPrefix[];
  /** Which return hop count the node reports. */
  readonly returnHopCount?: ReturnHopCountReading;
}

/**
 * Creates a node; by default with the recommended settings, all capabilities, and accepting no policies.
 * @throws RoceError `invalid-argument` naming a field out of range.
 */
export function createNode(fields: NodeFields): DiscoveryNode {
  requireRecord('fields', fields);
  const { address, policyFrom = [], returnHopCount = 'hop-number' } = fields;
  const qos = { ...RECOMMENDED_NODE_QOS, ...fields.qos };
  const capability = { ...FULL_NODE_CAPABILITY, ...fields.capability };
  requireLength('node.address', address, IP_ADDRESS_BYTES);
  requireChoice('node.returnHopCount', returnHopCount, ['hop-number', 'copied', 'zero']);
  requireField('node.capability.pfcLevels', capability.pfcLevels, QosParts.PRIORITY_COUNT);
  requireField('node.capability.mtuMaxBytes', capability.mtuMaxBytes, 0xffff);
  requireNodeQos(qos);
  return { address, qos, capability, policyFrom, returnHopCount };
}

function requireNodeQos(qos: NodeQos): void {
  requireField('node.qos.losslessPriorities', qos.losslessPriorities, 0xff);
  requireField('node.qos.pfcPriorities', qos.pfcPriorities, 0xff);
  requireField('node.qos.ecnPriorities', qos.ecnPriorities, 0xff);
  requireField('node.qos.trustMode', qos.trustMode, 0xff);
  requireField('node.qos.roceDscp', qos.roceDscp, 63);
  requireField('node.qos.cnpDscp', qos.cnpDscp, 63);
  requireField('node.qos.mtuBytes', qos.mtuBytes, 0xffff);
  requireDscpMap('node.qos.dscpToPriority', qos.dscpToPriority);
  if (qos.etsShares === undefined) return;
  if (qos.etsShares.length !== QosParts.PRIORITY_COUNT) {
    throw new RoceError('invalid-argument', {
      what: 'number of ETS shares',
      got: qos.etsShares.length,
      allowed: QosParts.PRIORITY_COUNT,
      where: 'node.qos.etsShares',
    });
  }
  qos.etsShares.forEach((share, priority) => requireField(`node.qos.etsShares[${priority}]`, share, 100));
}

/** A node's report about itself, with as many items as fit into a reply. */
export function describeNode(node: DiscoveryNode, kind: number, rejection?: number): QosData {
  requireRecord('node', node);
  const { qos, capability } = node;
  const { dscpToPriority, roceDscp, cnpDscp } = qos;
  const data = {
    ...qos,
    kind,
    rocePriority: dscpToPriority[roceDscp],
    cnpPriority: dscpToPriority[cnpDscp],
    pfcLevels: capability.pfcLevels,
  };
  return fitQosData(rejection === undefined ? data : { ...data, rejection }, RoceFcOption.DATA_MAX_BYTES);
}

/** The hash of the reported map, which is given in full or as a hash; undefined if there is none. */
export function reportedMapHash(data: QosData): number | undefined {
  requireRecord('data', data);
  const { dscpToPriority, dscpMapHash } = data;
  return dscpToPriority === undefined ? dscpMapHash : DscpMap.hash(dscpToPriority);
}
