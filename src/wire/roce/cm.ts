/**
 * Communication management, CM, which sets up connections by three messages between QPs 1: REQ, REP and RTU (IBTA volume
 * 1, chapter 12). Each is a management datagram, MAD, of 256 bytes (section 13.4.2), the payload of a "SEND only" on UD:
 *
 *   0 base version | 1 management class | 2 class version | 3 method | 4 status (2) | 6 class-specific (2)
 *   8 transaction ID (8) | 16 attribute ID (2) | 18 reserved (2) | 20 attribute modifier (4) | 24 message
 *
 * Offsets within the messages as in Linux, include/rdma/ibta_vol1_c12.h. Private data follows, 92 bytes in a REQ.
 */
import { type ValueOf, defineHeader } from '../header/define-header.js';
import { IP_ADDRESS_BYTES } from '../ip/ip-address.js';

/** Queue pair of the general services interface, GSI (IBTA volume 1, section 13.5.1). */
export const QPN_GSI = 1;
/** Base version of every MAD (IBTA volume 1, section 13.4.2). */
export const MAD_BASE_VERSION = 1;

/** The common MAD header: 24 bytes. Defaults when written: base version 1; status, modifier and reserved bits 0. */
export const Mad = /* @__PURE__ */ defineHeader({
  title: 'MAD header',
  source: 'IBTA volume 1, section 13.4.2; struct ib_mad_hdr of Linux',
  layer: 'mad',
  fields: (field) => ({
    /** 8 bits: version of this header, 1. */
    baseVersion: field.bits(8, MAD_BASE_VERSION),
    /** 8 bits: management class; 0x07: communication management. */
    managementClass: field.bits(8),
    /** 8 bits: version of the class. */
    classVersion: field.bits(8),
    /** 8 bits: R in the top bit, then the method; 0x03: Send. */
    method: field.bits(8),
    /** 16 bits: result of a request, in responses. */
    status: field.bits(16, 0),
    /** 16 bits, used by the class. */
    classSpecific: field.bits(16, 0),
    /** 64 bits: assigns responses to requests. */
    transactionId: field.wide(),
    /** 16 bits: type of the message within the class. */
    attributeId: field.bits(16),
    /** The two bytes after the attribute ID. */
    reserved16: field.bits(16, 0),
    /** 32 bits: modifies the meaning of the attribute ID. */
    attributeModifier: field.bits(32, 0),
  }),
});

/** The common MAD header, as a value. */
export interface Mad extends ValueOf<typeof Mad> {}

/** Management class of CM (IBTA volume 1, section 13.4.4). */
export const MAD_CLASS_CM = 0x07;

/** Attribute ID of a request for communication (IBTA volume 1, section 16.7.1; as in Linux, ib_cm.h). */
export const CM_ATTRIBUTE_REQ = 0x0010;
/** Attribute ID of a rejection. */
export const CM_ATTRIBUTE_REJ = 0x0012;
/** Attribute ID of a reply to a request. */
export const CM_ATTRIBUTE_REP = 0x0013;
/** Attribute ID of "ready to use". */
export const CM_ATTRIBUTE_RTU = 0x0014;

/**
 * A REQ without its private data: 140 bytes. Defaults when written: the default partition's P_Key, other optional
 * fields 0.
 */
