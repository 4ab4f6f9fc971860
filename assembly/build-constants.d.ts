/** Defined only by asconfig.json, in builds that can trace rate changes (assembly/trace/ring.ts). */
declare const ROCE_TRACE: i32;
/** Not defined in builds for hosts without SIMD (assembly/memory/lanes.ts). */
declare const ROCE_SIMD: i32;
/** Not defined in the DCQCN-only engine, which does not handle ACKs. */
declare const ROCE_ACKS: i32;
