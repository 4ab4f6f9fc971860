/** In-band telemetry: IOAM traces, the HPCC INT header, INT-MD. */
export { readFillerWords, writeFillerWords } from './filler-words.js';
export { HPCC_INT_HOP_BYTES, HPCC_INT_HOP_LAYOUT, HPCC_INT_LINE_RATE_BITS, HPCC_INT_BYTE_ORDER, HPCC_INT_BYTE_ORDERS,
  HPCC_INT_QUEUE_BITS, HPCC_INT_QUEUE_SHIFT, HPCC_INT_TIME_BITS, HPCC_INT_TIME_SHIFT, HPCC_INT_TX_BITS,
  HPCC_INT_TX_SHIFT, HpccIntHopView, buildHpccIntHop, buildHpccIntHopInto, parseHpccIntHop } from './hpcc-int-hop.js';
export type { HpccIntHop, HpccIntByteOrder } from './hpcc-int-hop.js';
export { HPCC_INT_LINE_RATES_BPS, HPCC_INT_MULTI, HPCC_INT_QUEUE_UNIT_BYTES, HPCC_INT_TX_UNIT_BYTES, decodeHpccIntHop,
  encodeHpccIntHop, hpccIntDelta, hpccIntLineRateBps } from './hpcc-int-units.js';
export type { HpccIntDelta, HpccIntSample } from './hpcc-int-units.js';
export { HPCC_INT_BYTES, HPCC_INT_LAYOUT, HPCC_INT_MAX_HOPS, HpccIntView, buildHpccInt, buildHpccIntInto, hpccIntPath,
  parseHpccInt, pushHpccIntHop } from './hpcc-int.js';
export type { HpccInt } from './hpcc-int.js';
export { INT_BIT_BUFFER, INT_BIT_CHECKSUM_COMPLEMENT, INT_BIT_EGRESS_TIMESTAMP, INT_BIT_HOP_LATENCY,
  INT_BIT_INGRESS_TIMESTAMP, INT_BIT_NODE, INT_BIT_PORTS, INT_BIT_PORTS_LEVEL_2, INT_BIT_QUEUE, INT_BIT_RESERVED_FIRST,
  INT_BIT_RESERVED_LAST, INT_BIT_TX_UTILISATION, buildIntMdHop, buildIntMdHopInto, intMdBaselineWords, intMdFieldOffset,
  intMdHopBytes, parseIntMdHop } from './int-md-hop.js';
export type { IntMdHop } from './int-md-hop.js';
export { buildIntMd, buildIntMdInto, intMdBytes, parseIntMd, pushIntMdHop } from './int-md-stack.js';
export type { IntMd, IntMdFields, IntMdPushOutcome, IntMdPushed, IntMdStackOptions } from './int-md-stack.js';
export { INT_MD_BYTES, INT_MD_DISCARD_MASK, INT_MD_HOP_COUNT_EXCEEDED_MASK, INT_MD_HOP_ML_MAX_WORDS, INT_MD_LAYOUT,
  INT_MD_MTU_EXCEEDED_MASK, INT_MD_VERSION, IntMdHeaderView, buildIntMdHeader, buildIntMdHeaderInto,
  parseIntMdHeader } from './int-md.js';
export type { IntMdHeader, IntMdHeaderFields } from './int-md.js';
export { IoamNodeCursor } from './ioam-node-cursor.js';
export { IOAM_NO_SCHEMA, IOAM_OPAQUE_DATA, IOAM_OPAQUE_DATA_MAX_BYTES, IOAM_OPAQUE_LENGTH, IOAM_OPAQUE_SCHEMA_ID,
  buildIoamNode, buildIoamNodeInto, ioamNodeBytes, ioamNodeBytesAt, isUnavailable,
  parseIoamNode } from './ioam-node.js';
export type { IoamFieldName, IoamNode, IoamOpaqueSnapshot } from './ioam-node.js';
export { IOAM_OPTION_ALIGNMENT_BYTES, IOAM_OPTION_BYTES, IOAM_OPTION_DATA, IOAM_OPTION_DATA_MAX_BYTES,
  IOAM_OPTION_LAYOUT, IOAM_OPTION_MAY_CHANGE, IOAM_OPTION_UNCHANGING, IOAM_TYPE_DIRECT_EXPORT, IOAM_TYPE_EDGE_TO_EDGE,
  IOAM_TYPE_INCREMENTAL_TRACE, IOAM_TYPE_NAMES, IOAM_TYPE_PREALLOCATED_TRACE, IOAM_TYPE_PROOF_OF_TRANSIT,
  IoamOptionView, buildIoamOption, buildIoamOptionInto, buildIoamOptionsHeader, isIoamOption,
  parseIoamOption } from './ioam-option.js';
export type { IoamOption, IoamOptionFields } from './ioam-option.js';
export { IOAM_TRACE_IPV6_MAX_BYTES, pushIncrementalIoamNode, pushIoamNode } from './ioam-push.js';
export type { IoamPushOutcome, IoamPushed } from './ioam-push.js';
export { IOAM_TRACE_KINDS, buildIoamTrace, buildIoamTraceInto, ioamTraceBytes, ioamTraceEnd, ioamTraceKind,
  parseIoamTrace } from './ioam-trace-data.js';
export type { IoamTraceData, IoamTraceDataFields, IoamTraceKind } from './ioam-trace-data.js';
export { IOAM_BIT_BUFFER_OCCUPANCY, IOAM_BIT_CHECKSUM_COMPLEMENT, IOAM_BIT_INTERFACES, IOAM_BIT_INTERFACES_WIDE,
  IOAM_BIT_NAMESPACE_DATA, IOAM_BIT_NAMESPACE_DATA_WIDE, IOAM_BIT_NODE, IOAM_BIT_NODE_WIDE, IOAM_BIT_OPAQUE,
  IOAM_BIT_QUEUE_DEPTH, IOAM_BIT_TIMESTAMP_FRACTION, IOAM_BIT_TIMESTAMP_SECONDS, IOAM_BIT_TRANSIT_DELAY,
  IOAM_BIT_UNDEFINED_FIRST, IOAM_BIT_UNDEFINED_LAST, hasIoamField, ioamFieldOffset, ioamFieldWords, ioamNodeLenWords,
  ioamTraceType, ioamUndefinedWords } from './ioam-trace-type.js';
export { IOAM_FLAG_ACTIVE, IOAM_FLAG_LOOPBACK, IOAM_FLAG_OVERFLOW, IOAM_NODE_LEN_MAX_WORDS,
  IOAM_REMAINING_LEN_MAX_WORDS, IOAM_TRACE_BYTES, IOAM_TRACE_LAYOUT, IoamTraceHeaderView, buildIoamTraceHeader,
  buildIoamTraceHeaderInto, parseIoamTraceHeader } from './ioam-trace.js';
export type { IoamTraceHeader, IoamTraceHeaderFields } from './ioam-trace.js';
