/** Swift's state in a QP's record: assembly/algorithms/swift/transitions.ts. */
import { CONTROLLER_LAST_LENGTH } from '../../../abi/ack-layout.js';
import { OWN_16, OWN_32, OWN_8, SENDER_FIELDS, type StateRecord } from '../record.js';

export const SWIFT_RECORD: StateRecord = {
  fields: {
    ...SENDER_FIELDS,
    cwnd: ['f64', OWN_8],
    rttPs: ['f64', OWN_16],
    timeouts: ['u32', OWN_32],
    lastDecreasePs: ['f64', CONTROLLER_LAST_LENGTH],
  },
};
