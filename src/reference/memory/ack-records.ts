/**
 * How the models that steer by acknowledgements stand in a QP's 64-byte record, and HPCC's hops behind it: the same bytes
 * as engine.wasm writes (src/abi/ack-layout.ts), so that hosts, snapshots and tests read either.
 */
import { CONTROLLER_FLAGS, CONTROLLER_HOP_COUNT, CONTROLLER_LAST_LENGTH, CONTROLLER_LAST_UPDATE_SEQ, CONTROLLER_REDUCED,
  CONTROLLER_STAGE, CONTROLLER_STARTED, CONTROLLER_WINDOW, HOP_RECORD_BYTES, HOP_STEP_BYTES, KEPT_HOP_BYTES,
  PLUS_HELD_UNTIL, PLUS_HOP_ID, PLUS_HOP_KIND, PLUS_HOP_PORT, PLUS_HOP_SEEN, PLUS_HOPS, PLUS_NEXT_FULL,
  PLUS_NEXT_RECOVERY, PLUS_RECOVERY_STEPS, PLUS_TARGET } from '../../abi/ack-layout.js';
import { QP_LAST_EVENT, QP_NEXT_SEND, QP_RATE } from '../../abi/layout.js';
import type { AckParameters } from '../../config/algorithms/registry.js';

/** One field: its name in the model's state, its offset, and its type, or the bit that it is. */
type RecordField = readonly [name: string, offset: number, type: 'f64' | 'u32' | 'u16' | 'u8' | number];

/** Numbers by name, as a model's state has them. */
export type RecordValues = Record<string, number | boolean | undefined>;

const OWN_8 = 8;
const OWN_16 = 16;
const OWN_20 = 20;
const OWN_32 = 32;

const HEAD: readonly RecordField[] = [
  ['rateBps', QP_RATE, 'f64'],
  ['windowBytes', CONTROLLER_WINDOW, 'f64'],
  ['lastEventPs', QP_LAST_EVENT, 'f64'],
  ['nextSendPs', QP_NEXT_SEND, 'f64'],
];
const ROUND_TRIP: readonly RecordField[] = [
  ['lastLenBytes', CONTROLLER_LAST_LENGTH, 'u32'],
  ['lastUpdateSeq', CONTROLLER_LAST_UPDATE_SEQ, 'u32'],
  ['started', CONTROLLER_FLAGS, CONTROLLER_STARTED],
];

const HPCC_FIELDS: readonly RecordField[] = [
  ...HEAD,
  ...ROUND_TRIP,
  ['committed', OWN_8, 'f64'],
  ['utilization', OWN_16, 'f64'],
  ['pathId', OWN_32, 'u32'],
  ['incStage', CONTROLLER_STAGE, 'u16'],
  ['hopCount', CONTROLLER_HOP_COUNT, 'u8'],
];

/** The fields of each algorithm. */
const FIELDS: Readonly<Record<AckParameters['algorithm'], readonly RecordField[]>> = {
  hpcc: HPCC_FIELDS,
  'hpcc-pp': HPCC_FIELDS,
  'hpcc-pint': [...HEAD, ...ROUND_TRIP, ['committed', OWN_8, 'f64'], ['incStage', CONTROLLER_STAGE, 'u16']],
  timely: [
    ...HEAD,
    ...ROUND_TRIP,
    ['rttDiffNs', OWN_8, 'f64'],
    ['lastRttNs', OWN_16, 'f64'],
    ['incStage', CONTROLLER_STAGE, 'u16'],
  ],
  dctcp: [
    ...HEAD,
    ...ROUND_TRIP,
    ['alpha', OWN_8, 'f64'],
    ['markedAcks', OWN_16, 'u32'],
    ['furtherPackets', OWN_20, 'u32'],
    ['reducedUntilSeq', OWN_32, 'u32'],
    ['reduced', CONTROLLER_FLAGS, CONTROLLER_REDUCED],
  ],
  swift: [
    ...HEAD,
    ['cwnd', OWN_8, 'f64'],
    ['rttPs', OWN_16, 'f64'],
    ['timeouts', OWN_32, 'u32'],
    ['lastDecreasePs', CONTROLLER_LAST_LENGTH, 'f64'],
  ],
};

