/**
 * Headers of Ultra Ethernet's packet delivery sublayer, PDS (UE 1.0.1, sections 3.5.10 and 3.6.9;
 * docs/specs/uet-formats.md, sections 2 to 4).
 *
 *   request 12   0 type 5, next header 4, flags 7 | 2 clear PSN offset (2) | 4 PSN (4) | 8 spdcid (2) | 10 dpdcid (2)
 *   ACK 12       0 type, next header, flags | 2 ACK PSN offset (2) | 4 cumulative PSN (4) | 8 spdcid | 10 dpdcid
 *   SACK 12      0 cc_type 4, cc_flags 4 | 1 mpr | 2 SACK PSN offset (2) | 4 bitmap (8); after an ACK, before the state
 *   NACK 16      0 type, next header, flags | 2 code | 3 vendor code | 4 PSN (4) | 8 spdcid | 10 dpdcid | 12 payload (4)
 *   control 16   0 type, control type 4, flags | 2 probe (2) | 4 PSN (4) | 8 spdcid | 10 dpdcid | 12 payload (4)
 *   RUDI 8       0 type, next header, flags | 2 reserved | 4 packet id (4)
 *   UUD 4        0 type, next header, flags | 2 reserved
 *
 * A PDC is a connection between two endpoints; `spdcid` and `dpdcid` are its numbers at sender and destination. All
 * offsets are signed. The published sources disagree about the state of `ACK_CCX` and `NACK_CCX`, which is not decoded.
 */
import { requireField, requireRecord } from '../bytes.js';
import { type ValueOf, defineHeader, extendHeader } from '../header/define-header.js';
import { UetNextHeader, UetType } from './codes.js';

const U16_MAX = 0xffff;
const SYN_OFFSET_MASK = 0xfff;
const PDC_INFO_SHIFT = 12;

const UET_REQUEST = /* @__PURE__ */ defineHeader({
  title: 'RUD and ROD request',
  source: 'UE 1.0.1, table 3-33, as docs/specs/uet-formats.md, section 3',
  layer: 'uet request',
  where: 'uetRequest',
  fields: (field) => ({
    /** 5 bits: 2 RUD, 3 ROD, 13 and 14 with congestion control state; see `UetType`. */
    pdsType: field.bits(5, UetType.RUD_REQUEST),
    /** 4 bits: kind of the header after it; see `UetNextHeader`. */
    pdsNextHeader: field.bits(4, UetNextHeader.REQUEST_STANDARD),
    /** The two bits before the flags. */
    reserved2: field.bits(2, 0),
    /** `retx`: the packet is a retransmission. */
    retransmission: field.flag(false),
    /** `ar`: the sender asks for an ACK. */
    ackRequest: field.flag(false),
    /** The request opens its PDC: `dpdcid` holds 4 bits about the PDC and the PSN's offset from the first one, 12 bits. */
    syn: field.flag(false),
    /** The two bits after the flags. */
    reservedB2: field.bits(2, 0),
    /** 16 bits, signed: the highest cleared PSN − `psn`. */
    clearPsnOffset: field.signed(16, 0),
    /** 32 bits: packet sequence number. */
    psn: field.bits(32),
    /** 16 bits: number of the PDC at the sender. */
    spdcid: field.bits(16),
    /** 16 bits: number of the PDC at the destination; see `syn`. */
    dpdcid: field.bits(16),
  }),
});

/** What a request that opens its PDC holds in `dpdcid`. */
export interface UetSyn {
  /** 4 bits about the PDC; sources disagree which of them asks for a reserved one. */
  readonly pdcInfo: number;
  /** 12 bits: the PSN − the first PSN of the PDC. */
  readonly psnOffset: number;
}

/** A request's header, as a value. */
export interface UetRequest extends ValueOf<typeof UET_REQUEST> {}

/** The header of RUD and ROD requests: 12 bytes. */
export const UetRequest = /* @__PURE__ */ extendHeader(UET_REQUEST, {
  /** What `dpdcid` holds in a request that opens its PDC. @throws RoceError `invalid-argument` if it is out of range. */
  synOf(request: Pick<UetRequest, 'dpdcid'>): UetSyn {
    requireRecord('request', request);
    const { dpdcid } = request;
    requireField('request.dpdcid', dpdcid, U16_MAX);
    return { pdcInfo: dpdcid >> PDC_INFO_SHIFT, psnOffset: dpdcid & SYN_OFFSET_MASK };
  },
});

