// InfiniBand transport over Ethernet: BTH and extended headers, ICRC, CNP, Fast CNP, RoCEv1.

export { AETH_BYTES, AETH_LAYOUT, CREDIT_CODE_INVALID, NAK_INVALID_RD_REQUEST, NAK_INVALID_REQUEST,
  NAK_PSN_SEQUENCE_ERROR, NAK_REMOTE_ACCESS_ERROR, NAK_REMOTE_OPERATIONAL_ERROR, SYNDROME_ACK, SYNDROME_CODE_MASK,
  SYNDROME_NAK, SYNDROME_RNR_NAK, type Aeth, type AethKind, AethView, type NakName, aethCode, aethCredits, aethKind,
  aethNakName, aethRnrTimerUs, buildAeth, buildAethInto, parseAeth } from './aeth.js';
export { ATOMIC_ACK_ETH_BYTES, ATOMIC_ACK_ETH_LAYOUT, type AtomicAckEth, AtomicAckEthView, buildAtomicAckEth,
  buildAtomicAckEthInto, parseAtomicAckEth } from './atomic-ack-eth.js';
export { ATOMIC_ETH_BYTES, ATOMIC_ETH_LAYOUT, type AtomicEth, AtomicEthView, buildAtomicEth, buildAtomicEthInto,
  parseAtomicEth } from './atomic-eth.js';
export { BTH_BYTES, BTH_LAYOUT, OPCODE_CNP, PKEY_DEFAULT, type Bth, type BthFields, BthView, buildBth, buildBthInto,
  parseBth } from './bth.js';
export { CNP_RESERVED_BYTES, type Cnp, type CnpFields, type ReadOptions, buildCnp, buildCnpInto, cnpDefaults, judgeIcrc,
  parseCnp, readCnpFields } from './cnp.js';
export { CM_REQ_BYTES, CM_REQ_LAYOUT, type CmReq, type CmReqFields, CmReqView, buildCmReq, buildCmReqInto,
  parseCmReq } from './cm-req.js';
export { CM_ATTRIBUTE_REJ, CM_ATTRIBUTE_REP, CM_ATTRIBUTE_REQ, CM_ATTRIBUTE_RTU, CM_CLASS_VERSION, CM_REP_BYTES,
  CM_REP_LAYOUT, CM_RTU_BYTES, CM_RTU_LAYOUT, type CmRep, type CmRepFields, CmRepView, type CmRtu, CmRtuView,
  MAD_CLASS_CM, MAD_METHOD_SEND, buildCmRep, buildCmRepInto, buildCmRtu, buildCmRtuInto, parseCmRep,
  parseCmRtu } from './cm.js';
export { DETH_BYTES, DETH_LAYOUT, QKEY_GSI, type Deth, type DethFields, DethView, buildDeth, buildDethInto,
  parseDeth } from './deth.js';
export { type ExtendedHeaders, type ExtendedHeadersFields, buildExtendedHeaders, buildExtendedHeadersInto,
  extendedHeadersBytes, parseExtendedHeaders } from './extended-headers.js';
export * from './fast-cnp-for-data-packet.js';
export { FAST_CNP_1_COMPACT_LAYOUT, FAST_CNP_1_DATA_BYTES, FAST_CNP_1_LAYOUT, FAST_CNP_2_IOAM_TYPE, FAST_CNP_2_LAYOUT,
  FAST_CNP_2_LEAST_DATA_BYTES, FAST_CNP_2_RESERVED, FAST_CNP_2_TRACE, FAST_CNP_2_TRACE_MAX_BYTES, FAST_CNP_OPTION_TYPE,
  type FastCnpEncoding, type FastCnpOption, type FastCnpOptionTypes, type IoamTrace,
  type ReceivedFastCnpOption } from './fast-cnp-option.js';
export * from './fast-cnp.js';
export { ETHERTYPE_ROCE_V1, GRH_BYTES, GRH_HOP_LIMIT_DEFAULT, GRH_IP_VERSION, GRH_LAYOUT, GRH_NEXT_HEADER_BTH, type Grh,
  type GrhFields, GrhView, buildGrh, buildGrhInto, parseGrh } from './grh.js';
export { computeRoceV1Icrc } from './icrc-v1.js';
export { ICRC_BYTES, type IcrcPolicy, computeIcrc, computeIcrcAt, isIcrcRight, readIcrc, writeIcrc } from './icrc.js';
export { IETH_BYTES, IETH_LAYOUT, type Ieth, IethView, buildIeth, buildIethInto, parseIeth } from './ieth.js';
export { IMMEDIATE_DATA_BYTES, IMMEDIATE_DATA_LAYOUT, type ImmediateData, ImmediateDataView, buildImmediateData,
  buildImmediateDataInto, parseImmediateData } from './immediate-data.js';
export { MAD_BASE_VERSION, MAD_BYTES, MAD_HEADER_BYTES, MAD_LAYOUT, type Mad, type MadFields, MadView, QPN_GSI,
  buildMad, buildMadInto, parseMad } from './mad.js';
export * from './opcodes.js';
export { RDETH_BYTES, RDETH_LAYOUT, type Rdeth, type RdethFields, RdethView, buildRdeth, buildRdethInto,
  parseRdeth } from './rdeth.js';
export { RETH_BYTES, RETH_LAYOUT, type Reth, RethView, buildReth, buildRethInto, parseReth } from './reth.js';
export { XRCETH_BYTES, XRCETH_LAYOUT, type Xrceth, type XrcethFields, XrcethView, buildXrceth, buildXrcethInto,
  parseXrceth } from './xrceth.js';
