/** Adaptive routing notifications. */
export { PARA_COMPRESSION_TIME, PARA_FLOW, PARA_KNOWN_BITS, PARA_PATH, PARA_PRIORITY,
  arnFormatDefaults } from './arn-format.js';
export type { ArnBitOrder, ArnFlowFormat, ArnFlowPadding, ArnFormat } from './arn-format.js';
export { ARN_CONGESTION_DETECTED, ARN_CONGESTION_ELIMINATED, ARN_FAILURE_DETECTED, ARN_FAILURE_ELIMINATED,
  ARN_HEAD_BYTES, ARN_LAYOUT, ARN_NUMBER_BYTES, ArnView, arnBytes, arnDefaults, arnTypeName, buildArn, buildArnInto,
  parseArn } from './arn.js';
export type { Arn, ArnFields, ArnTypeName } from './arn.js';
export { PFC_QUANTUM_BITS, compressionTimeOf, compressionTimePs } from './compression-time.js';
export type { CompressionTimeFormat, CompressionTimeUnit } from './compression-time.js';
export { FIVE_TUPLE_VERSION, buildFiveTuple, buildFiveTupleInto, fiveTupleBytes,
  parseFiveTuple } from './five-tuple.js';
export type { FiveTuple } from './five-tuple.js';
