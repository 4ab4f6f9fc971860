/**
 * Types of the classic script `roce-cc/browser/roce-cc.js`, which sets one global. TypeScript knows it by
 * `/// <reference types="roce-cc/browser/roce-cc.js" />`, or with that name in `compilerOptions.types`.
 *
 * @packageDocumentation
 */
import type * as Library from '../index.js';

declare global {
  /** All exports of `roce-cc`. */
  const roceCc: typeof Library;
}