/** Congestion control state of a request, after its header: 4 bytes. */
export const UetRequestCc = /* @__PURE__ */ defineHeader({
  title: 'Congestion control state of a request',
  source: 'UE 1.0.1, table 3-34, as docs/specs/uet-formats.md, section 4',
  layer: 'uet request state',
  where: 'uetRequestCc',
  fields: (field) => ({
    /** 8 bits: number of the congestion control context. */
    cccId: field.bits(8, 0),
    /** 24 bits: credit that the sender asks for. */
    creditTarget: field.bits(24, 0),
  }),
});

/** The header of ACK, ACK_CC and ACK_CCX: 12 bytes. */
export const UetAck = /* @__PURE__ */ defineHeader({
  title: 'ACK',
  source: 'UE 1.0.1, table 3-35, as docs/specs/uet-formats.md, section 3',
  layer: 'uet ack',
  where: 'uetAck',
  fields: (field) => ({
    /** 5 bits: 7 ACK, 8 ACK_CC, 9 ACK_CCX; see `UetType`. */
    pdsType: field.bits(5, UetType.ACK),
    /** 4 bits: kind of the response after it; see `UetNextHeader`. */
    pdsNextHeader: field.bits(4, UetNextHeader.NONE),
    /** The bit before the flags; in one source, that an expected PSN follows. */
    reserved1: field.bits(1, 0),
    /** `m`: an acknowledged packet was CE-marked. */
    marked: field.flag(false),
    /** The ACK acknowledges a retransmission. */
    retransmission: field.flag(false),
    /** `p`: the ACK responds to a probe, whose opaque value is in `ackPsnOffset`. */
    probeResponse: field.flag(false),
    /** 2 bits, what the target asks for: 0 nothing, 1 clear, 2 close. */
    targetRequest: field.bits(2, 0),
    /** The bit after the flags. */
    reservedB1: field.bits(1, 0),
    /** 16 bits, signed: the PSN that caused the ACK − `cumulativePsn`; the opaque value if it responds to a probe. */
    ackPsnOffset: field.signed(16, 0),
    /** 32 bits: all packets up to this PSN have arrived. */
    cumulativePsn: field.bits(32),
    /** 16 bits: number of the PDC at the sender of the ACK. */
    spdcid: field.bits(16),
    /** 16 bits: number of the PDC at its destination. */
    dpdcid: field.bits(16),
  }),
});

/** Selective acknowledgements of ACK_CC and ACK_CCX, after the ACK: 12 bytes. */
export const UetSack = /* @__PURE__ */ defineHeader({
  title: 'Selective acknowledgements',
  source: 'UE 1.0.1, tables 3-36 and 3-37, as docs/specs/uet-formats.md, section 3',
  layer: 'uet sack',
  where: 'uetSack',
  followedBy: 'congestion control state, whose form is `ccType`',
  fields: (field) => ({
    /** 4 bits: form of the state; in ACK_CC 0 NSCC, 1 credit. */
    ccType: field.bits(4, 0),
    /** `cc_flags`, 4 bits: 0. */
    ccFlags: field.bits(4, 0),
    /** Maximum PSN range in units of 128 packets, 0..255; 0 leaves it to the sender. */
    maxPsnRange: field.bits(8, 0),
    /** 16 bits, signed: base of the bitmap, relative to the cumulative PSN. */
    sackPsnOffset: field.signed(16, 0),
    /** 64 bits: packets that have arrived; the least significant bit is the base. */
    bitmap: field.wide(0n),
  }),
});

/** State of NSCC in an ACK_CC: 8 bytes. */
export const UetNsccState = /* @__PURE__ */ defineHeader({
  title: 'State of NSCC',
  source: 'UE 1.0.1, table 3-74, as docs/specs/uet-formats.md, section 4',
  layer: 'uet nscc state',
  where: 'uetNsccState',
  fields: (field) => ({
    /** 16 bits: time between arrival and ACK at the destination, units of 128 ns; 0 unknown. */
    serviceTime: field.bits(16, 0),
    /** The source may restore its window. */
    restoreWindow: field.flag(false),
    /** `rcv_cwnd_pend`, 0..127: penalty of the window. */
    windowPenalty: field.bits(7, 0),
    /** 24 bits: bytes received, in units of 256, modulo 2^24. */
    rcvdBytes256: field.bits(24, 0),
    /** 16 bits: packets held above the cumulative PSN; 65,535 unknown. */
    outOfOrder: field.bits(16, 0),
  }),
});

