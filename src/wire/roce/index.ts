/** InfiniBand transport over Ethernet: BTH and extended headers, ICRC, CNP, Fast CNP, RoCEv1. */
export { AETH_BYTES, AETH_LAYOUT, AethView, CREDIT_CODE_INVALID, NAK_INVALID_RD_REQUEST, NAK_INVALID_REQUEST,
  NAK_PSN_SEQUENCE_ERROR, NAK_REMOTE_ACCESS_ERROR, NAK_REMOTE_OPERATIONAL_ERROR, SYNDROME_ACK, SYNDROME_CODE_MASK,
  SYNDROME_NAK, SYNDROME_RNR_NAK, aethCode, aethCredits, aethKind, aethNakName, aethRnrTimerUs, buildAeth,
  buildAethInto, parseAeth } from './aeth.js';
export type { Aeth, AethKind, NakName } from './aeth.js';
export { ATOMIC_ACK_ETH_BYTES, ATOMIC_ACK_ETH_LAYOUT, AtomicAckEthView, buildAtomicAckEth, buildAtomicAckEthInto,
  parseAtomicAckEth } from './atomic-ack-eth.js';
export type { AtomicAckEth } from './atomic-ack-eth.js';
export { ATOMIC_ETH_BYTES, ATOMIC_ETH_LAYOUT, AtomicEthView, buildAtomicEth, buildAtomicEthInto,
  parseAtomicEth } from './atomic-eth.js';
export type { AtomicEth } from './atomic-eth.js';
export { BTH_BYTES, BTH_LAYOUT, BthView, OPCODE_CNP, PKEY_DEFAULT, buildBth, buildBthInto, parseBth } from './bth.js';
export type { Bth, BthFields } from './bth.js';
export { CNP_RESERVED_BYTES, buildCnp, buildCnpInto, cnpDefaults, judgeIcrc, parseCnp, readCnpFields } from './cnp.js';
export type { Cnp, CnpFields, ReadOptions } from './cnp.js';
export { DETH_BYTES, DETH_LAYOUT, DethView, QKEY_GSI, buildDeth, buildDethInto, parseDeth } from './deth.js';
export type { Deth, DethFields } from './deth.js';
export { buildExtendedHeaders, buildExtendedHeadersInto, extendedHeadersBytes,
  parseExtendedHeaders } from './extended-headers.js';
export type { ExtendedHeaders, ExtendedHeadersFields } from './extended-headers.js';
export { buildFastCnpForDataPacket, fastCnpFieldsFor } from './fast-cnp-for-data-packet.js';
export type { FastCnpAnswer, OversizeTracePolicy } from './fast-cnp-for-data-packet.js';
export { FAST_CNP_1_COMPACT_LAYOUT, FAST_CNP_1_DATA_BYTES, FAST_CNP_1_LAYOUT, FAST_CNP_2_IOAM_TYPE, FAST_CNP_2_LAYOUT,
  FAST_CNP_2_LEAST_DATA_BYTES, FAST_CNP_2_RESERVED, FAST_CNP_2_TRACE, FAST_CNP_2_TRACE_MAX_BYTES,
  FAST_CNP_OPTION_TYPE } from './fast-cnp-option.js';
export type { FastCnpEncoding, FastCnpOption, FastCnpOptionTypes, IoamTrace,
  ReceivedFastCnpOption } from './fast-cnp-option.js';
export { buildFastCnp, buildFastCnpInto, parseFastCnp } from './fast-cnp.js';
export type { FastCnp, FastCnpFields, FastCnpForm, FastCnpReadOptions } from './fast-cnp.js';
export { ETHERTYPE_ROCE_V1, GRH_BYTES, GRH_HOP_LIMIT_DEFAULT, GRH_IP_VERSION, GRH_LAYOUT, GRH_NEXT_HEADER_BTH, GrhView,
  buildGrh, buildGrhInto, parseGrh } from './grh.js';
export type { Grh, GrhFields } from './grh.js';
export { ICRC_BYTES, computeIcrc, computeIcrcAt, isIcrcRight, readIcrc, writeIcrc } from './icrc.js';
export type { IcrcPolicy } from './icrc.js';
export { IETH_BYTES, IETH_LAYOUT, IethView, buildIeth, buildIethInto, parseIeth } from './ieth.js';
export type { Ieth } from './ieth.js';
export { IMMEDIATE_DATA_BYTES, IMMEDIATE_DATA_LAYOUT, ImmediateDataView, buildImmediateData, buildImmediateDataInto,
  parseImmediateData } from './immediate-data.js';
export type { ImmediateData } from './immediate-data.js';
export { EXTENDED_AETH, EXTENDED_ATOMIC_ACK_ETH, EXTENDED_ATOMIC_ETH, EXTENDED_DETH, EXTENDED_HEADER_KINDS,
  EXTENDED_IETH, EXTENDED_IMMDT, EXTENDED_RDETH, EXTENDED_RETH, EXTENDED_XRCETH, OPCODE_OPERATION_MASK,
  OPCODE_TRANSPORT_MASK, OPERATION_ACKNOWLEDGE, OPERATION_ATOMIC_ACKNOWLEDGE, OPERATION_COMPARE_AND_SWAP,
  OPERATION_FETCH_AND_ADD, OPERATION_READ_REQUEST, OPERATION_READ_RESPONSE_FIRST, OPERATION_READ_RESPONSE_LAST,
  OPERATION_READ_RESPONSE_MIDDLE, OPERATION_READ_RESPONSE_ONLY, OPERATION_RESYNC, OPERATION_SEND_FIRST,
  OPERATION_SEND_LAST, OPERATION_SEND_LAST_IMMEDIATE, OPERATION_SEND_LAST_INVALIDATE, OPERATION_SEND_MIDDLE,
  OPERATION_SEND_ONLY, OPERATION_SEND_ONLY_IMMEDIATE, OPERATION_SEND_ONLY_INVALIDATE, OPERATION_WRITE_FIRST,
  OPERATION_WRITE_LAST, OPERATION_WRITE_LAST_IMMEDIATE, OPERATION_WRITE_MIDDLE, OPERATION_WRITE_ONLY,
  OPERATION_WRITE_ONLY_IMMEDIATE, TRANSPORT_CNP, TRANSPORT_RC, TRANSPORT_RD, TRANSPORT_UC, TRANSPORT_UD, TRANSPORT_XRC,
  extendedHeaderSet, extendedHeadersOf, isDefinedOpcode, opcodeName, opcodeTransport } from './opcodes.js';
export type { ExtendedHeaderKind, TransportName } from './opcodes.js';
export { RDETH_BYTES, RDETH_LAYOUT, RdethView, buildRdeth, buildRdethInto, parseRdeth } from './rdeth.js';
export type { Rdeth, RdethFields } from './rdeth.js';
export { RETH_BYTES, RETH_LAYOUT, RethView, buildReth, buildRethInto, parseReth } from './reth.js';
export type { Reth } from './reth.js';
export { XRCETH_BYTES, XRCETH_LAYOUT, XrcethView, buildXrceth, buildXrcethInto, parseXrceth } from './xrceth.js';
export type { Xrceth, XrcethFields } from './xrceth.js';
