/** AckEvent records of the `js` backend, read into what the models take. */
import * as layout from '../../abi/ack-layout.js';
import { REGION_ACK_EVENTS } from '../../abi/layout.js';
import type { Ack } from '../algorithms/ack.js';
import type { HopSample, RawHop, Telemetry } from '../algorithms/hpcc/hops.js';
import { ackEventBytes, type BackendMemory } from '../memory/backend-memory.js';

/** @returns the record, or nothing where there are no such records. */
export function readAckEvent(memory: BackendMemory, index: number): Omit<Ack, 'timePs'> | undefined {
  const bytes = ackEventBytes(memory.sizes);
  if (bytes === 0 || index >= memory.sizes.events) return undefined;
  const { view } = memory;
  const at = memory.at(REGION_ACK_EVENTS, index, bytes);
  const sentTimePs = view.getFloat64(at + layout.ACK_SENT_TIME, true);
  const pintPower = view.getUint32(at + layout.ACK_PINT_POWER, true);
  const telemetry = readTelemetry(memory, at);
  return {
    ackSeq: view.getUint32(at + layout.ACK_SEQ, true),
    sndNxt: view.getUint32(at + layout.ACK_SND_NXT, true),
    ecnEcho: view.getUint8(at + layout.ACK_ECN_ECHO) !== 0,
    hostDelayPs: view.getFloat64(at + layout.ACK_HOST_DELAY, true),
    hopCount: view.getUint32(at + layout.ACK_PATH_HOPS, true),
    ackedPackets: view.getFloat64(at + layout.ACK_ACKED_PACKETS, true),
    ...(Number.isNaN(sentTimePs) ? {} : { sentTimePs }),
    ...(pintPower === layout.ACK_NO_POWER ? {} : { pintPower }),
    ...(telemetry ? { telemetry } : {}),
  };
}

function readTelemetry({ view, sizes }: BackendMemory, at: number): Telemetry | undefined {
  const kind = view.getUint8(at + layout.ACK_TELEMETRY);
  const hopCount = view.getUint8(at + layout.ACK_HOP_COUNT);
  const hopAt = (index: number): number => at + layout.ACK_HOPS + index * layout.ACK_HOP_BYTES;
  const kept = Array.from({ length: Math.min(hopCount, sizes.hops) }, (_, index) => hopAt(index));
  if (kind === layout.TELEMETRY_EXACT) {
    const partial = view.getUint8(at + layout.ACK_PARTIAL) !== 0;
    return {
      kind: 'exact',
      hops: kept.map((hop) => readExact(view, hop)),
      pathId: view.getUint32(at + layout.ACK_PATH_ID, true),
      partial,
    };
  }
  return kind === layout.TELEMETRY_INT64 ?
    { kind: 'int64', hopCount, hops: kept.map((hop) => readRaw(view, hop)) } :
    undefined;
}

function readExact(view: DataView, at: number): HopSample {
  return {
    timePs: view.getFloat64(at + layout.HOP_TIME, true),
    txBytes: view.getFloat64(at + layout.HOP_TX_BYTES, true),
    qlenBytes: view.getFloat64(at + layout.HOP_QLEN_BYTES, true),
    lineRateBps: view.getFloat64(at + layout.HOP_LINE_RATE, true),
    hopId: view.getUint32(at + layout.HOP_ID, true),
    portId: view.getUint32(at + layout.HOP_PORT, true),
  };
}

function readRaw(view: DataView, at: number): RawHop {
  return {
    lineRateCode: view.getUint32(at + layout.RAW_HOP_LINE_RATE, true),
    time: view.getUint32(at + layout.RAW_HOP_TIME, true),
    bytes: view.getUint32(at + layout.RAW_HOP_BYTES, true),
    qlen: view.getUint32(at + layout.RAW_HOP_QLEN, true),
  };
}
