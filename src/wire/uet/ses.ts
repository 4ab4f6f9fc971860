/**
 * Headers of Ultra Ethernet's semantic sublayer, SES (UE 1.0.1, section 3.4; docs/specs/uet-formats.md, section 5).
 *
 *   request    0 reserved 2, operation 6 | 1 version 2, flags 6 | 2 message id, or request length 14 | 4 generation |
 *              5 job id (3) | 8 reserved 4, PIDonFEP 12 | 10 reserved 4, resource index 12, then
 *   standard   12 buffer offset (8) | 20 initiator (4) | 24 match bits (8) | 32 header data (8) | 40 request length (4)
 *   continued  as standard, but 32 reserved 18, payload length 14 | 36 message offset (4)
 *   medium     12 header data (8) | 20 initiator (4) | 24 match bits (8)
 *   small      12 buffer offset (8)
 *   response   0 list 2, response 6 | 1 version 2, return code 6 | 2 message id (2) | 4 generation | 5 job id (3), then
 *   no data    8 modified length (4)
 *   with data  8 message id of the READ (2) | 10 reserved 2, payload length 14 | 12 modified length | 16 message offset
 *   small      8 PSN of the request (4); the payload length is in bytes 2 and 3
 */
import { defineHeader } from '../header/define-header.js';
import type { FieldTable } from '../header/field.js';

const SOURCE = 'as docs/specs/uet-formats.md, section 5';

/** The operation and flags of every request. */
function requestStart(field: FieldTable, startOfMessage: boolean) {
  return {
    /** The two bits before the operation. */
    reserved2: field.bits(2, 0),
    /** 6 bits; see `UetOperation`. */
    sesOperation: field.bits(6),
    /** 2 bits: 0. */
    sesVersion: field.bits(2, 0),
    /** `dc`: the response is sent once the data are visible to all. */
    deliveryComplete: field.flag(false),
    /** `ie`: an error at the initiator. */
    initiatorError: field.flag(false),
    /** `rel`: the address is relative to the job. */
    relativeAddress: field.flag(false),
    /** `hd`: the header data are valid. */
    hasHeaderData: field.flag(false),
    /** `eom`: the last packet of its message. */
    endOfMessage: field.flag(true),
    /** `som`: the first packet of its message. */
    startOfMessage: field.flag(startOfMessage),
  };
}

/** The addressee of every request. */
function addressee(field: FieldTable) {
  return {
    /** 8 bits: generation of the resource index. */
    resourceGeneration: field.bits(8, 0),
    /** 24 bits. */
    jobId: field.bits(24, 0),
    /** The four bits before PIDonFEP. */
    reserved4: field.bits(4, 0),
    /** 12 bits: process at the endpoint. */
    pidOnFep: field.bits(12, 0),
    /** The four bits before the resource index. */
    reservedB4: field.bits(4, 0),
    /** 12 bits. */
    resourceIndex: field.bits(12, 0),
  };
}

/** The first packet of a message: 44 bytes. */
export const UetSesStandard = /* @__PURE__ */ defineHeader({
  title: 'Standard request, first packet',
  source: `UE 1.0.1, table 3-8, ${SOURCE}`,
  layer: 'uet standard request',
  where: 'uetSesStandard',
  fields: (field) => ({
    ...requestStart(field, true),
    /** 16 bits. */
    messageId: field.bits(16),
    ...addressee(field),
    /** 64 bits; in a deferrable send the restart tokens of initiator and target, 32 bits each. */
    bufferOffset: field.wide(0n),
    /** 32 bits: number of the initiator. */
    initiator: field.bits(32, 0),
    /** 64 bits: tag of a send, memory key of a WRITE or READ, restart tokens of a ready-to-restart. */
    matchBits: field.wide(0n),
    /** 64 bits that the target's completion shows, if `hasHeaderData`. */
    headerData: field.wide(0n),
    /** 32 bits: length of the message, bytes. */
    requestLength: field.bits(32),
  }),
});

