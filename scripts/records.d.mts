export interface FieldEntry {
  readonly name: string;
  readonly comment: readonly string[];
  /** Type of a number, name of a record's class, or `free`. */
  readonly type: string;
  readonly count: number;
  readonly offset: number;
  readonly bytes: number;
  readonly align: number;
  readonly isArray: boolean;
}

export interface RecordEntry {
  readonly constant: string;
  readonly name: string;
  readonly comment: readonly string[];
  readonly bytes: number;
  readonly fields: readonly FieldEntry[];
  /** The class that its own extends; then only its own fields are listed. */
  readonly base: string | undefined;
}

export interface SlotsEntry {
  readonly constant: string;
  readonly name: string;
  readonly comment: readonly string[];
  readonly type: string;
  readonly count: number;
  readonly entries: readonly { readonly name: string; readonly comment: readonly string[]; readonly index: number }[];
}

export interface CodeEntry {
  readonly constant: string;
  readonly comment: readonly string[];
  readonly value: number;
}

export interface RecordFile {
  readonly file: string;
  readonly comment: readonly string[];
  readonly records: readonly RecordEntry[];
  readonly slots: readonly SlotsEntry[];
  readonly codes: readonly CodeEntry[];
}

/** The tables of src/abi/records, by file. */
export declare function recordFiles(): Promise<readonly RecordFile[]>;

/** @throws Error naming a table whose fields are not aligned, do not add up or are not where its rules want them. */
export declare function checkTable(table: object): void;

/** `xoffBytes` is `XOFF_BYTES`. */
export declare function upperSnake(name: string): string;
