/**
 * Communication management, CM: REP, RTU, and message types (IBTA volume 1, chapter 12; REQ: cm-req.ts).
 * Offsets as in Linux, include/rdma/ibta_vol1_c12.h, relative to the end of the MAD header (mad.ts).
 */
import { type ValueOf, defineHeader } from '../header/define-header.js';

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
