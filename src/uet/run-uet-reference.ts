/** Reproduces runs of `htsim_uec`: takes its arguments and files, returns the results of its flows. */
import { checkRecord, reject } from '../config/field-rules.js';
import { TopologyLines } from '../workloads/htsim/topology-lines.js';
import { readUetArguments, type UetOptions } from './arguments.js';
import { fatTreeOfFile, fatTreeOfOptions, type FatTree } from './fat-tree.js';
import { rejectUet } from './rejections.js';
import { runKernel } from './kernel/run-kernel.js';
import type { UetResult } from './results.js';
import type { UetTrace } from './run-context.js';
import { uetResult, Simulation } from './simulation.js';
import { readTraffic, type UetTraffic } from './traffic.js';

/** Implementation that executes a run. */
export type UetImplementation = (typeof IMPLEMENTATIONS)[number];

const IMPLEMENTATIONS = ['kernel', 'model'] as const;

/** Options of a run, in addition to the program's arguments. */
export interface UetRunOptions {
  /** Receives each event in order. Requires the readable model, and slows it down. */
  readonly trace?: UetTrace;
  /**
   * `kernel`, the default: the WebAssembly kernel; `model`: the readable TypeScript model, the default with a trace and about
   * ten times slower. Both give the same numbers.
   */
  readonly implementation?: UetImplementation;
}

/**
 * Reproduces a run of `htsim_uec` (uet-htsim) to the picosecond: NSCC, RCCC, trimming, path selection.
 * @param argv arguments of the program, such as `['-tm', 'conn.cm', '-topo', 'topo.topo', '-end', '2000']`.
 * @param readFile returns the text of a file that the arguments name.
 * @returns times in picoseconds, sizes in bytes.
 * @throws RoceError `invalid-scenario` for an unsupported argument or topology; `invalid-workload` for a bad file;
 *   `invalid-config` for a parameter of the wrong type;
 *   `capacity` if the run needs more memory than available.
 * @example
 * const { flows, totals } = runUetReference(['-tm', 'conn.cm', '-nodes', '16'], (name) => files[name]);
 */
export function runUetReference(argv: readonly string[], readFile: (name: string) => string,
  options: UetRunOptions = {}): UetResult {
  checkCall(argv, readFile, options);
  return runOf(readUetArguments(argv), (name) => textOf(readFile(name), name), options);
}

/** Results and cost of a run. */
export interface UetRun extends UetResult {
  /** Transmissions by all ports, including those of NICs. */
  readonly packetHops: number;
  /** Events handled. */
  readonly events: number;
}

/**
 * Runs scenarios of fidelity `reference-uet`: pass it to `runScenario` and similar functions as the option `uetReference`. It
 * runs the kernel of `runUetReference` and also returns the cost of the run.
 * @param argv as for `runUetReference`.
 * @param readFile returns the text of a file that the arguments name.
 * @throws RoceError like `runUetReference`.
 * @example
 * const result = runScenarioSync(scenario, { uetReference });
 */
export function uetReference(argv: readonly string[], readFile: (name: string) => string): UetRun {
  checkCall(argv, readFile, {});
  const options = readUetArguments(argv);
  const { result, packetHops, events } = runKernel(options,
    ...inputsOf(options, (name) => textOf(readFile(name), name)));
  return { ...result, packetHops, events };
}

function checkCall(argv: unknown, readFile: unknown, options: unknown): void {
  if (!Array.isArray(argv)) reject({ got: argv, allowed: 'a list of texts', where: 'argv' });
  argv.forEach((word: unknown, at) => {
    if (typeof word !== 'string') reject({ got: word, allowed: 'a text', where: `argv[${at}]` });
  });
  if (typeof readFile !== 'function') reject({ got: readFile, allowed: 'a function', where: 'readFile' });
  const { trace, implementation } = checkRecord(options, 'options');
  if (trace !== undefined && typeof trace !== 'function') {
    reject({ got: trace, allowed: 'a function', where: 'options.trace' });
  }
  const allowed = trace === undefined ? IMPLEMENTATIONS : ['model'];
  if (implementation !== undefined && !allowed.includes(implementation as UetImplementation)) {
    const hint = trace === undefined ? {} : { hint: 'The kernel does not trace' };
    reject({ got: implementation, allowed, where: 'options.implementation', ...hint });
  }
}

function textOf(text: unknown, name: string): string {
  if (typeof text === 'string') return text;
  return reject({ what: `the text of ${name}`, got: text, allowed: 'a text', where: 'readFile' });
}

function runOf(options: UetOptions, readFile: (name: string) => string,
  { trace, implementation = trace === undefined ? 'kernel' : 'model' }: UetRunOptions): UetResult {
  const [tree, traffic] = inputsOf(options, readFile);
  if (implementation === 'kernel') return runKernel(options, tree, traffic).result;
  const simulation = new Simulation(options, tree, traffic, trace);
  simulation.run();
  return uetResult(simulation);
}

function inputsOf(options: UetOptions, readFile: (name: string) => string): [FatTree, UetTraffic] {
  const tree = treeOf(options, readFile);
  const traffic = readTraffic(readFile(options.matrixFile), options.matrixFile, options.isMessages);
  if (traffic.nodes > tree.hosts) {
    rejectUet({ what: 'Nodes', got: traffic.nodes, allowed: `up to ${tree.hosts}`, where: options.matrixFile });
  }
  return [tree, traffic];
}

function treeOf(options: UetOptions, readFile: (name: string) => string): FatTree {
  const { topologyFile, nodes = 0 } = options;
  if (topologyFile === undefined) return fatTreeOfOptions({ ...options, nodes });
  const lines = new TopologyLines(topologyFile);
  for (const line of readFile(topologyFile).split('\n')) lines.read(line);
  return fatTreeOfFile(lines.finish(), topologyFile);
}
