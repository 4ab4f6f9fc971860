// Adaptive routing notifications.

export { PARA_COMPRESSION_TIME, PARA_FLOW, PARA_KNOWN_BITS, PARA_PATH, PARA_PRIORITY, type ArnBitOrder,
  type ArnFlowFormat, type ArnFlowPadding, type ArnFormat, arnFormatDefaults } from './arn-format.js';
export { ARN_CONGESTION_DETECTED, ARN_CONGESTION_ELIMINATED, ARN_FAILURE_DETECTED, ARN_FAILURE_ELIMINATED,
  ARN_HEAD_BYTES, ARN_LAYOUT, ARN_NUMBER_BYTES, type Arn, type ArnFields, type ArnTypeName, ArnView, arnBytes,
  arnDefaults, arnTypeName, buildArn, buildArnInto, parseArn } from './arn.js';
export { PFC_QUANTUM_BITS, type CompressionTimeFormat, type CompressionTimeUnit, compressionTimeOf,
  compressionTimePs } from './compression-time.js';
export { FIVE_TUPLE_VERSION, type FiveTuple, buildFiveTuple, buildFiveTupleInto, fiveTupleBytes,
  parseFiveTuple } from './five-tuple.js';
