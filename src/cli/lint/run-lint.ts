/** Runs `roce-cc lint`, which prints findings on a file. */
import type { NoteRecord } from '../../note-record.js';
import { Failures, EXIT_FINDINGS, EXIT_OK, type Output, writeOutOr } from '../output.js';
import { keepUnshown } from '../write-file.js';
import { printableJson } from '../printable.js';
import { inLocale, textStyle, heading, notesSection, wrap, type TextStyle } from '../terminal.js';
import { formatCountOf } from '../../view/format.js';
import { type LintFlags, lintInput, type LintReport, type ShownFinding } from './lint-input.js';
import { readLintInput } from './read-input.js';

const INDENT = 2;

/**
 * Prints findings.
 *
 * @returns 3 if one of them is an error, otherwise 0.
 * @throws RoceError naming file, hop and setting; system errors.
 */
export async function runLint(file: string, flags: LintFlags, output: Output): Promise<number> {
  const { lineRate: lineRateBps, device, port } = flags;
  const report = await lintInput(await readLintInput(file, { lineRateBps, device, port }), flags);
  const shown = flags.json === true ?
    printableJson(`${JSON.stringify(report, undefined, INDENT)}\n`) :
    inLocale(`${reportLines(file, report, textStyle(output)).join('\n')}\n`, output.env);
  const failures = new Failures();
  await writeOutOr(output.stdout, shown, (error) => {
    keepUnshown(error, `lint.${flags.json === true ? 'json' : 'txt'}`, shown, failures.add);
  });
  const hasErrors = report.findings.some(({ severity }) => severity === 'error');
  return failures.report(output) || (hasErrors ? EXIT_FINDINGS : EXIT_OK);
}

/** Order of the report: most severe first, then along the path. */
const SEVERITIES: readonly ShownFinding['severity'][] = ['error', 'warning', 'info'];

function reportLines(file: string, report: LintReport, style: TextStyle): string[] {
  const { findings, warnings, notes } = report;
  const [, ...title] = heading(`roce-cc lint: ${file === '-' ? 'standard input' : file}`, style);
  return [
    ...title,
    ...wrap(`${summaryOf(findings, warnings)}.`, style),
    ...SEVERITIES.flatMap((of) => findings.filter(({ severity }) => severity === of))
      .flatMap((finding) => findingLines(finding, style)),
    ...notesSection('Warnings about the files', warnings, style),
    ...notesSection('What was assumed', notes, style),
  ];
}

function summaryOf(findings: readonly ShownFinding[], warnings: readonly NoteRecord[]): string {
  if (findings.length + warnings.length === 0) return 'Nothing found: the settings fit together';
  const count = (severity: ShownFinding['severity']): number =>
    findings.filter((finding) => finding.severity === severity).length;
  const remarks = count('info');
  return [
    formatCountOf(count('error'), 'error'),
    formatCountOf(count('warning') + warnings.length, 'warning'),
    ...(remarks === 0 ? [] : [formatCountOf(remarks, 'remark')]),
  ].join(', ');
}

function findingLines({ severity, rule, place, flow, message, got, expected, advice, setting, source }: ShownFinding,
  style: TextStyle): string[] {
  const about = { data: 'RoCE data', cnp: 'CNPs', port: 'all traffic' }[flow];
  return [
    ...heading(`${severity}: ${rule}, ${place}, ${about}`, style),
    ...wrap(`Found: ${message}; got ${got}, expected ${expected}.`, style),
    ...wrap(advice, style),
    ...(setting === null ? [] : wrap(`Set by: ${setting}.`, style)),
    ...wrap(`Source: ${source}.`, style),
  ];
}
