/**
 * `roce-cc/sim`: a packet-level simulator of RoCEv2 networks. Scenarios are plain data; a run has the same result in every
 * JavaScript engine.
 *
 * @packageDocumentation
 */
export { runScenario, runScenarioSync, simulate, type RunOptions } from './run/run-scenario.js';
export type { RateSample } from './run/run-records.js';
export type { UetReference } from './features/reference-uet/run.js';
export type { ScenarioRun } from './run/scenario-run.js';
export { SteppedRun } from './run/stepped-run.js';
export { traceRates, type RateTraceOptions } from './trace-rates.js';
export { openSimulation, type Completion, type OpenFlow, type OpenSimulation } from './run/open-simulation.js';
export type { OpenOptions, OpenScenarioSpec } from './run/open-parts.js';
export { nativePlan, openNativePlan } from './native-plan.js';
export { PhaseClock, PHASES, type Phase } from './steps.js';
export { requireMemory } from './compile/estimates.js';
export { compileScenario, type CompiledScenario } from './compile/compile-scenario.js';
export type { RecordPlan } from './compile/compiled-scenario.js';
export { SCENARIO_SCHEMA } from './scenario/published-schema.js';
export type * from './scenario/spec.js';
export type { ValidScenario } from './scenario/valid-scenario.js';
export type { ScenarioFiles } from './scenario/scenario-files.js';
export { parseScenario, validateScenario } from './scenario/validate.js';
export { SIZE_DISTRIBUTION_NAMES, sizePointsOf, readSizePoints } from './workload/size-distributions.js';
export { readReferenceExperiment, type ReferenceExperiment } from './reference-files/reference-scenario.js';
export { simaiScenario, type SimaiParts } from './reference-files/simai-scenario.js';

export { SimKernel, type SampledTotals, type SliceEnd } from './kernel/kernel.js';
export type { AgentControl, MarkingAction, QpAction, RawAgent } from './kernel/agent-control.js';
export type { PortAt, PortSample } from './kernel/port-samples.js';
export type { SampleTimes } from './kernel/kernel-options.js';
export type { PauseChange } from './kernel/read-trace.js';
export { runPlan, type PlanResult } from './kernel/run-plan.js';
export type { RawFlow, RawPort } from './kernel/read-records.js';
export type { RawJob } from './features/jobs/memory.js';
export type * from './plan.js';
export { FlowPlans } from './flow-plans.js';
export { RouteTable, type RouteParts } from './route-table.js';

export { followFlow, followFlowSync } from './flow-path/follow-flow.js';
export type { FlowPath, FlowPathNote, HeldInterval, PacketRoute, PathPort, ResponseKind,
  RouteHop } from './flow-path/flow-path.js';
export { explainResult } from './explain/explain.js';
export type { Explanation, ExplanationCode, ExplanationTopic, Finding, FindingCode, Reason,
  ReasonCode } from './explain/explanation.js';
export type { TextPart } from './explain/text.js';
export type { Note, NoteCode, NoteFigures } from './note.js';
export { csvLine } from './files/csv.js';
export { referenceFctParts, referencePfcParts, referenceQlenParts } from './files/reference-output.js';
export { flowsCsvParts, flowsToCsv, portsToCsv, seriesToCsv, flowPathToCsv, wanToCsv } from './files/result-csv.js';
export type { NoteRecord } from '../note-record.js';
export type { ReferenceNote } from './reference-files/reader-notes.js';
export { PortCapture, type CaptureContext } from './files/capture.js';
export type { CaptureNote } from './files/capture.js';
export { resultToPerfetto } from './files/perfetto.js';
export { parseResultJson, resultJsonParts, resultToJson } from './files/result-json.js';
export { metricOf, METRICS, readMetrics, type Metric, type MetricKey, type MetricUnit } from './metrics.js';
export { jobAlone } from './features/jobs/job-scenarios.js';
export { hashResult, hashScenario, isHashRight } from './results/result-hash.js';
export { SIM_WASM_HASH } from './kernel/wasm-bytes.js';
export type * from './result.js';
