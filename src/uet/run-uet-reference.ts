/** Runs `htsim_uec` as a model: its arguments and files in, the results of its flows out. */
import { checkRecord, reject } from '../config/field-rules.js';
import { TopologyLines } from '../workloads/htsim/topology-lines.js';
import { readUetArguments } from './arguments.js';
import { fatTreeOfFile, fatTreeOfOptions, type FatTree } from './fat-tree.js';
import type { UetOptions } from './options.js';
import { rejectUet } from './reject.js';
import { runKernel } from './kernel/run-kernel.js';
import type { UetResult } from './results.js';
import type { UetTrace } from './run-context.js';
import { uetResult } from './simulation-results.js';
import { Simulation } from './simulation.js';
import { readTraffic, type UetTraffic } from './traffic.js';

/** What runs a run of the UET reference. */
export type UetImplementation = (typeof IMPLEMENTATIONS)[number];

const IMPLEMENTATIONS = ['kernel', 'model'] as const;

/** What a run of the UET reference takes in addition to its arguments. */
export interface UetRunOptions {
  /** Receives each event in order; it costs time, and takes the readable model. */
  readonly trace?: UetTrace;
  /**
   * `kernel`, the default: the WebAssembly kernel; `model`: the readable model in TypeScript, the default with a trace, and some ten times slower.
   * Both give the same numbers.
   */
  readonly implementation?: UetImplementation;
}

/**
 * Simulates what `htsim_uec` of uet-htsim simulates for these arguments, to the picosecond: NSCC, RCCC, trimming, path
 * selection.
 * @param argv arguments of the program, such as `['-tm', 'conn.cm', '-topo', 'topo.topo', '-end', '2000']`.
 * @param readFile the text of a file that they name.
 * @returns times in picoseconds, sizes in bytes.
 * @throws RoceError `invalid-scenario`: an argument or a topology that is not reproduced; `invalid-workload`: a file;
 *   `invalid-config`: what is passed is of another type;
 *   `capacity`: the run needs more memory than there is.
 * @example
 * const { flows, totals } = runUetReference(['-tm', 'conn.cm', '-nodes', '16'], (name) => files[name]);
 */
export function runUetReference(argv: readonly string[], readFile: (name: string) => string,
  options: UetRunOptions = {}): UetResult {
  checkCall(argv, readFile, options);
  return runOf(readUetArguments(argv), (name) => textOf(readFile(name), name), options);
}

/** What a run gives, and what it took. */
export interface UetRun extends UetResult {
  /** Transmissions by any port, those of NICs too. */
  readonly packetHops: number;
  /** Events handled. */
  readonly events: number;
}

/**
 * Runs scenarios of fidelity `reference-uet`: `runScenario` and its like take it as their option `uetReference`. It is the kernel of
 * `runUetReference`, with what the run took.
 * @param argv as of `runUetReference`.
 * @param readFile the text of a file that they name.
 * @throws RoceError as `runUetReference`.
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