/** State of credit-based congestion control (RCCC, TFC) in an ACK_CC: 8 bytes. */
export const UetCreditState = /* @__PURE__ */ defineHeader({
  title: 'State of credit-based congestion control',
  source: 'UE 1.0.1, table 3-75, as docs/specs/uet-formats.md, section 4',
  layer: 'uet credit state',
  where: 'uetCreditState',
  fields: (field) => ({
    /** 24 bits: credit of the receiver. */
    credit: field.bits(24, 0),
    /** The 24 bits after it. */
    reserved24: field.bits(24, 0),
    /** 16 bits: packets held above the cumulative PSN; 65,535 unknown. */
    outOfOrder: field.bits(16, 0),
  }),
});

/** The header of NACK and NACK_CCX: 16 bytes. */
export const UetNack = /* @__PURE__ */ defineHeader({
  title: 'NACK',
  source: 'UE 1.0.1, table 3-40, as docs/specs/uet-formats.md, section 3',
  layer: 'uet nack',
  where: 'uetNack',
  fields: (field) => ({
    /** 5 bits: 10 NACK, 12 NACK_CCX; see `UetType`. */
    pdsType: field.bits(5, UetType.NACK),
    /** 4 bits: 0, none. */
    pdsNextHeader: field.bits(4, UetNextHeader.NONE),
    /** The bit before the flags. */
    reserved1: field.bits(1, 0),
    /** `m`: the packet was CE-marked. */
    marked: field.flag(false),
    /** The NACK responds to a retransmission. */
    retransmission: field.flag(false),
    /** `nt`: the packet was a RUDI request, and `nackPsn` is its packet id. */
    rudi: field.flag(false),
    /** The three bits after the flags. */
    reserved3: field.bits(3, 0),
    /** 8 bits: why the packet was rejected; see `uetNackName`. */
    nackCode: field.bits(8),
    /** 8 bits, defined by the receiver's vendor. */
    vendorCode: field.bits(8, 0),
    /** 32 bits: PSN of the rejected packet. */
    nackPsn: field.bits(32),
    /** 16 bits: number of the PDC at the sender of the NACK. */
    spdcid: field.bits(16, 0),
    /** 16 bits: number of the PDC at its destination. */
    dpdcid: field.bits(16, 0),
    /** 32 bits, defined by the code. */
    nackPayload: field.bits(32, 0),
  }),
});

/** The header of control packets: 16 bytes. */
export const UetControl = /* @__PURE__ */ defineHeader({
  title: 'Control packet',
  source: 'UE 1.0.1, table 3-38, as docs/specs/uet-formats.md, section 3',
  layer: 'uet control packet',
  where: 'uetControl',
  fields: (field) => ({
    /** 5 bits: 11; see `UetType`. */
    pdsType: field.bits(5, UetType.CONTROL),
    /** 4 bits: see `UetControlType`. */
    controlType: field.bits(4),
    /** The bit before the flags. */
    reserved1: field.bits(1, 0),
    /** `isrod`: the PDC is ordered. */
    ordered: field.flag(false),
    /** `retx`: the packet is a retransmission. */
    retransmission: field.flag(false),
    /** `ar`: the sender asks for an ACK. */
    ackRequest: field.flag(false),
    /** The packet opens its PDC; see `UetRequest.synOf`. */
    syn: field.flag(false),
    /** The two bits after the flags. */
    reserved2: field.bits(2, 0),
    /** 16 bits of a probe, which the ACK returns. */
    probeOpaque: field.bits(16, 0),
    /** 32 bits: packet sequence number. */
    psn: field.bits(32, 0),
    /** 16 bits: number of the PDC at the sender. */
    spdcid: field.bits(16),
    /** 16 bits: number of the PDC at the destination. */
    dpdcid: field.bits(16),
    /** 32 bits, defined by the type: PSN to clear, base of the bitmap, credit. */
    controlPayload: field.bits(32, 0),
  }),
});

