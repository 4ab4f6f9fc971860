/** Converts the kernel's counters to a result. */
import type { CompiledScenario } from '../compile/compile-scenario.js';
import type { SimKernel } from '../kernel/kernel.js';
import { failureOf, type RawPort } from '../kernel/read-records.js';
import { note, sentenceOf, type Note } from '../note.js';
import type { FlowResult, PortResult, SimResult, Totals } from '../result.js';
import { deadlockResults, hazardsOfPort, victimOf, equalPathsResults, qpResults,
  wanResults } from '../results/feature-results.js';
import { jobResults } from '../features/jobs/results.js';
import { trimmedOf } from '../features/trimming.js';
import { LOSS_FIGURES, VERB_FIGURES } from '../result-schema/flows.js';
import { hashSteps } from '../results/result-hash.js';
import { summarise } from '../results/summary.js';
import { type Steps, timed, type PhaseClock } from '../steps.js';
import type { RunRecords, Sampler } from './run-records.js';
import { WINDOW_MODE_NONE } from '../../abi/records/network.js';

/** A step takes some milliseconds. */
const FLOWS_PER_STEP = 512;

type Writable<Fields> = { -readonly [Key in keyof Fields]: Fields[Key] };

/** The inputs of a result. */
export interface RunParts {
  readonly compiled: CompiledScenario;
  readonly kernel: SimKernel;
  readonly records: RunRecords;
  readonly sampler: Sampler;
  readonly phases: PhaseClock;
}

/** Makes the result in steps, between which the event loop can do other work. */
export function* resultSteps({ phases, ...parts }: RunParts, ended: SimResult['ended']): Steps<SimResult> {
  const result = yield* timed(phases, 'result', collect(parts, ended));
  yield;
  return { ...result, hash: yield* timed(phases, 'hash', hashSteps(result)) };
}

function* collect({ compiled, kernel, records, sampler }: Omit<RunParts, 'phases'>,
  ended: SimResult['ended']): Steps<Omit<SimResult, 'hash'>> {
  kernel.account();
  const totals = kernel.totals();
  const messageSums = kernel.messageSums();
  const flows = messageSums === undefined ? yield* flowResults(compiled, kernel) : [];
  yield;
  const { hazards, trimming } = kernel;
  const ports = compiled.plan.ports.map((_, index) => ({
    ...portResult(compiled, kernel.port(index), index, kernel.nowPs),
    ...hazardsOfPort(hazards, index),
    ...trimmedOf(trimming[index]),
  }));
  yield;
  const equal = equalPathsResults(compiled.plan, compiled.spec, ports);
  yield;
  const series = sampler.series(ports, compiled.plan.flows.length);
  yield;
  const noteRecords = [...compiled.noteRecords, ...notesOnTimeouts(totals), ...records.notes()];
  const simulatedPs = ended === 'time' ? compiled.plan.endPs : kernel.nowPs;
  return {
    format: 'roce-cc-result-2',
    scenario: compiled.spec,
    fidelity: compiled.plan.fidelity,
    seed: compiled.plan.seed,
    ended,
    simulatedPs,
    events: kernel.events,
    packetHops: kernel.packetHops,
    totals,
    flows,
    ...qpResults(flows),
    ports,
    ...(compiled.discovery === undefined ? {} : { discovery: compiled.discovery.result }),
    ...deadlockResults(compiled, kernel),
    ...wanResults(compiled, kernel),
    ...equal,
    ...jobResults({ ...compiled, flows, ports, series }, kernel, compiled.record.operations),
    ...records.result(kernel.nowPs),
    series,
    summary: summarise({
      flows,
      ...(messageSums === undefined ? {} : { messages: { sums: messageSums, count: compiled.plan.flows.length } }),
      endless: (compiled.plan.jobs ?? []).reduce((sum, job) => sum + job.endless.length, 0),
      ports,
      series,
      equalPaths: equal.equalPaths,
      activePs: simulatedPs - compiled.record.startPs,
    }),
    notes: noteRecords.map(sentenceOf),
    noteRecords,
  };
}

/**
 * A note if timeouts expired although no packet was dropped: unnecessary retransmissions make the network appear worse than it
 * is.
 */
function notesOnTimeouts({ timeouts, packetsDropped }: Totals): Note[] {
  return timeouts === 0 || packetsDropped > 0 ? [] : [note('timeouts-without-loss', { timeouts })];
}

/**
 * The results of flows. Members are copied one by one: an object spread costs ten times as much, and there may be a million
 * flows.
 */
