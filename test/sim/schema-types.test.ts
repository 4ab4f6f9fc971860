/** The types of scenarios and results are printed from their schemas (scripts/schema-types.ts). */
import { describe, expect, it } from 'vitest';
import type * as z from 'zod';
import { resultTypes, specTypes } from '../../scripts/schema-types.js';
import type { RESULT_SCHEMA } from '../../src/sim/result-schema/result.js';
import type { SimResult } from '../../src/sim/result.js';
import type { SPEC_SCHEMA } from '../../src/sim/scenario/schema.js';
import type { ScenarioSpec } from '../../src/sim/scenario/spec.js';

type DeepReadonly<T> = T extends object ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> } : T;
/**
 * Whether two types are identical. The bound of a condition is compared for identity, where assigning would allow extra
 * keys.
 */
// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- it makes the compiler compare
type Same<A, B> = (<T>() => T extends DeepReadonly<A> ? 1 : 2) extends <T>() => T extends DeepReadonly<B> ? 1 : 2 ?
  true :
  never;

/**
 * Does not compile if the type that the schema accepts differs from the printed one. Excluded are types that are
 * declared elsewhere and have a looser shape in the schema: the scenario of a result, the figures of notes, and the
 * counters of uet-htsim.
 */
const PRINTED_IS_ACCEPTED: Same<Omit<z.infer<typeof SPEC_SCHEMA>, 'notes'>, Omit<ScenarioSpec, 'notes'>> = true;
const PRINTED_IS_READ: Same<
  Omit<z.infer<typeof RESULT_SCHEMA>, 'scenario' | 'noteRecords' | 'uet'>,
  Omit<SimResult, 'scenario' | 'noteRecords' | 'uet'>
> = true;

const TEXT = specTypes();
/** The declaration of a type with its comment, on one line. */
const declaration = (name: string): string =>
  TEXT.split('\n\n').find((part) => new RegExp(`^export (interface|type) ${name}\\b`, 'm').test(part))
    ?.replaceAll(/\s+(?:\* (?!\/))?/g, ' ') ?? '';

describe('Types of scenarios', () => {
  it('match what the schema accepts', () => {
    expect(PRINTED_IS_ACCEPTED).toBe(true);
  });

  it('state the meaning, range and default of each setting', () => {
    expect(declaration('PoolSpec')).toContain(
      "free bytes; SONiC's egress_lossy_profile has 3. Range -7 to 6. Default 3. */ readonly dynamicTh?: number;",
    );
    expect(declaration('CongaSpec')).toContain('us. Range above 0, at most 1,000,000. Default 160. */');
  });

  it('extend the types with which they share keys', () => {
    expect(declaration('IncastSpec')).toContain('export interface IncastSpec extends WorkloadCommon, OperationSpec {');
    expect(declaration('IncastSpec')).not.toContain('trafficClass');
    expect(declaration('ProgramSpec')).toContain('extends JobCommon, IterationSpec {');
    expect(declaration('JobCommon')).toContain('extends WorkloadCommon, MessageSpec {');
  });

  it('state defaults by fidelity, and none for settings of single hosts', () => {
    expect(declaration('HostSpec')).toContain('Default 1,024; under `reference` 1,000;');
    expect(declaration('HostOverrideSpec')).not.toContain('Default `');
  });

  it('are declared once each', () => {
    const names = [...TEXT.matchAll(/^export (?:interface|type) (\w+)/gm)].map(([, name]) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names.length).toBeGreaterThan(70);
  });
});

describe('Types of results', () => {
  it('match what is read from files', () => {
    expect(PRINTED_IS_READ).toBe(true);
  });

  it('have the type of the scenario, and a description of each member', () => {
    const text = resultTypes();
    expect(text).toContain('/** The scenario as given. */\n  readonly scenario: ScenarioSpec;');
    expect(text).toContain(
      '/** Start to last ACK, of a READ to its last byte; null while unfinished. */\n  readonly completionPs: number | null;',
    );
    expect(text).toContain('Conservation: in = out + in flight + dropped');
  });
});
