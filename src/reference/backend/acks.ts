/** Converts AckEvent records of the `js` backend to the input of the models. */
import * as layout from '../../abi/ack-layout.js';
import { REGION_ACK_EVENTS } from '../../abi/layout.js';
import type { Ack, Nack } from '../algorithms/ack.js';
import type { HopSample, RawHop, Telemetry } from '../algorithms/hpcc/hops.js';
import type { RecordLayout } from '../../abi/record.js';
import { ackEventBytes, type BackendMemory } from '../backend-memory.js';

const ACK_FIELDS = {
  ackSeq: ['u32', layout.ACK_SEQ],
  sndNxt: ['u32', layout.ACK_SND_NXT],
  sentTimePs: ['f64', layout.ACK_SENT_TIME],
  hostDelayPs: ['f64', layout.ACK_HOST_DELAY],
  ackedPackets: ['f64', layout.ACK_ACKED_PACKETS],
  ackedBytes: ['f64', layout.ACK_ACKED_BYTES],
  hopCount: ['u32', layout.ACK_PATH_HOPS],
  pintPower: ['u32', layout.ACK_PINT_POWER],
  ecnEcho: ['u8', layout.ACK_ECN_ECHO],
} as const;
const NACK_FIELDS = {
  sentTimePs: ['f64', layout.ACK_SENT_TIME],
  trimmedBytes: ['f64', layout.NACK_TRIMMED_BYTES],
  lastHop: ['u8', layout.NACK_LAST_HOP],
} as const;
const TELEMETRY_FIELDS = {
  kind: ['u8', layout.ACK_TELEMETRY],
  hopCount: ['u8', layout.ACK_HOP_COUNT],
  partial: ['u8', layout.ACK_PARTIAL],
  pathId: ['u32', layout.ACK_PATH_ID],
} as const;
const EXACT_HOP_FIELDS: RecordLayout<keyof HopSample> = {
  timePs: ['f64', layout.HOP_TIME],
  txBytes: ['f64', layout.HOP_TX_BYTES],
  qlenBytes: ['f64', layout.HOP_QLEN_BYTES],
  lineRateBps: ['f64', layout.HOP_LINE_RATE],
  hopId: ['u32', layout.HOP_ID],
  portId: ['u32', layout.HOP_PORT],
};
const RAW_HOP_FIELDS: RecordLayout<keyof RawHop> = {
  lineRateCode: ['u32', layout.RAW_HOP_LINE_RATE],
  time: ['u32', layout.RAW_HOP_TIME],
  bytes: ['u32', layout.RAW_HOP_BYTES],
  qlen: ['u32', layout.RAW_HOP_QLEN],
};

/** @returns the record; undefined if it does not exist. */
export function readAckEvent(memory: BackendMemory, index: number): Omit<Ack, 'timePs'> | undefined {
  const at = addressOf(memory, index);
  if (at === undefined) return undefined;
  const { sentTimePs, pintPower, ecnEcho, ackedBytes, ...fields } = memory.read(at, ACK_FIELDS);
  const telemetry = readTelemetry(memory, at);
  return {
    ...fields,
    ecnEcho: ecnEcho !== 0,
    ...(Number.isNaN(sentTimePs) ? {} : { sentTimePs }),
    ...(Number.isNaN(ackedBytes) ? {} : { ackedBytes }),
    ...(pintPower === layout.ACK_NO_POWER ? {} : { pintPower }),
    ...penaltyOf(pintPower),
    ...(telemetry ? { telemetry } : {}),
  };
}

/** Of the word that both have. */
function penaltyOf(word: number): Pick<Ack, 'windowPenalty' | 'restoreWindow'> {
  if ((word & ~(layout.ACK_PENALTY_MAX | layout.ACK_RESTORES_WINDOW)) !== layout.ACK_PENALTY_GIVEN) return {};
  return {
    windowPenalty: word & layout.ACK_PENALTY_MAX,
    restoreWindow: (word & layout.ACK_RESTORES_WINDOW) !== 0,
  };
}

/** The same of a NACK. */
export function readNackEvent(memory: BackendMemory, index: number): Omit<Nack, 'timePs'> | undefined {
  const at = addressOf(memory, index);
  if (at === undefined) return undefined;
  const { sentTimePs, trimmedBytes, lastHop } = memory.read(at, NACK_FIELDS);
  return { trimmedBytes, isLastHop: lastHop !== 0, ...(Number.isNaN(sentTimePs) ? {} : { sentTimePs }) };
}

/** The pull number of a credit record. */
export function readCreditEvent(memory: BackendMemory, index: number): number | undefined {
  const at = addressOf(memory, index);
  return at === undefined ? undefined : memory.readF64(at + layout.CREDIT_PULL_NUMBER);
}

function addressOf(memory: BackendMemory, index: number): number | undefined {
  const bytes = ackEventBytes(memory.sizes);
  return bytes === 0 || index >= memory.sizes.events ? undefined : memory.at(REGION_ACK_EVENTS, index, bytes);
}

function readTelemetry(memory: BackendMemory, at: number): Telemetry | undefined {
  const { kind, hopCount, partial, pathId } = memory.read(at, TELEMETRY_FIELDS);
  const hopsOf = <Name extends string>(fields: RecordLayout<Name>): Record<Name, number>[] =>
    Array.from({ length: Math.min(hopCount, memory.sizes.hops) }, (_, index) =>
      memory.read(at + layout.ACK_HOPS + index * layout.ACK_HOP_BYTES, fields));
  if (kind === layout.TELEMETRY_EXACT) {
    return { kind: 'exact', hops: hopsOf(EXACT_HOP_FIELDS), pathId, partial: partial !== 0 };
  }
  return kind === layout.TELEMETRY_INT64 ? { kind: 'int64', hopCount, hops: hopsOf(RAW_HOP_FIELDS) } : undefined;
}
