/** HPCC's state in a QP's record, and its hops behind it: assembly/algorithms/hpcc/transitions.ts. */
import { CONTROLLER_HOP_COUNT, HOP_RECORD_BYTES, HOP_STEP_BYTES } from '../../../abi/ack-layout.js';
import { OWN_16, OWN_32, OWN_8, ROUND_TRIP_FIELDS, STAGE, type RecordLayout, type StateRecord } from '../record.js';

export const HPCC_FIELDS: RecordLayout = {
  ...ROUND_TRIP_FIELDS,
  committed: ['f64', OWN_8],
  utilization: ['f64', OWN_16],
  pathId: ['u32', OWN_32],
  incStage: STAGE,
  hopCount: ['u8', CONTROLLER_HOP_COUNT],
};
/** The last record of a hop. */
export const LINK_FIELDS: RecordLayout = { time: ['f64', 0], txBytes: ['f64', 8], qlen: ['f64', 16] };
const HOP_FIELDS: RecordLayout = { ...LINK_FIELDS, hopId: ['u32', 24], incStage: ['u32', 28] };
/** Behind the records of all hops. */
const HOP_STEP_FIELDS: RecordLayout = { utilization: ['f64', 0], committed: ['f64', 8] };

export const HPCC_RECORD: StateRecord = {
  fields: HPCC_FIELDS,
  hops: (room) => [
    { layout: HOP_FIELDS, from: 0, bytes: HOP_RECORD_BYTES },
    { layout: HOP_STEP_FIELDS, from: room * HOP_RECORD_BYTES, bytes: HOP_STEP_BYTES },
  ],
};