/** The header of RUDI requests and responses: 8 bytes. */
export const UetRudi = /* @__PURE__ */ defineHeader({
  title: 'RUDI request and response',
  source: 'UE 1.0.1, table 3-39, as docs/specs/uet-formats.md, section 3',
  layer: 'uet rudi',
  where: 'uetRudi',
  fields: (field) => ({
    /** 5 bits: 4 request, 5 response; see `UetType`. */
    pdsType: field.bits(5, UetType.RUDI_REQUEST),
    /** 4 bits: kind of the header after it; see `UetNextHeader`. */
    pdsNextHeader: field.bits(4, UetNextHeader.REQUEST_STANDARD),
    /** The bit before the flags. */
    reserved1: field.bits(1, 0),
    /** `m` of a response: the request was CE-marked. */
    marked: field.flag(false),
    /** `retx`: the packet is a retransmission. */
    retransmission: field.flag(false),
    /** The four bits after the flags. */
    reserved4: field.bits(4, 0),
    /** The two bytes before the packet id. */
    reserved16: field.bits(16, 0),
    /** 32 bits: number of the packet, which its response repeats. */
    packetId: field.bits(32),
  }),
});

/** The header of UUD requests: 4 bytes. */
export const UetUud = /* @__PURE__ */ defineHeader({
  title: 'UUD request',
  source: 'UE 1.0.1, table 3-42, as docs/specs/uet-formats.md, section 3',
  layer: 'uet uud',
  where: 'uetUud',
  fields: (field) => ({
    /** 5 bits: 6; see `UetType`. */
    pdsType: field.bits(5, UetType.UUD_REQUEST),
    /** 4 bits: kind of the header after it; see `UetNextHeader`. */
    pdsNextHeader: field.bits(4, UetNextHeader.REQUEST_STANDARD),
    /** The seven bits after it. */
    reserved7: field.bits(7, 0),
    /** The last two bytes. */
    reserved16: field.bits(16, 0),
  }),
});

/** The header of transport security: 12 bytes; what follows is encrypted. */
export const UetSecurity = /* @__PURE__ */ defineHeader({
  title: 'Transport security (TSS)',
  source: 'UE 1.0.1, table 3-90, as docs/specs/uet-formats.md, section 2',
  layer: 'uet security',
  where: 'uetSecurity',
  fields: (field) => ({
    /** 5 bits: 1; see `UetType`. */
    pdsType: field.bits(5, UetType.TSS),
    /** `sp`: false; see `UetSecuritySource`. */
    hasSource: field.flag(false),
    /** One reserved bit. */
    reserved1: field.bits(1, 0),
    /** `an`, one bit: which of two keys. */
    association: field.bits(1, 0),
    /** `sdi`, 24 bits: secure domain. */
    secureDomain: field.bits(24),
    /** `tsc`: epoch, 16 bits, and packet counter, 48 bits. */
    securityCounter: field.wide(),
  }),
});

/** The header of transport security with the number of its source: 16 bytes. */
export const UetSecuritySource = /* @__PURE__ */ defineHeader({
  title: 'Transport security (TSS) with a source',
  source: 'UE 1.0.1, table 3-90, as docs/specs/uet-formats.md, section 2',
  layer: 'uet security',
  where: 'uetSecurity',
  fields: (field) => ({
    /** 5 bits: 1; see `UetType`. */
    pdsType: field.bits(5, UetType.TSS),
    /** `sp`: true. */
    hasSource: field.flag(true),
    /** One reserved bit. */
    reserved1: field.bits(1, 0),
    /** `an`, one bit: which of two keys. */
    association: field.bits(1, 0),
    /** `sdi`, 24 bits: secure domain. */
    secureDomain: field.bits(24),
    /** `ssi`, 32 bits: number of the source. */
    securitySource: field.bits(32),
    /** `tsc`: epoch, 16 bits, and packet counter, 48 bits. */
    securityCounter: field.wide(),
  }),
});

/** The entropy header, in the place of UDP where Ultra Ethernet runs directly over IP: 4 bytes. */
export const UetEntropy = /* @__PURE__ */ defineHeader({
  title: 'Entropy header',
  source: 'UE 1.0.1, table 3-31, as docs/specs/uet-formats.md, section 2',
  layer: 'uet entropy',
  where: 'uetEntropy',
  fields: (field) => ({
    /** 16 bits: what switches hash to choose a path. */
    uetEntropy: field.bits(16),
    /** The two bytes after it. */
    reserved16: field.bits(16, 0),
  }),
});
