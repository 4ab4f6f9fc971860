// In-band telemetry: IOAM traces, the HPCC INT header, INT-MD.

export { readFillerWords, writeFillerWords } from './filler-words.js';
export * from './hpcc-int-widths.js';
export { HPCC_INT_BYTE_ORDER, HPCC_INT_BYTE_ORDERS, HPCC_INT_HOP_BYTES, HPCC_INT_HOP_LAYOUT, type HpccIntByteOrder,
  type HpccIntHop, HpccIntHopView, buildHpccIntHop, buildHpccIntHopInto, parseHpccIntHop } from './hpcc-int-hop.js';
export * from './hpcc-int-units.js';
export * from './hpcc-int.js';
export * from './int-md-hop.js';
export * from './int-md-stack.js';
export { INT_MD_BYTES, INT_MD_DISCARD_MASK, INT_MD_HOP_COUNT_EXCEEDED_MASK, INT_MD_HOP_ML_MAX_WORDS, INT_MD_LAYOUT,
  INT_MD_MTU_EXCEEDED_MASK, INT_MD_VERSION, type IntMdHeader, type IntMdHeaderFields, IntMdHeaderView, buildIntMdHeader,
  buildIntMdHeaderInto, parseIntMdHeader } from './int-md.js';
export { IoamNodeCursor } from './ioam-node-cursor.js';
export * from './ioam-node.js';
export * from './ioam-option.js';
export * from './ioam-push.js';
export { IOAM_TRACE_KINDS, type IoamTraceData, type IoamTraceDataFields, type IoamTraceKind, buildIoamTrace,
  buildIoamTraceInto, ioamTraceBytes, ioamTraceEnd, ioamTraceKind, parseIoamTrace } from './ioam-trace-data.js';
export { IOAM_BIT_BUFFER_OCCUPANCY, IOAM_BIT_CHECKSUM_COMPLEMENT, IOAM_BIT_INTERFACES, IOAM_BIT_INTERFACES_WIDE,
  IOAM_BIT_NAMESPACE_DATA, IOAM_BIT_NAMESPACE_DATA_WIDE, IOAM_BIT_NODE, IOAM_BIT_NODE_WIDE, IOAM_BIT_OPAQUE,
  IOAM_BIT_QUEUE_DEPTH, IOAM_BIT_TIMESTAMP_FRACTION, IOAM_BIT_TIMESTAMP_SECONDS, IOAM_BIT_TRANSIT_DELAY,
  IOAM_BIT_UNDEFINED_FIRST, IOAM_BIT_UNDEFINED_LAST, hasIoamField, ioamFieldOffset, ioamFieldWords, ioamNodeLenWords,
  ioamTraceType, ioamUndefinedWords } from './ioam-trace-type.js';
export { IOAM_FLAG_ACTIVE, IOAM_FLAG_LOOPBACK, IOAM_FLAG_OVERFLOW, IOAM_NODE_LEN_MAX_WORDS,
  IOAM_REMAINING_LEN_MAX_WORDS, IOAM_TRACE_BYTES, IOAM_TRACE_LAYOUT, type IoamTraceHeader, type IoamTraceHeaderFields,
  IoamTraceHeaderView, buildIoamTraceHeader, buildIoamTraceHeaderInto, parseIoamTraceHeader } from './ioam-trace.js';
