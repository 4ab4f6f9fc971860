import type { RecordFile } from './records.mjs';

/** The kernel's side of a file of tables. */
export declare function kernelFile(file: RecordFile): string;
