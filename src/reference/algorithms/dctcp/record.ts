/** DCTCP's state in a QP's record; behind it assembly/algorithms/dctcp/transitions.ts. */
import { CONTROLLER_FLAGS, CONTROLLER_REDUCED } from '../../../abi/ack-layout.js';
import { OWN_16, OWN_20, OWN_32, OWN_8, ROUND_TRIP_FIELDS, type StateRecord } from '../record.js';

export const DCTCP_RECORD: StateRecord = {
  fields: {
    ...ROUND_TRIP_FIELDS,
    alpha: ['f64', OWN_8],
    markedAcks: ['u32', OWN_16],
    // The packets of a batch from its second on.
    batchPackets: ['u32', OWN_20, 1],
    reducedUntilSeq: ['u32', OWN_32],
    reduced: ['bit', CONTROLLER_FLAGS, CONTROLLER_REDUCED],
  },
};
