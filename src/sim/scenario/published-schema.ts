/** The published schema of scenarios. */
import { jsonSchema } from './schema.js';

/** JSON schema (draft 2020-12) of a scenario; the same as docs/scenario.schema.json. */
export const SCENARIO_SCHEMA: Readonly<Record<string, unknown>> = jsonSchema();
