// In-band telemetry: IOAM traces, the HPCC INT header, INT-MD.

export { HpccIntHop, type HpccIntByteOrder, type HpccIntDelta, type HpccIntSample,
  HpccIntUnits } from './hpcc-int-hop.js';
export { HpccInt } from './hpcc-int.js';
export { IntMdHop } from './int-md-hop.js';
export { IntMd, type IntMdFields, type IntMdPushOutcome, type IntMdPushed, type IntMdStackOptions,
  IntMdHeader } from './int-md.js';
export { IoamNodeCursor } from './ioam-trace-data.js';
export { type IoamFieldName, IoamNode, type IoamOpaqueSnapshot } from './ioam-node.js';
export { IoamOption } from './ioam-option.js';
export { IOAM_TRACE_IPV6_MAX_BYTES, type IoamPushOutcome, type IoamPushed, pushIncrementalIoamNode, pushIoamNode,
  IoamTraceData, type IoamTraceDataFields, type IoamTraceKind } from './ioam-trace-data.js';
export { IoamTraceType, IoamTraceHeader } from './ioam-trace.js';