/** A further packet of a message: 44 bytes. */
export const UetSesContinued = /* @__PURE__ */ defineHeader({
  title: 'Standard request, further packet',
  source: `UE 1.0.1, table 3-9, ${SOURCE}`,
  layer: 'uet standard request',
  where: 'uetSesContinued',
  fields: (field) => ({
    ...requestStart(field, false),
    /** 16 bits. */
    messageId: field.bits(16),
    ...addressee(field),
    /** 64 bits, as in the first packet. */
    bufferOffset: field.wide(0n),
    /** 32 bits: number of the initiator. */
    initiator: field.bits(32, 0),
    /** 64 bits, as in the first packet. */
    matchBits: field.wide(0n),
    /** The 18 bits before the payload length. */
    reserved18: field.bits(18, 0),
    /** 14 bits: bytes of payload in this packet. */
    payloadLength: field.bits(14),
    /** 32 bits: offset of the payload in the message, bytes. */
    messageOffset: field.bits(32),
    /** 32 bits: length of the message, bytes. */
    requestLength: field.bits(32),
  }),
});

/** A message of one packet with a tag or a memory key: 32 bytes. */
export const UetSesMedium = /* @__PURE__ */ defineHeader({
  title: 'Medium request',
  source: `UE 1.0.1, figure 3-14, ${SOURCE}`,
  layer: 'uet medium request',
  where: 'uetSesMedium',
  fields: (field) => ({
    ...requestStart(field, true),
    /** The two bits before the length. */
    reservedC2: field.bits(2, 0),
    /** 14 bits: length of the message, bytes. */
    requestLength: field.bits(14),
    ...addressee(field),
    /** 64 bits: header data of a send, offset in the buffer of a WRITE or READ. */
    headerData: field.wide(0n),
    /** 32 bits: number of the initiator. */
    initiator: field.bits(32, 0),
    /** 64 bits: tag of a send, memory key of a WRITE or READ. */
    matchBits: field.wide(0n),
  }),
});

/** A WRITE or READ of one packet, without a tag: 20 bytes. */
export const UetSesSmall = /* @__PURE__ */ defineHeader({
  title: 'Small request',
  source: `UE 1.0.1, table 3-10, ${SOURCE}`,
  layer: 'uet small request',
  where: 'uetSesSmall',
  fields: (field) => ({
    ...requestStart(field, true),
    /** The two bits before the length. */
    reservedC2: field.bits(2, 0),
    /** 14 bits: length of the message, bytes. */
    requestLength: field.bits(14),
    ...addressee(field),
    /** 64 bits: offset in the buffer. */
    bufferOffset: field.wide(0n),
  }),
});

/** The kind and the result of every response. */
function responseStart(field: FieldTable, response: number) {
  return {
    /** 2 bits: where the message was delivered, 0 expected, 1 overflow. */
    list: field.bits(2, 0),
    /** 6 bits; see `uetResponseName`. */
    response: field.bits(6, response),
    /** 2 bits: 0. */
    sesVersion: field.bits(2, 0),
    /** 6 bits; see `uetReturnName`. */
    returnCode: field.bits(6, OK),
  };
}

const OK = 1;
const RESPONSE = 1;
const RESPONSE_WITH_DATA = 2;

/** A response without data: 12 bytes. */
export const UetSesResponse = /* @__PURE__ */ defineHeader({
  title: 'Response',
  source: `UE 1.0.1, table 3-11, ${SOURCE}`,
  layer: 'uet response',
  where: 'uetSesResponse',
  fields: (field) => ({
    ...responseStart(field, RESPONSE),
    /** 16 bits: message id of the request. */
    messageId: field.bits(16),
    /** 8 bits: generation of the resource index. */
    resourceGeneration: field.bits(8, 0),
    /** 24 bits. */
    jobId: field.bits(24, 0),
    /** 32 bits: bytes that the target took or changed. */
    modifiedLength: field.bits(32, 0),
  }),
});

