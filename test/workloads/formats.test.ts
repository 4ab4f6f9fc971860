/** Each format of workloads is declared once; options, settings, pages and the lab are derived from it. */
import { readdirSync, readFileSync } from 'node:fs';
import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { defineRun } from '../../src/cli/run/command.js';
import { scenarioOfFile } from '../../src/sim/features/jobs/job-scenarios.js';
import { SETTINGS_OF_FORMAT } from '../../src/sim/features/jobs/schema.js';
import { runScenarioSync } from '../../src/sim/index.js';
import { FORMAT_TABLES } from '../../src/workloads/format-tables.js';
import { formatOfFile, JOB_FORMAT_NAMES, JOB_FORMATS } from '../../src/workloads/job-formats.js';
import { FILE_READERS } from '../../src/workloads/job-readers.js';

const ROOT = new URL('../../', import.meta.url);
const SAMPLES = new URL('samples/', import.meta.url);
const textOf = (file: string): string => readFileSync(new URL(file, ROOT), 'utf8');

/** The first sample of each file extension. */
const SAMPLES_BY_ENDING = Object.values(JOB_FORMATS).flatMap(({ endings }) => endings).map((ending) => {
  const file = (readdirSync(SAMPLES, { recursive: true }) as string[]).sort().find((name) =>
    name.endsWith(ending) && !name.startsWith('malformed')
  );
  return [ending, file] as const;
});

describe('each format', () => {
  const command = new Command();
  defineRun(command, { output: process, version: '', finish: () => undefined });
  const help = command.helpInformation();

  it.each(JOB_FORMAT_NAMES)('has an option, a table and a guide: %s', (format) => {
    const { argument, help: meaning } = JOB_FORMATS[format];
    expect(help).toContain(`--${format} ${argument}`);
    expect(help.replaceAll(/\s+/g, ' ')).toContain(meaning);
    expect(FORMAT_TABLES.map((table) => table.format)).toContain(format);
    expect(textOf('docs/guides/workloads.md')).toContain(`--${format} `);
    expect(textOf('docs/reference/settings.md')).toContain(`\`${format}\``);
  });

  it('has unique file extensions', () => {
    const endings = Object.values(JOB_FORMATS).flatMap((format) => format.endings);
    expect(new Set(endings).size).toBe(endings.length);
    expect(Object.keys(FILE_READERS).sort()).toEqual(
      JOB_FORMAT_NAMES.filter((format) => JOB_FORMATS[format].endings.length > 0).sort(),
    );
  });

  it('is named in the descriptions of its settings', () => {
    for (const [format, settings] of Object.entries(SETTINGS_OF_FORMAT)) {
      for (const [key, { description }] of Object.entries(settings))
        expect(description, key).toMatch(new RegExp(`^Of ${format}: `));
    }
  });

  it.each(SAMPLES_BY_ENDING)('of one file is recognized by its name, read and run: %s', async (_, file) => {
    const format = formatOfFile(`${file}.gz`)!;
    const bytes = readFileSync(new URL(file!, SAMPLES));
    const graph = await FILE_READERS[format](bytes, { format, file: file!, gpus: 8 }, 'rejected');
    const spec = scenarioOfFile({ format, file: file! }, graph);
    expect(runScenarioSync(spec, { graphs: { [file!]: graph } }).ended).toBe('all-flows-done');
  });

  it('is undefined for other names', () => {
    expect(['trace.0.et', 'a.pcap', 'goal', 'flows.csv'].map(formatOfFile)).toEqual(Array(4).fill(undefined));
  });
});
