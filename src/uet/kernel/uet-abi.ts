/** The exports of uet.wasm (assembly/uet.ts). Numbers in, numbers out; records: src/abi/records/uet-*.ts. */

/** @internal */
export interface UetAbi {
  readonly memory: WebAssembly.Memory;
  /** Address of the record of the run. */
  uetRunAt(): number;
  /** Lays out the tables according to the counts in the record of the run. */
  initialise(): void;
  /** Runs until no event is left. */
  uetRun(): void;
}