export const CmReq = /* @__PURE__ */ defineHeader({
  title: 'CM REQ',
  source: 'IBTA volume 1, section 12.6.5; offsets: include/rdma/ibta_vol1_c12.h of Linux',
  layer: 'cm req',
  fields: (field) => ({
    /** 32 bits: the sender's ID of the connection; REP and REJ return it. */
    localCommId: field.bits(32),
    /** 8 reserved bits. */
    reserved8: field.bits(8, 0),
    /** 24 bits: vendor of the sender. */
    vendorId: field.bits(24, 0),
    /** 64 bits: ID of the requested service; with rdma_cm the port is in the low 16. */
    serviceId: field.wide(),
    /** 64 bits: GUID of the sender's adapter. */
    localCaGuid: field.wide(),
    /** 32 reserved bits. */
    reserved32: field.bits(32, 0),
    /** 32 bits: Q_Key, for reliable datagrams. */
    localQKey: field.bits(32, 0),
    /** 24 bits: the sender's queue pair. */
    localQpn: field.bits(24),
    /** 8 bits: maximum number of outstanding READ and atomic requests from the peer. */
    responderResources: field.bits(8, 0),
    /** 24 bits: end-to-end context, for reliable datagrams. */
    localEecn: field.bits(24, 0),
    /** 8 bits: maximum number of outstanding READ and atomic requests to the peer. */
    initiatorDepth: field.bits(8, 0),
    /** 24 bits: the receiver's end-to-end context, for reliable datagrams. */
    remoteEecn: field.bits(24, 0),
    /** 5 bits: exponent n of the receiver's maximum response time, 4.096 µs * 2^n. */
    remoteResponseTimeout: field.bits(5, 0),
    /** 2 bits: 0 RC, 1 UC, 2 RD, 3 given by the extended transport type. */
    transportServiceType: field.bits(2, 0),
    /** Whether credits of the AETH are used. */
    endToEndFlowControl: field.flag(false),
    /** 24 bits: PSN of the sender's first request. */
    startingPsn: field.bits(24),
    /** 5 bits: exponent of the sender's maximum response time. */
    localResponseTimeout: field.bits(5, 0),
    /** 3 bits: number of retransmissions before the connection fails. */
    retryCount: field.bits(3, 0),
    /** 16 bits: P_Key of the connection. */
    pKey: field.bits(16, 0xffff),
    /** 4 bits: path MTU, 1 = 256 to 5 = 4096 bytes. */
    pathMtu: field.bits(4),
    /** Whether an end-to-end context exists. */
    rdcExists: field.flag(false),
    /** 3 bits: number of retransmissions after RNR NAKs; 7: unlimited. */
    rnrRetryCount: field.bits(3, 0),
    /** 4 bits: maximum number of retransmissions of CM messages. */
    maxCmRetries: field.bits(4, 0),
    /** Whether a shared receive queue is used. */
    srq: field.flag(false),
    /** 3 bits, for transport service type 3: 1 XRC. */
    extendedTransportType: field.bits(3, 0),
    /** 16 bits: the sender's LID on the primary path; not used by RoCE. */
    primaryLocalLid: field.bits(16, 0),
    /** 16 bits: the receiver's LID on the primary path; not used by RoCE. */
    primaryRemoteLid: field.bits(16, 0),
    /** 16 bytes: the sender's GID; on RoCEv2 its IP address. */
    primaryLocalGid: field.bytesOf(IP_ADDRESS_BYTES),
    /** 16 bytes: the receiver's GID; on RoCEv2 its IP address. */
    primaryRemoteGid: field.bytesOf(IP_ADDRESS_BYTES),
    /** 20 bits: flow label of the primary path. */
    primaryFlowLabel: field.bits(20, 0),
    /** 6 reserved bits. */
    reserved6: field.bits(6, 0),
    /** 6 bits: rate code of the primary path. */
    primaryPacketRate: field.bits(6, 0),
    /** 8 bits: traffic class of the primary path; on RoCEv2 the DSCP is in the high six. */
    primaryTrafficClass: field.bits(8, 0),
    /** 8 bits: hop limit of the primary path. */
    primaryHopLimit: field.bits(8, 0),
    /** 4 bits: service level of the primary path; on RoCE, the priority. */
    primarySl: field.bits(4, 0),
    /** Whether the primary path stays within the subnet. */
    primarySubnetLocal: field.flag(false),
    /** 3 reserved bits. */
    reserved3: field.bits(3, 0),
    /** 5 bits: exponent n of the retransmission timeout, 4.096 µs * 2^n. */
    primaryLocalAckTimeout: field.bits(5, 0),
    /** 3 reserved bits. */
    reservedTail3: field.bits(3, 0),
    /** 16 bits: the sender's LID on the alternate path; not used by RoCE. */
    alternateLocalLid: field.bits(16, 0),
    /** 16 bits: the receiver's LID on the alternate path; not used by RoCE. */
    alternateRemoteLid: field.bits(16, 0),
    /** 16 bytes: the sender's GID on the alternate path; zeros if there is none. */
    alternateLocalGid: field.bytesOf(IP_ADDRESS_BYTES),
    /** 16 bytes: the receiver's GID on the alternate path; zeros if there is none. */
    alternateRemoteGid: field.bytesOf(IP_ADDRESS_BYTES),
    /** 20 bits: flow label of the alternate path. */
    alternateFlowLabel: field.bits(20, 0),
    /** 6 reserved bits. */
    alternateReserved6: field.bits(6, 0),
    /** 6 bits: rate code of the alternate path. */
    alternatePacketRate: field.bits(6, 0),
    /** 8 bits: traffic class of the alternate path. */
    alternateTrafficClass: field.bits(8, 0),
    /** 8 bits: hop limit of the alternate path. */
    alternateHopLimit: field.bits(8, 0),
    /** 4 bits: service level of the alternate path. */
    alternateSl: field.bits(4, 0),
    /** Whether the alternate path stays within the subnet. */
    alternateSubnetLocal: field.flag(false),
    /** 3 reserved bits. */
    alternateReserved3: field.bits(3, 0),
    /** 5 bits: exponent of the alternate path's retransmission timeout. */
    alternateLocalAckTimeout: field.bits(5, 0),
    /** 3 bits: the first one means that suggested alternate paths are supported. */
    alternateReservedTail3: field.bits(3, 0),
  }),
});

