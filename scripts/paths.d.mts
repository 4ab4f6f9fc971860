/** Absolute paths of this repository. */
export declare const ROOT: string;
/** Absolute path of something named from the top of the repository. */
export declare function at(...parts: string[]): string;
/** The modules of the package. */
export declare const WASM_FILE: string;
export declare const SIM_WASM_FILE: string;
