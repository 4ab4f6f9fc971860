/**
 * roce-cc/algorithm: your own congestion control for engine and simulator, as JavaScript handlers or as a WebAssembly
 * module.
 */
export { declarationFromJson } from './declaration-from-json.js';
export { defineAlgorithm, type AlgorithmDefinition, type ModuleDefinition } from './define-algorithm.js';
export { defineCongestionPoint, type CongestionPointDefinition,
  type CongestionPointModule } from './congestion-point/define-congestion-point.js';
export type { PointHandlers, PointPacket, PointPort } from './congestion-point/define-congestion-point.js';
export { CustomCongestionPoint, type PointHandlerName } from '../config/custom-congestion-point.js';
export type { CongestionPointDeclaration, SettingsOfSwitch } from '../config/custom-congestion-point.js';
export type { AckEvent, CnpEvent, CustomQp, Handlers, HopsOfEvent, LossEvent, NackEvent, SentEvent, StateList,
  TimerEvent } from './events.js';
export { CustomAlgorithm, type CustomOptions, type HandlerName } from '../config/algorithms/custom/custom-algorithm.js';
export type { CommonParameters, CustomName, CustomParameters } from '../config/algorithms/custom/custom-parameters.js';
export type { AlgorithmDeclaration, ByParameters, NetworkOfFlows, Pacing, ParameterDeclaration, ParameterDeclarations,
  ParameterValue, ParameterValues, StateDeclaration, TimerOrder } from '../config/algorithms/custom/declaration.js';
