/** RCCC's state in a QP's record, as in assembly/algorithms/rccc/transitions.ts. */
import { CONTROLLER_SPECULATING, RCCC_STATE } from '../records/controllers.js';
import { SENDER_FIELDS, type StateRecord, type SenderState } from './state-record.js';

export interface RcccState extends SenderState {
  /** Credit, bytes on the wire; negative if the last packet exceeded it. */
  creditBytes: number;
  /** The highest pull number received, quanta of 256 bytes. */
  pullNumber: number;
  /** Whether the sender has received no credit yet and uses speculative credit. */
  isSpeculating: boolean;
}

export const RCCC_RECORD: StateRecord = {
  fields: {
    ...SENDER_FIELDS,
    creditBytes: ['f64', RCCC_STATE.at.creditBytes],
    pullNumber: ['f64', RCCC_STATE.at.pullNumber],
    isSpeculating: ['bit', RCCC_STATE.at.flags, CONTROLLER_SPECULATING],
  },
};
