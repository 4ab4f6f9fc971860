/**
 * roce-cc/algorithm: congestion control of one's own, as handlers in JavaScript or as a WebAssembly module, for the engine and the
 * simulator.
 */
export { declarationFromJson } from './declaration-from-json.js';
export { defineAlgorithm, type AlgorithmDefinition, type ModuleDefinition } from './define-algorithm.js';
export type { AckEvent, CnpEvent, CustomQp, Handlers, HopsOfEvent, LossEvent, SentEvent, StateList,
  TimerEvent } from './events.js';
export { CustomAlgorithm, type CustomOptions, type HandlerName } from '../config/algorithms/custom/custom-algorithm.js';
export type { CommonParameters, CustomName, CustomParameters } from '../config/algorithms/custom/custom-parameters.js';
export type { AlgorithmDeclaration, ByParameters, NetworkOfFlows, Pacing, ParameterDeclaration, ParameterDeclarations,
  ParameterValue, ParameterValues, StateDeclaration, TimerOrder } from '../config/algorithms/custom/declaration.js';
