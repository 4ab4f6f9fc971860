/** build/sim-trace.wasm. */
export declare const SIM_TRACE_FILE: string;
/** Compiles it, unless that was done for the present sources. */
export declare function ensureSimTrace(): Promise<void>;