const HOP_FIELDS: readonly RecordField[] = [
  ['time', 0, 'f64'],
  ['txBytes', 8, 'f64'],
  ['qlen', 16, 'f64'],
  ['hopId', 24, 'u32'],
  ['incStage', 28, 'u32'],
];
/** Behind the records of all hops. */
const HOP_STEP_FIELDS: readonly RecordField[] = [['utilization', 0, 'f64'], ['committed', 8, 'f64']];
const PLUS_HOP_FIELDS: readonly RecordField[] = [
  ['time', 0, 'f64'],
  ['txBytes', 8, 'f64'],
  ['qlen', 16, 'f64'],
  ['seenPs', PLUS_HOP_SEEN, 'f64'],
  ['kind', PLUS_HOP_KIND, 'u32'],
  ['hopId', PLUS_HOP_ID, 'u32'],
  ['portId', PLUS_HOP_PORT, 'u32'],
];
/** HPCC++'s timers, behind the last hop. */
const TIMER_FIELDS: readonly RecordField[] = [
  ['nextFullPs', PLUS_NEXT_FULL, 'f64'],
  ['heldUntilPs', PLUS_HELD_UNTIL, 'f64'],
  ['nextRecoveryPs', PLUS_NEXT_RECOVERY, 'f64'],
  ['target', PLUS_TARGET, 'f64'],
  ['recoverySteps', PLUS_RECOVERY_STEPS, 'u32'],
];
const TIMERS_AT = PLUS_HOPS * KEPT_HOP_BYTES;

/** Writes a model's numbers into its record. */
export function saveRecord(view: DataView, at: number, algorithm: AckParameters['algorithm'],
  values: RecordValues): void {
  // DCTCP's record counts the packets of a batch from its second on.
  const furtherPackets = Math.max(0, Number(values['batchPackets'] ?? 0) - 1);
  const all: RecordValues = { ...values, furtherPackets };
  for (const field of FIELDS[algorithm]) save(view, at, field, all[field[0]] ?? 0);
}

/** The numbers of a record, by their names in the model's state. */
export function loadRecord(view: DataView, at: number, algorithm: AckParameters['algorithm']): RecordValues {
  const values: RecordValues = Object.fromEntries(FIELDS[algorithm].map((field) => [field[0], load(view, at, field)]));
  return algorithm === 'dctcp' ? { ...values, batchPackets: Number(values['furtherPackets']) + 1 } : values;
}

/** Fields of a hop and how far they are from those of the next one, from `from` on. */
type HopColumn = readonly [fields: readonly RecordField[], from: number, bytes: number];

/** Where the fields of hops stand when so many have room. */
function hopColumns(algorithm: AckParameters['algorithm'], count: number): readonly HopColumn[] {
  if (algorithm === 'hpcc-pp') return [[PLUS_HOP_FIELDS, 0, KEPT_HOP_BYTES]];
  return [[HOP_FIELDS, 0, HOP_RECORD_BYTES], [HOP_STEP_FIELDS, count * HOP_RECORD_BYTES, HOP_STEP_BYTES]];
}

/** Writes the hops that HPCC and HPCC++ keep, all that have room, and what else stands with them. */
export function saveHops(view: DataView, at: number, algorithm: AckParameters['algorithm'], values: RecordValues,
  hops: readonly object[]): void {
  for (const [fields, from, bytes] of hopColumns(algorithm, hops.length)) {
    hops.forEach((hop, index) => {
      for (const field of fields) save(view, at + from + index * bytes, field, (hop as RecordValues)[field[0]] ?? 0);
    });
  }
  if (algorithm === 'hpcc-pp') {
    for (const field of TIMER_FIELDS) save(view, at + TIMERS_AT, field, values[field[0]] ?? 0);
  }
}

/** The reverse of `saveHops`: fields of a state. `count`: hops that have room. */
export function loadHops(view: DataView, at: number, algorithm: AckParameters['algorithm'], count: number): object {
  const fieldsAt = (fields: readonly RecordField[], base: number): RecordValues =>
    Object.fromEntries(fields.map((field) => [field[0], load(view, base, field)]));
  const columns = hopColumns(algorithm, count);
  const hops = Array.from({ length: count },
    (_, index) =>
      Object.assign({}, ...columns.map(([fields, from, bytes]) =>
        fieldsAt(fields, at + from + index * bytes)
      )) as RecordValues);
  return { ...(algorithm === 'hpcc-pp' ? fieldsAt(TIMER_FIELDS, at + TIMERS_AT) : {}), hops };
}

function save(view: DataView, at: number, [, offset, type]: RecordField, value: number | boolean): void {
  const where = at + offset;
  if (type === 'f64') view.setFloat64(where, Number(value), true);
  else if (type === 'u32') view.setUint32(where, Number(value), true);
  else if (type === 'u16') view.setUint16(where, Number(value), true);
  else if (type === 'u8') view.setUint8(where, Number(value));
  else view.setUint8(where, value ? view.getUint8(where) | type : view.getUint8(where) & ~type);
}

function load(view: DataView, at: number, [, offset, type]: RecordField): number | boolean {
  const where = at + offset;
  if (type === 'f64') return view.getFloat64(where, true);
  if (type === 'u32') return view.getUint32(where, true);
  if (type === 'u16') return view.getUint16(where, true);
  if (type === 'u8') return view.getUint8(where);
  return (view.getUint8(where) & type) !== 0;
}
