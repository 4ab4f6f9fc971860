/**
 * Communication management, CM: REP and RTU, and the kinds of messages (IBTA volume 1, chapter 12; REQ: cm-req.ts).
 * Offsets as in Linux, include/rdma/ibta_vol1_c12.h; they count from the end of the MAD header (mad.ts).
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

/** A REP without its private data: 36 bytes. When written: what is left out is 0. */
export const CmRep = /* @__PURE__ */ defineHeader({
  title: 'CM REP',
  source: 'IBTA volume 1, section 12.6.8; offsets: include/rdma/ibta_vol1_c12.h of Linux',
  layer: 'cm rep',
  fields: (field) => ({
    /** 32 bits: the sender's name for the connection. */
    localCommId: field.bits(32),
    /** 32 bits: the name that the REQ stated. */
    remoteCommId: field.bits(32),
    /** 32 bits: Q_Key, of reliable datagrams. */
    localQKey: field.bits(32, 0),
    /** 24 bits: the sender's queue pair; for XRC 0 (as Linux has it). */
    localQpn: field.bits(24),
    /** 8 bits: vendor of the sender, high byte. */
    vendorIdHigh: field.bits(8, 0),
    /** 24 bits: end-to-end context; for XRC the sender's queue pair (as Linux has it). */
    localEecn: field.bits(24, 0),
    /** 8 bits: vendor of the sender, middle byte. */
    vendorIdMiddle: field.bits(8, 0),
    /** 24 bits: PSN of the sender's first request. */
    startingPsn: field.bits(24),
    /** 8 bits: vendor of the sender, low byte. */
    vendorIdLow: field.bits(8, 0),
    /** 8 bits: READ and atomic requests that it responds to at a time. */
    responderResources: field.bits(8, 0),
    /** 8 bits: READ and atomic requests that it sends at a time. */
    initiatorDepth: field.bits(8, 0),
    /** 5 bits: exponent of the delay of its ACKs, 4.096 µs * 2^n. */
    targetAckDelay: field.bits(5, 0),
    /** 2 bits: whether the alternate path was accepted. */
    failoverAccepted: field.bits(2, 0),
    /** Whether credits of the AETH are used. */
    endToEndFlowControl: field.flag(false),
    /** 3 bits: retransmissions after RNR NAKs; 7: without end. */
    rnrRetryCount: field.bits(3, 0),
    /** Whether a shared receive queue is used. */
    srq: field.flag(false),
    /** 4 bits without a meaning. */
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
    /** 32 bits: the sender's name for the connection. */
    localCommId: field.bits(32),
    /** 32 bits: the receiver's name for the connection. */
    remoteCommId: field.bits(32),
  }),
});

/** A REP without its private data, as a value. */
export interface CmRep extends ValueOf<typeof CmRep> {}
/** An RTU without its private data, as a value. */
export interface CmRtu extends ValueOf<typeof CmRtu> {}
