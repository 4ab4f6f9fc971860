/** Allowed values of each parameter of each algorithm, for forms and for the schema of scenarios. */
import type { FieldRule } from '../field-rules.js';
import { DCQCN_FIELD_RULES } from './dcqcn/validate.js';
import { DCTCP_FIELD_RULES } from './dctcp/validate.js';
import { HPCC_PINT_FIELD_RULES } from './hpcc-pint/validate.js';
import { HPCC_PP_FIELD_RULES } from './hpcc-pp/validate.js';
import { HPCC_FIELD_RULES } from './hpcc/validate.js';
import { NSCC_FIELD_RULES } from './nscc/validate.js';
import { RCCC_FIELD_RULES } from './rccc/validate.js';
import { SWIFT_FIELD_RULES } from './swift/validate.js';
import { TIMELY_FIELD_RULES } from './timely/validate.js';

export const PARAMETER_RULES: Readonly<Record<string, Readonly<Record<string, FieldRule>>>> = {
  dcqcn: DCQCN_FIELD_RULES,
  dctcp: DCTCP_FIELD_RULES,
  hpcc: HPCC_FIELD_RULES,
  'hpcc-pint': HPCC_PINT_FIELD_RULES,
  'hpcc-pp': HPCC_PP_FIELD_RULES,
  nscc: NSCC_FIELD_RULES,
  rccc: RCCC_FIELD_RULES,
  swift: SWIFT_FIELD_RULES,
  timely: TIMELY_FIELD_RULES,
};
