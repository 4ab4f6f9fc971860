/** Errors for handlers that threw an exception. */
import { CALL_DEPTH_MAX, FUEL_EXHAUSTED, FUEL_STACK_OVERFLOW, FUEL_TOO_DEEP } from './module/abi.js';

/** Why a module's meter ended a call. */
const METERED: Readonly<Record<number, string>> = {
  [FUEL_EXHAUSTED]: 'has exhausted its budget of loop iterations and calls for one event',
  [FUEL_TOO_DEEP]: `has nested more than ${CALL_DEPTH_MAX} calls`,
  [FUEL_STACK_OVERFLOW]: 'has overflowed its stack',
};

/** An algorithm or a congestion point. */
interface Defined {
  readonly name: string;
  readonly code: { readonly kind: 'handlers' | 'module' };
}

/** The error for a handler that threw, or a module that trapped. @param fuel of a module: FUEL_* of its last call. */
export function thrownFault({ name, code }: Defined, fuel: (() => number) | undefined,
  error: unknown): { readonly what: string; readonly problem: string; readonly got?: unknown } {
  const what = `the handler of ${name}`;
  const metered = METERED[fuel?.() ?? 0];
  if (metered !== undefined) return { what, problem: metered };
  const text = error instanceof Error ? error.message : String(error);
  return { what, problem: code.kind === 'module' ? `has trapped: ${text}` : `has thrown: ${text}` };
}
