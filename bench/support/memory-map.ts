/** Addresses in an engine's memory, as the list of numbers that the C variants read (addon.c, `attach`). */
import { FEATURE_CUT_TIMES, FEATURE_PEERS, FEATURE_TRAILING } from '../../src/abi/codes.js';
import { ackEventBytes as bytesOfAckEvent } from '../../src/abi/ack-layout.js';
import * as layout from '../../src/abi/layout.js';
import { ALGORITHMS, hopsNeeded, readsAcks } from '../../src/config/algorithms/registry.js';
import type { EngineConfig } from '../../src/config/engine-config.js';
import { regionAddress, type MemoryViews } from '../../src/engine/memory-views.js';
import { featuresOf } from '../../src/engine/set-up.js';

const GROUP_SLOTS = 16;
const QPNS_PER_BUCKET = 7;

/** Regions that the engine doesn't publish follow from the order in which it takes them: assembly/memory/map.ts. */
export function nativeMap(views: MemoryViews, config: EngineConfig): Uint32Array {
  const region = (index: number): number => regionAddress(views, index);
  const { qps, endpoints } = config.capacity;
  const features = featuresOf(config, ALGORITHMS);
  if (features & (FEATURE_PEERS | FEATURE_TRAILING)) {
    throw new Error('the C variants know scope qp, reading suppress only');
  }
  const windows = lineAfter(region(layout.REGION_FLOW_ENTRIES) + qps * 4);
  const behindWindows = lineAfter(windows + Math.max(qps, endpoints) * 8);
  const endpointWords = layout.ENDPOINT_TABLE_ADDRESS >> 2;
  const endpointEntries = views.u32[endpointWords + 1] ?? 0;
  const endpointGroups = views.u32[endpointWords + 2] ?? 0;
  return Uint32Array.of(layout.COUNTERS_ADDRESS, layout.PARAMETER_SETS_ADDRESS, layout.SETTINGS_ADDRESS,
    layout.HASH_KEYS_ADDRESS, region(layout.REGION_EVENTS), region(layout.REGION_DESCRIPTORS),
    region(layout.REGION_PACKETS), region(layout.REGION_FRAMES), region(layout.REGION_ACTIONS),
    region(layout.REGION_ACCESS), region(layout.REGION_QPS), region(layout.REGION_QP_FLAGS),
    region(layout.REGION_FLOW_ENTRIES), windows, features & FEATURE_CUT_TIMES ? behindWindows : 0,
    layout.FLOW_TABLE_ADDRESS, layout.ENDPOINT_TABLE_ADDRESS,
    lineAfter(endpointEntries + endpointGroups * GROUP_SLOTS * layout.FLOW_BYTES), region(layout.REGION_ACK_EVENTS),
    region(layout.REGION_KEPT_HOPS), qps, Math.ceil(qps / QPNS_PER_BUCKET), 1, layout.PARAMETER_SET_BYTES,
    ackEventBytes(config), hopsNeeded(config.parameterSets, ALGORITHMS));
}

/** Length of an AckEvent record of this engine; 0 when it has none. */
export function ackEventBytes({ parameterSets }: EngineConfig): number {
  return parameterSets.some((set) => readsAcks(set, ALGORITHMS)) ?
    bytesOfAckEvent(hopsNeeded(parameterSets, ALGORITHMS)) :
    0;
}

function lineAfter(address: number): number {
  return Math.ceil(address / 64) * 64;
}