function* flowResults(compiled: CompiledScenario, kernel: SimKernel): Steps<FlowResult[]> {
  const { plan, portNames, algorithmNames, flowAlgorithms, flowPaths } = compiled;
  const { nowPs } = kernel;
  const { flows } = plan;
  const endless = new Set(plan.jobs?.flatMap((job) => job.endless));
  const nodeNames = plan.nodes.map(({ name }) => name);
  const { hazards } = kernel;
  const isSpread = plan.balancing?.rules.some((rule) => rule !== 'ecmp') === true;
  const addMessage = (flow: Writable<FlowResult>, index: number): void => {
    const message = kernel.message(index);
    if (message === undefined) return;
    flow.qp = plan.connections?.leaderOf[index] ?? index;
    flow.beganPs = message.beganPs < 0 ? null : message.beganPs;
    flow.beganRateBps = message.beganRateBps;
    if (message.restarted) flow.restarted = true;
  };
  const selects = (host: number): boolean => (plan.balancing?.selection?.rules[host] ?? 'flow') !== 'flow';
  const resultOf = (index: number): FlowResult => {
    const raw = kernel.flow(index);
    const completionPs = raw.done ? raw.finishPs - raw.startPs : null;
    const idealPs = flows.idealPs[index];
    const flow: Writable<FlowResult> = {
      index,
      from: nodeNames[flows.source[index]],
      to: nodeNames[flows.destination[index]],
      algorithm: algorithmNames[flowAlgorithms[index]],
      sizeBytes: flows.sizeBytes[index],
      startPs: raw.startPs,
      completionPs,
      idealPs,
      slowdown: completionPs === null ? null : completionPs / idealPs,
      deliveredBytes: raw.deliveredBytes,
      retransmittedPackets: raw.retransmittedPackets,
      timeouts: raw.timeouts,
      cnps: raw.cnps,
      fastCnps: raw.fastCnps,
      duplicateNotifications: raw.duplicateNotifications,
      firstNotificationPs: raw.firstNotificationPs < 0 ? null : raw.firstNotificationPs,
      finalRateBps: kernel.rateBps(index, nowPs),
      windowBytes: flows.windowMode[index] === WINDOW_MODE_NONE ? 0 : flows.windowBytes[index],
    };
    addMessage(flow, index);
    if (endless.has(index)) flow.endless = true;
    const failure = failureOf(raw);
    if (failure !== undefined) flow.failure = failure;
    if (!isSpread && !selects(flows.source[index])) flow.path = flowPaths.namesOf(index, portNames);
    const detours = kernel.detours(index);
    if (detours > 0) flow.detours = detours;
    addCounts(flow, LOSS_FIGURES, kernel.losses(index));
    if (plan.verbs !== undefined) addCounts(flow, VERB_FIGURES, kernel.verb(index));
    if (hazards !== undefined) Object.assign(flow, victimOf(hazards, index, portNames));
    return flow;
  };
  const results = new Array<FlowResult>(flows.length);
  for (let index = 0; index < flows.length; index++) {
    if (index % FLOWS_PER_STEP === FLOWS_PER_STEP - 1) yield;
    results[index] = resultOf(index);
  }
  return results;
}

/** Adds the counts that are not 0. */
function addCounts<Name extends (typeof LOSS_FIGURES | typeof VERB_FIGURES)[number]>(flow: Writable<FlowResult>,
  names: readonly Name[], counts: Readonly<Record<Name, number>>): void {
  for (const name of names) {
    const count = counts[name];
    if (count > 0) flow[name] = count;
  }
}

function portResult({ plan, portNames, record }: CompiledScenario, raw: RawPort, index: number,
  nowPs: number): PortResult {
  const port = plan.ports[index];
  const node = plan.nodes[port.node];
  const activePs = nowPs - record.startPs;
  const overTime = (sum: number): number => (activePs > 0 ? sum / activePs : 0);
  const result: Writable<PortResult> = {
    name: portNames[index],
    node: node.name,
    peer: plan.nodes[plan.ports[port.peerPort].node].name,
    rateBps: port.rateBps,
    txPackets: raw.txPackets,
    txBytes: raw.txBytes,
    utilization: overTime(raw.busyPs),
    maxClassQueueBytes: raw.maxClassQueueBytes,
    maxQueueBytes: raw.maxQueueBytes,
    meanQueueBytes: overTime(raw.queueIntegral),
    marks: raw.marks,
    drops: raw.drops,
    fastCnps: raw.fastCnps,
    pausesSent: raw.pausesSent,
    pausesReceived: raw.pausesReceived,
    pausedPs: raw.pausedPs,
  };
  if (port.ecn) [result.kminBytes, result.kmaxBytes] = [port.kminBytes, port.kmaxBytes];
  if (node.kind === 'switch') result.maxIngressBytes = raw.maxSharedBytes;
  if (node.kind === 'switch' && node.pfc) result.minPauseThresholdBytes = raw.minThresholdBytes;
  return result;
}
