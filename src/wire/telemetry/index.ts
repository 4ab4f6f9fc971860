// In-band telemetry: IOAM traces, the HPCC INT header, INT-MD.

export { HpccIntHop, type HpccIntByteOrder } from './hpcc-int-hop.js';
export { type HpccIntDelta, type HpccIntSample, HpccIntUnits } from './hpcc-int-units.js';
export { HpccInt } from './hpcc-int.js';
export { IntMdHop } from './int-md-hop.js';
export { IntMd, type IntMdFields, type IntMdPushOutcome, type IntMdPushed,
  type IntMdStackOptions } from './int-md-stack.js';
export { IntMdHeader } from './int-md.js';
export { IoamNodeCursor } from './ioam-node-cursor.js';
export { type IoamFieldName, IoamNode, type IoamOpaqueSnapshot } from './ioam-node.js';
export { IoamOption } from './ioam-option.js';
export { IOAM_TRACE_IPV6_MAX_BYTES, type IoamPushOutcome, type IoamPushed, pushIncrementalIoamNode,
  pushIoamNode } from './ioam-push.js';
export { IoamTraceData, type IoamTraceDataFields, type IoamTraceKind } from './ioam-trace-data.js';
export { IoamTraceType } from './ioam-trace-type.js';
export { IoamTraceHeader } from './ioam-trace.js';
