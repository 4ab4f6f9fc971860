// Adaptive routing notifications.

export { type ArnBitOrder, type ArnFlowFormat, type ArnFlowPadding, type ArnFormat, ParaType, arnFormatDefaults,
  type CompressionTimeFormat, type CompressionTimeUnit, compressionTimeOf, compressionTimePs } from './arn-format.js';
export { Arn, type ArnFields, type ArnTypeName } from './arn.js';
export { FiveTuple } from './five-tuple.js';
