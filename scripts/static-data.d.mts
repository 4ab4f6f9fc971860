/** Fails the compilation of a module whose static data passes FIXED_END (src/abi/layout.ts). */
export declare class StaticDataCheck {
  afterCompile(module: unknown): void;
}
