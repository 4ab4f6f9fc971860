/** Prints each run and writes its files as soon as it is done. */
import { resultJsonParts } from '../../sim/files/result-json.js';
import { PHASES, type Phase } from '../../sim/steps.js';
import { US_PER_MS } from '../../units.js';
import { describeError } from '../describe-error.js';
import { formatCount, formatPlain } from '../../view/format.js';
import { keepUnshown, type Warn } from '../write-file.js';
import { type Output, writeOutOr } from '../output.js';
import { printableJson } from '../printable.js';
import { inLocale, textStyle } from '../terminal.js';
import type { LoadedScenario } from './load-scenario.js';
import { renderEnd, renderRun, renderRuns, type WrittenFile } from './report-text.js';
import type { Outcome } from './run-all.js';
import { filesOf, isSilent, STANDARD_OUTPUT, type Job, type RunFlags } from './run-job.js';
import { writeRunFiles } from './write-files.js';

/** Collects finished runs: writes their files, and prints each run, or all of them at the end. */
export class ShownRuns {
  readonly #scenarios: readonly LoadedScenario[];
  readonly #job: Job;
  readonly #flags: RunFlags;
  readonly #output: Output;
  readonly #warn: Warn;
  readonly #outcomes: Outcome[] = [];
  readonly #files: WrittenFile[] = [];
  #hasFailed = false;

  constructor(scenarios: readonly LoadedScenario[], job: Job, flags: RunFlags, output: Output, warn: Warn) {
    this.#scenarios = scenarios;
    this.#job = job;
    this.#flags = flags;
    this.#output = output;
    this.#warn = warn;
  }

  /** Whether all output on the runs so far has been printed and written. */
  get isAllOut(): boolean {
    return this.#outcomes.length === 0 || (!this.#job.isCompared && this.#job.report === undefined);
  }

  async add(outcome: Outcome): Promise<void> {
    this.#outcomes.push(outcome);
    this.#files.push(...writeRunFiles(outcome, this.#scenarios.length, filesOf(this.#flags), this.#warn));
    if (this.#flags.profile === true) this.#output.stderr.write(profileText(outcome));
    if (this.#flags.json === STANDARD_OUTPUT) {
      await this.#writeResult(outcome);
    } else if (!isSilent(this.#flags) && !this.#job.isCompared) {
      await this.#show(renderRun(outcome, this.#outcomes.length === 1, textStyle(this.#output)), [outcome]);
    }
  }

  /** @param report the report on all runs, if one was written; `skipped`: scenarios that were not run. */
  async finish(report: readonly WrittenFile[], skipped: readonly string[]): Promise<void> {
    if (isSilent(this.#flags)) return;
    const program = process.env.npm_lifecycle_event === 'start' ? 'npm start --' : 'roce-cc';
    const { isMain, isCompared } = this.#job;
    const hints = isMain ? [`Your own: ${program} run FILE.json   Options: ${program} run --help`] : [];
    const all = { outcomes: this.#outcomes, skipped, files: [...this.#files, ...report], hints };
    const style = textStyle(this.#output);
    if (isCompared) await this.#show(renderRuns({ ...all, isShort: isMain }, style), this.#outcomes);
    else await this.#show(renderEnd(all, style), []);
  }

  async #show(text: string, outcomes: readonly Outcome[]): Promise<void> {
    await this.#write(inLocale(text, this.#output.env), outcomes);
  }

  /** Writes in parts, because the whole may exceed the maximum length of a string. */
  async #writeResult(outcome: Outcome): Promise<void> {
    for (const part of resultJsonParts(outcome.result)) {
      if (!(await this.#write(printableJson(part), [outcome]))) return;
    }
  }

  /**
   * Writes to standard output; returns whether that succeeded. If not, the results go to spare files, unless they are
   * in files already.
   */
  #write(text: string, outcomes: readonly Outcome[]): Promise<boolean> {
    return writeOutOr(this.#output.stdout, text, (error) => {
      const files = this.#files.filter(({ what }) => what === 'result').map(({ file }) => file);
      if (files.length > 0 && outcomes.length > 0)
        this.#warn(`${describeError(error)}; the results are in ${files.join(', ')}`);
      else if (outcomes.length === 0 && !this.#hasFailed) this.#warn(describeError(error));
      else for (const { result } of outcomes)
          keepUnshown(error, 'result.json', resultJsonParts(result), this.#warn);
      this.#hasFailed = true;
    });
  }
}

/** Meanings of the phases, for `--profile`. */
const MEANINGS: Readonly<Record<Phase, string>> = {
  validate: 'the scenario is checked, and its flows are made',
  compile: 'paths, parameters, ideal times',
  plan: "the kernel's memory is laid out and filled",
  kernel: 'the network runs',
  sample: 'queues, rates and fairness over time',
  result: 'counters are read, percentiles taken',
  hash: "the result's fingerprint",
};

/** A table with a line for each phase, for the total and for the time outside the kernel, and the kernel's speed. */
function profileText({ scenario, result, phases }: Outcome): string {
  const { totalMs } = phases;
  const allMs = PHASES.reduce((sum, phase) => sum + totalMs[phase], 0);
  const flows = Math.max(1, result.flows.length);
  const hopsPerUs = totalMs.kernel > 0 ? result.packetHops / (totalMs.kernel * US_PER_MS) : 0;
  const kernelShare = allMs > 0 ? (100 * totalMs.kernel) / allMs : 0;
  const line = (name: string, ms: number, words: string): string =>
    `  ${name.padEnd(14)}${ms.toFixed(1).padStart(10)} ms${perFlow(ms, flows).padStart(12)} µs per flow   ${words}`;
  return [
    `Profile of ${scenario.name}: ${formatCount(flows)} flows, ${formatCount(result.packetHops)} packet hops`,
    ...PHASES.map((phase) => line(phase, totalMs[phase], MEANINGS[phase])),
    line('all', allMs, `the kernel is ${kernelShare.toFixed(0)} % of it`),
    line('outside kernel', allMs - totalMs.kernel, 'all but the kernel'),
    `In the kernel: ${formatPlain(Number(hopsPerUs.toPrecision(3)))} million packet hops per second`,
    '',
  ].join('\n');
}

function perFlow(ms: number, flows: number): string {
  return ((ms * US_PER_MS) / flows).toFixed(3);
}
