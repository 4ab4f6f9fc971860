/** Samples of workloads and their expected values: test/workloads/samples/README.md. */
import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';

const FOLDER = new URL('../../workloads/samples/', import.meta.url);

export type Row = Readonly<Record<string, string>>;

export function sampleFile(name: string): URL {
  return new URL(name, FOLDER);
}

export function sampleBytes(name: string): Uint8Array {
  return readFileSync(sampleFile(name));
}

export function sampleText(name: string): string {
  return readFileSync(sampleFile(name), 'utf8');
}

export function rowsOf(table: string): Row[] {
  return parse(readFileSync(sampleFile(table), 'utf8'), { columns: true }) as Row[];
}

/** The number in a column. */
export function numberOf(row: Row, column: string): number {
  return Number(row[column]);
}
