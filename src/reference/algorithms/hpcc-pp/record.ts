/** HPCC++'s state in a QP's record, its hops and its timers behind it: assembly/algorithms/hpcc-pp. */
import * as layout from '../../../abi/ack-layout.js';
import { HPCC_FIELDS, LINK_FIELDS } from '../hpcc/record.js';
import type { RecordLayout, StateRecord } from '../record.js';

const HOP_FIELDS: RecordLayout = {
  ...LINK_FIELDS,
  seenPs: ['f64', layout.PLUS_HOP_SEEN],
  kind: ['u32', layout.PLUS_HOP_KIND],
  hopId: ['u32', layout.PLUS_HOP_ID],
  portId: ['u32', layout.PLUS_HOP_PORT],
};
/** Behind the last hop. */
const TIMERS_AT = layout.PLUS_HOPS * layout.KEPT_HOP_BYTES;

export const HPCC_PP_RECORD: StateRecord = {
  fields: HPCC_FIELDS,
  hops: () => [{ layout: HOP_FIELDS, from: 0, bytes: layout.KEPT_HOP_BYTES }],
  behindHops: {
    nextFullPs: ['f64', TIMERS_AT + layout.PLUS_NEXT_FULL],
    heldUntilPs: ['f64', TIMERS_AT + layout.PLUS_HELD_UNTIL],
    nextRecoveryPs: ['f64', TIMERS_AT + layout.PLUS_NEXT_RECOVERY],
    target: ['f64', TIMERS_AT + layout.PLUS_TARGET],
    recoverySteps: ['u32', TIMERS_AT + layout.PLUS_RECOVERY_STEPS],
  },
};
