/** The outcome of each runtime as a line of a table. */
import { plan } from './plan.js';
import type { Facts } from './probe.js';
import type { RuntimeKind } from './runtimes.js';

export type Row = { readonly name: string; readonly note: string } | {
  readonly name: string;
  readonly version: string;
  readonly kind: RuntimeKind;
  readonly facts: Facts;
  readonly seconds: number;
};

const HEAD = ['runtime', 'version', 'imports', 'state mixed', ...plan.scenarios, 'custom', 'replay', 'CLI', 'seconds'];

export function tableOf(rows: readonly Row[]): string {
  const lines = [HEAD, ...rows.map(cellsOf)];
  const widths = HEAD.map((_, column) =>
    Math.max(...lines.map((line) => (line.length > 2 ? line[column]?.length ?? 0 : 0)))
  );
  return lines.map((line) => line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ').trimEnd()).join(
    '\n',
  );
}

function cellsOf(row: Row): readonly string[] {
  if ('note' in row) return [row.name, row.note];
  const { name, version, kind, facts, seconds } = row;
  const imports = Object.keys(facts).filter((fact) => /^(import|compile) /.test(fact)).length;
  const results = plan.scenarios.map((file) => facts[`result ${file}`] ?? '-');
  const cli = kind === 'process' ? Object.keys(facts).filter((fact) => fact.startsWith('cli ')).length : '-';
  return [
    name,
    version,
    String(imports),
    facts['state mixed'] ?? '-',
    ...results,
    facts['custom JavaScript'] === facts['custom WebAssembly'] ? facts['custom WebAssembly'] ?? '-' : 'differ',
    facts['replay'] ?? '-',
    String(cli),
    seconds.toFixed(1),
  ];
}