/** A response with data of a READ: 20 bytes. */
export const UetSesResponseData = /* @__PURE__ */ defineHeader({
  title: 'Response with data',
  source: `UE 1.0.1, table 3-12, ${SOURCE}`,
  layer: 'uet response with data',
  where: 'uetSesResponseData',
  fields: (field) => ({
    ...responseStart(field, RESPONSE_WITH_DATA),
    /** 16 bits: message id of the response. */
    messageId: field.bits(16),
    /** The byte before the job id. */
    reserved8: field.bits(8, 0),
    /** 24 bits. */
    jobId: field.bits(24, 0),
    /** 16 bits: message id of the READ. */
    readMessageId: field.bits(16),
    /** The two bits before the payload length. */
    reserved2: field.bits(2, 0),
    /** 14 bits: bytes of payload in this packet. */
    payloadLength: field.bits(14),
    /** 32 bits: bytes read in all. */
    modifiedLength: field.bits(32, 0),
    /** 32 bits: offset of the payload in the response, bytes. */
    messageOffset: field.bits(32, 0),
  }),
});

/** A response with data to a small request: 12 bytes. */
export const UetSesResponseDataSmall = /* @__PURE__ */ defineHeader({
  title: 'Small response with data',
  source: `UE 1.0.1, table 3-13, ${SOURCE}`,
  layer: 'uet small response with data',
  where: 'uetSesResponseDataSmall',
  fields: (field) => ({
    ...responseStart(field, RESPONSE_WITH_DATA),
    /** The two bits before the payload length. */
    reserved2: field.bits(2, 0),
    /** 14 bits: bytes of payload. */
    payloadLength: field.bits(14),
    /** The byte before the job id. */
    reserved8: field.bits(8, 0),
    /** 24 bits. */
    jobId: field.bits(24, 0),
    /** 32 bits: PSN of the request. */
    originalPsn: field.bits(32),
  }),
});

/** Extension of atomic operations, after the request: 4 bytes. */
export const UetAtomic = /* @__PURE__ */ defineHeader({
  title: 'Atomic extension',
  source: `UE 1.0.1, figure 3-16, ${SOURCE}`,
  layer: 'uet atomic extension',
  where: 'uetAtomic',
  fields: (field) => ({
    /** 8 bits; see `uetAtomicName`. */
    atomicOperation: field.bits(8),
    /** 8 bits: type of the operands; see `uetAtomicTypeName`. */
    atomicType: field.bits(8),
    /** 8 bits: 1 cacheable, 2 coherent with the CPU; sources disagree about the order. */
    semanticControl: field.bits(8, 0),
    /** The last byte. */
    reserved8: field.bits(8, 0),
  }),
});

/** Operands of compare-and-swap and masked swap, after the atomic extension: 32 bytes. */
export const UetCompareSwap = /* @__PURE__ */ defineHeader({
  title: 'Compare-and-swap extension',
  source: `UE 1.0.1, figure 3-17, ${SOURCE}`,
  layer: 'uet compare-and-swap extension',
  where: 'uetCompareSwap',
  fields: (field) => ({
    /** 16 bytes: value to compare with, or mask. */
    compareValue: field.bytesOf(16),
    /** 16 bytes. */
    swapValue: field.bytesOf(16),
  }),
});

/** Extension of rendezvous sends, after the request: 24 bytes. */
export const UetRendezvous = /* @__PURE__ */ defineHeader({
  title: 'Rendezvous extension',
  source: `UE 1.0.1, figure 3-15, ${SOURCE}`,
  layer: 'uet rendezvous extension',
  where: 'uetRendezvous',
  fields: (field) => ({
    /** 32 bits: bytes sent with the request; the target reads the rest. */
    eagerLength: field.bits(32),
    /** 8 bits: generation of the resource index to read from. */
    resourceGeneration: field.bits(8, 0),
    /** 12 bits: process to read from. */
    pidOnFep: field.bits(12, 0),
    /** 12 bits: resource index to read from. */
    resourceIndex: field.bits(12, 0),
    /** 64 bits: offset to read from. */
    bufferOffset: field.wide(0n),
    /** 64 bits: memory key to read with. */
    memoryKey: field.wide(0n),
  }),
});
