/**
 * Management datagram, MAD: its common header (IBTA volume 1, section 13.4.2).
 *
 *   0 base version | 1 management class | 2 class version | 3 method | 4 status (2) | 6 class-specific (2)
 *   8 transaction ID (8) | 16 attribute ID (2) | 18 reserved (2) | 20 attribute modifier (4)
 *
 * A MAD has 256 bytes and is the payload of a "SEND only" on UD. Connections are set up by MADs between QPs 1 (cm.ts).
 */
import { type ValueOf, defineHeader } from '../header/define-header.js';

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