/** A REQ without its private data, as a value. */
export interface CmReq extends ValueOf<typeof CmReq> {}

/** A REP without its private data: 36 bytes. Optional fields are written as 0 by default. */
export const CmRep = /* @__PURE__ */ defineHeader({
  title: 'CM REP',
  source: 'IBTA volume 1, section 12.6.8; offsets: include/rdma/ibta_vol1_c12.h of Linux',
  layer: 'cm rep',
  fields: (field) => ({
    /** 32 bits: the sender's ID of the connection. */
    localCommId: field.bits(32),
    /** 32 bits: the ID that the REQ gave. */
    remoteCommId: field.bits(32),
    /** 32 bits: Q_Key, for reliable datagrams. */
    localQKey: field.bits(32, 0),
    /** 24 bits: the sender's queue pair; 0 for XRC (as in Linux). */
    localQpn: field.bits(24),
    /** 8 bits: vendor of the sender, high byte. */
    vendorIdHigh: field.bits(8, 0),
    /** 24 bits: end-to-end context; for XRC the sender's queue pair (as in Linux). */
    localEecn: field.bits(24, 0),
    /** 8 bits: vendor of the sender, middle byte. */
    vendorIdMiddle: field.bits(8, 0),
    /** 24 bits: PSN of the sender's first request. */
    startingPsn: field.bits(24),
    /** 8 bits: vendor of the sender, low byte. */
    vendorIdLow: field.bits(8, 0),
    /** 8 bits: maximum number of outstanding READ and atomic requests from the peer. */
    responderResources: field.bits(8, 0),
    /** 8 bits: maximum number of outstanding READ and atomic requests to the peer. */
    initiatorDepth: field.bits(8, 0),
    /** 5 bits: exponent n of the delay of its ACKs, 4.096 µs * 2^n. */
    targetAckDelay: field.bits(5, 0),
    /** 2 bits: whether the alternate path was accepted. */
    failoverAccepted: field.bits(2, 0),
    /** Whether credits of the AETH are used. */
    endToEndFlowControl: field.flag(false),
    /** 3 bits: number of retransmissions after RNR NAKs; 7: unlimited. */
    rnrRetryCount: field.bits(3, 0),
    /** Whether a shared receive queue is used. */
    srq: field.flag(false),
    /** 4 reserved bits. */
    reserved4: field.bits(4, 0),
    /** 64 bits: GUID of the sender's adapter. */
    localCaGuid: field.wide(),
  }),
});

/** RTU, ready to use; REJ, DREQ and others begin with the same fields. */
export const CmRtu = /* @__PURE__ */ defineHeader({
  title: 'CM RTU',
  source: 'IBTA volume 1, section 12.6.9; offsets: include/rdma/ibta_vol1_c12.h of Linux',
  layer: 'cm rtu',
  fields: (field) => ({
    /** 32 bits: the sender's ID of the connection. */
    localCommId: field.bits(32),
    /** 32 bits: the receiver's ID of the connection. */
    remoteCommId: field.bits(32),
  }),
});

/** A REP without its private data, as a value. */
export interface CmRep extends ValueOf<typeof CmRep> {}
/** An RTU without its private data, as a value. */
export interface CmRtu extends ValueOf<typeof CmRtu> {}
