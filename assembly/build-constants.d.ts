/** Defined by asconfig.json only: this build can trace rate changes (assembly/trace/ring.ts). */
declare const ROCE_TRACE: i32;
