/** Compiles scenarios: in one call, in steps, or so that flows can be added later. */
import { checkRecord } from '../../config/field-rules.js';
import { compileDiscovered } from '../features/discovery/discover.js';
import type { FlowPlan } from '../plan.js';
import { atOnce, type Steps } from '../steps.js';
import { rejectScenario } from '../scenario/scenario-error.js';
import type { KernelScenario, ValidScenario } from '../scenario/valid-scenario.js';
import type { WorkloadFlow } from '../workload/workload-flows.js';
import { compileContextOf } from './compile-context.js';
import type { CompiledScenario } from './compiled-scenario.js';
import { Compiler } from './compiler.js';
import { buildGraph, routeSteps } from './routes.js';
import { requireRoomForRoutes } from './estimates.js';

export type { CompiledScenario };

/**
 * Compiles a scenario.
 *
 * @throws RoceError `invalid-scenario`: a flow without a path, more than 16 parameter sets, a bad parameter, too little memory,
 * or fidelity `reference-uet`, whose network is built by uet.wasm.
 */
export function compileScenario(valid: ValidScenario): CompiledScenario {
  checkRecord(valid, 'valid');
  return compileDiscovered(kernelScenario(valid), (one) => atOnce(stepsOf(one)));
}

/** Like `compileScenario`, but in steps. Discovery, which compiles twice, is one step. @throws as `compileScenario`. */
export function compileSteps(valid: ValidScenario): Steps<CompiledScenario> {
  return valid.discovery === null ? stepsOf(kernelScenario(valid)) : oneStep(() => compileScenario(valid));
}

/** A compiled scenario, and a function that compiles further flows one by one. */
export interface OpenScenario {
  readonly compiled: CompiledScenario;
  /** Compiles one more flow, which replaces flow `index`. @throws RoceError `invalid-scenario` as `compileScenario`. */
  readonly compileFlow: (flow: WorkloadFlow, index: number) => FlowPlan;
}

/** Compiles a scenario to which flows will be added. @throws as `compileScenario`. */
export function compileOpen(given: ValidScenario): OpenScenario {
  const valid = kernelScenario(given);
  requireRoomForRoutes(valid);
  const graph = buildGraph(valid.network);
  const routes = atOnce(routeSteps(graph, valid.fidelity));
  const compiler = new Compiler(valid, atOnce(compileContextOf(valid, graph, routes)));
  const compiled = atOnce(compiler.steps());
  return { compiled, compileFlow: (flow, index) => compiler.added(flow, index) };
}

function* oneStep<Made>(work: () => Made): Steps<Made> {
  return work();
}

function kernelScenario(valid: ValidScenario): KernelScenario {
  if (isKernelScenario(valid)) return valid;
  return rejectScenario({
    what: 'a scenario of fidelity reference-uet',
    problem: 'has no compiled form',
    where: 'fidelity',
    hint: 'roce-cc run, runScenario, runScenarioSync and simulate run it',
  });
}

function isKernelScenario(valid: ValidScenario): valid is KernelScenario {
  return valid.fidelity !== 'reference-uet';
}

function* stepsOf(valid: KernelScenario): Steps<CompiledScenario> {
  const { network, fidelity } = valid;
  requireRoomForRoutes(valid);
  const graph = buildGraph(network);
  yield;
  const routes = yield* routeSteps(graph, fidelity);
  yield;
  return yield* new Compiler(valid, yield* compileContextOf(valid, graph, routes)).steps();
}
