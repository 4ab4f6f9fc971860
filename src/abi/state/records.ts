/** The state that each algorithm keeps per QP, and its layout in memory, one line per algorithm. */
import { DCTCP_RECORD, type DctcpState } from './dctcp.js';
import { HPCC_RECORD, type HpccState } from './hpcc.js';
import { HPCC_PINT_RECORD, type HpccPintState } from './hpcc-pint.js';
import { HPCC_PP_RECORD, type HpccPpState } from './hpcc-pp.js';
import { NSCC_RECORD, type NsccState } from './nscc.js';
import { RCCC_RECORD, type RcccState } from './rccc.js';
import type { StateRecord } from './state-record.js';
import { SWIFT_RECORD, type SwiftState } from './swift.js';
import { TIMELY_RECORD, type TimelyState } from './timely.js';

/** States of the ACK-driven algorithms. */
export interface AckStates {
  hpcc: HpccState;
  'hpcc-pint': HpccPintState;
  timely: TimelyState;
  dctcp: DctcpState;
  swift: SwiftState;
  'hpcc-pp': HpccPpState;
  nscc: NsccState;
  rccc: RcccState;
}

export const STATE_RECORDS: Readonly<Record<keyof AckStates, StateRecord>> = {
  hpcc: HPCC_RECORD,
  'hpcc-pint': HPCC_PINT_RECORD,
  timely: TIMELY_RECORD,
  dctcp: DCTCP_RECORD,
  swift: SWIFT_RECORD,
  'hpcc-pp': HPCC_PP_RECORD,
  nscc: NSCC_RECORD,
  rccc: RCCC_RECORD,
};
