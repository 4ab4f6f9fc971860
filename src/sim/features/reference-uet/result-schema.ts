/** What uet-htsim counts beyond other fidelities, by the names of its columns (docs/specs/uet-reference.md). */
import * as z from 'zod';
import { typeOf } from '../../result-schema/parts.js';

const numbersByName = (): z.ZodRecord<z.ZodString, z.ZodNumber> => z.record(z.string(), z.number());

export const UET_RESULT = typeOf('UetResult', '../uet/results.js', z.object({
  flows: z.array(numbersByName()),
  messages: z.array(numbersByName()),
  totals: numbersByName(),
  packets: numbersByName(),
}))
  .describe(
    'Under reference-uet: flows and totals with all columns of the program, from which uet-flows.csv is made. Absent: it is another fidelity.',
  );
