/** The table of records: where each algorithm that steers by acknowledgements keeps its state, one line each. */
import type { AckParameters } from '../../config/algorithms/registry.js';
import { DCTCP_RECORD } from './dctcp/record.js';
import { HPCC_RECORD } from './hpcc/record.js';
import { HPCC_PINT_RECORD } from './hpcc-pint/record.js';
import { HPCC_PP_RECORD } from './hpcc-pp/record.js';
import type { StateRecord } from './record.js';
import { SWIFT_RECORD } from './swift/record.js';
import { TIMELY_RECORD } from './timely/record.js';

export const STATE_RECORDS: Readonly<Record<AckParameters['algorithm'], StateRecord>> = {
  hpcc: HPCC_RECORD,
  'hpcc-pint': HPCC_PINT_RECORD,
  timely: TIMELY_RECORD,
  dctcp: DCTCP_RECORD,
  swift: SWIFT_RECORD,
  'hpcc-pp': HPCC_PP_RECORD,
};
