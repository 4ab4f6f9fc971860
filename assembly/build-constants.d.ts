/** Defined by asconfig.json only: this build can trace rate changes (assembly/trace/ring.ts). */
declare const ROCE_TRACE: i32;
/** Not defined in the builds for hosts without SIMD (assembly/memory/lanes.ts). */
declare const ROCE_SIMD: i32;
/** Not defined in the engine of DCQCN alone, which has no acknowledgements. */
declare const ROCE_ACKS: i32;
