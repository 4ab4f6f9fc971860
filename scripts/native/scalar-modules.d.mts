/** Absolute paths of the modules without SIMD. */
export const ENGINE_SCALAR_FILE: string;
export const SIM_SCALAR_FILE: string;
/** Compiles both, unless that was done for the present sources. */
export function ensureScalarModules(): Promise<void>;
