/** Names of the words of the capacity record (capacity-layout.ts). */
import * as layout from './capacity-layout.js';

export const CAPACITY_FIELDS = {
  qps: layout.CAPACITY_QPS,
  endpoints: layout.CAPACITY_ENDPOINTS,
  addresses: layout.CAPACITY_ADDRESSES,
  events: layout.CAPACITY_EVENTS,
  packets: layout.CAPACITY_PACKETS,
  frameBytes: layout.CAPACITY_FRAME_BYTES,
  accessRanges: layout.CAPACITY_ACCESS_RANGES,
  features: layout.CAPACITY_FEATURES,
  hops: layout.CAPACITY_HOPS,
  tableBytes: layout.CAPACITY_TABLE_BYTES,
  traceRecords: layout.CAPACITY_TRACE_RECORDS,
} as const;

/** How large an engine shall be. */
export type EngineCapacity = Readonly<Record<keyof typeof CAPACITY_FIELDS, number>>;
