/**
 * A run of the second reference against ours: completion of each flow, all counters, summary, and each line of its
 * traces in order. Our side is collected from the model's steps.
 */
import { existsSync, readFileSync } from 'node:fs';
import { PS_PER_NS } from '../../src/units.js';
import { modelNetwork, type ModelResult } from '../model/model.js';
import type { ModelStep } from '../model/steps.js';
import type { NetworkPlan } from '../../src/sim/plan.js';
import { GOLDEN_SYSTEM_LOSSY, readGolden, type Row } from './golden.js';
import { lossyGoldenPlan } from './lossy-golden-plan.js';

/** Traces of memory and of paths cover only the first part of a run. */
const UNTIL_NS = { mmu: 80_000, lb: 150_000 } as const;
const STEPS = { stored: 'enq', released: 'deq' } as const;
const REJECTED = { out: 'DE', in: 'DI', forced: 'DX', memory: 'D?' } as const;

type Traces = Readonly<Record<'trace' | 'pfc' | 'mmu' | 'lb', string[]>>;

class Recorder {
  readonly traces: Traces = { trace: [], pfc: [], mmu: [], lb: [] };
  readonly rejected = { out: 0, in: 0, forced: 0, memory: 0 };
  damaged = 0;
  mostUsedBytes = 0;
  readonly #plan: NetworkPlan;
  readonly #wanted: Readonly<Record<keyof Traces, boolean>>;

  constructor(plan: NetworkPlan, wanted: Readonly<Record<keyof Traces, boolean>>) {
    this.#plan = plan;
    this.#wanted = wanted;
  }

  readonly onStep = (timePs: number, node: number, step: ModelStep): void => {
    const timeNs = timePs / PS_PER_NS;
    if (step.step === 'rejected') this.rejected[step.why] += 1;
    if (step.step === 'damaged') this.damaged += 1;
    if ('memory' in step && step.memory !== undefined) {
      this.mostUsedBytes = Math.max(this.mostUsedBytes, step.memory.totalBytes);
    }
    if (this.#wanted.trace) this.#trace(timeNs, node, step);
    if (this.#wanted.mmu) this.#mmu(timeNs, node, step);
    if (this.#wanted.pfc && step.step === 'paused') {
      const isSwitch = this.#plan.nodes[node].kind === 'switch' ? 1 : 0;
      this.traces.pfc.push([timeNs, node, isSwitch, step.port, step.kind === 'pause' ? 1 : 0].join());
    }
    if (this.#wanted.lb && step.step === 'routed' && step.choices > 1) {
      this.traces.lb.push([timeNs, node, step.flow, step.sequence, step.egress].join());
    }
  };

  #trace(timeNs: number, node: number, step: ModelStep): void {
    const fields = traceFields(step);
    if (fields !== undefined) this.traces.trace.push([timeNs, node, ...fields].join());
  }

  #mmu(timeNs: number, node: number, step: ModelStep): void {
    if (step.step !== 'stored' && step.step !== 'released' && step.step !== 'rejected') return;
    if (step.memory === undefined) return;
    const { totalBytes, arrivedBytes, headroomBytes, queuedBytes, sharedOutBytes, poolOutBytes, paused } = step.memory;
    const op = step.step === 'rejected' ? `drop_${step.why}` : STEPS[step.step];
    const state = [totalBytes, arrivedBytes, headroomBytes, queuedBytes, sharedOutBytes, poolOutBytes];
    const pfc = this.#plan.nodes[node].pfc ? [paused ? 1 : 0] : [];
    this.traces.mmu.push([timeNs, node, op, step.arrival, step.egress, step.lenBytes, ...state, ...pfc].join());
  }
}

function traceFields(step: ModelStep): (string | number)[] | undefined {
  switch (step.step) {
    case 'transmit':
      return ['TX', step.flow, step.sequence, step.payloadBytes, step.again ? 1 : 0];
    case 'received': {
      const response = step.response === 'ack' ? 'A' : step.response === 'nak' ? 'N' : '-';
      const flags = (step.marked ? 1 : 0) + (step.outOfOrder ? 2 : 0);
      return ['RX', step.flow, step.sequence, response, step.expected, flags];
    }
    case 'response':
      return [
        step.kind === 'ack' ? 'AK' : 'NK',
        step.flow,
        step.sequence,
        step.sackSequence,
        step.sackBytes,
        step.echo ? 1 : 0,
        step.sndUna,
        step.sndNxt,
        step.recovering ? 1 : 0,
        step.rateBps,
      ];
    case 'timeout':
      return ['TO', step.flow, step.sndUna, step.sndNxt];
    case 'rejected':
      return [REJECTED[step.why], step.flow, step.sequence, step.arrival, step.egress];
    case 'damaged':
      return ['DC', step.port, step.lenBytes];
    default:
      return undefined;
  }
}

/** Differences between a golden run and ours; empty: none. @param makePlan of the run's files. */
export function compareLossyRun(scenario: string, variant: string, summary: Row, makePlan = lossyGoldenPlan): string[] {
  const plan = makePlan(scenario, variant);
  const folder = `${GOLDEN_SYSTEM_LOSSY}${scenario}/`;
  const file = (kind: string): string => `${folder}${kind}_${variant}.csv`;
  const recorder = new Recorder(plan, {
    trace: existsSync(file('trace')),
    pfc: existsSync(file('pfc')),
    mmu: existsSync(file('mmu')),
    lb: existsSync(file('lb')),
  });
  const result = modelNetwork(plan, { onStep: recorder.onStep });
  const differences = [
    ...compareFlows(plan, result, readGolden(folder, `fct_${variant}.csv`), makePlan === lossyGoldenPlan),
    ...compareSummary(result, recorder, summary),
  ];
  for (const kind of ['trace', 'pfc', 'mmu', 'lb'] as const) {
    if (existsSync(file(kind)))
      differences.push(...compareTrace(kind, linesOf(file(kind), kind), recorder.traces[kind]));
  }
  return differences;
}

function linesOf(path: string, kind: keyof Traces): string[] {
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  return kind === 'trace' ? lines : lines.slice(1);
}

function compareTrace(kind: keyof Traces, expected: readonly string[], all: readonly string[]): string[] {
  const untilNs = kind === 'mmu' || kind === 'lb' ? UNTIL_NS[kind] : Infinity;
  const startNs = 2e9;
  const actual = all.filter((line) => Number(line.slice(0, line.indexOf(','))) < startNs + untilNs);
  const length = Math.max(expected.length, actual.length);
  for (let at = 0; at < length; at += 1) {
    if (expected.at(at) !== actual.at(at)) return [`${kind} line ${at + 1} ${actual.at(at)} for ${expected.at(at)}`];
  }
  return [];
}

/** @param ideal whether the plan's ideal times are the reference's; the compiler's are without its roundings. */
function compareFlows(plan: NetworkPlan, { flows }: ModelResult, rows: readonly Row[], ideal: boolean): string[] {
  const differences: string[] = [];
  const done = flows.filter(({ completionPs }) => completionPs !== null).length;
  if (done !== rows.length) differences.push(`${done} flows complete for ${rows.length}`);
  for (const row of rows) {
    const index = Number(row.flow);
    const flow = flows[index];
    const planned = plan.flows.get(index);
    const actual: Record<string, number> = {
      src: planned.source,
      dst: planned.destination,
      sport: planned.udpSourcePort,
      dport: planned.udpDestinationPort,
      size: planned.sizeBytes,
      start_ns: planned.startPs / PS_PER_NS,
      fct_ns: Number(flow.completionPs) / PS_PER_NS,
      ...(ideal ? { standalone_ns: planned.idealPs / PS_PER_NS } : {}),
      tx_pkts: flow.sent,
      retx_pkts: flow.retransmitted,
      rx_pkts: flow.received,
      rx_ooo: flow.outOfOrder,
      rx_dup: flow.duplicates,
      acks: flow.acks,
      nacks: flow.naks,
      cnps: flow.cnps,
      timeouts: flow.timeouts,
      drops: flow.drops,
    };
    differences.push(...compareFields(`flow ${index}`, actual, row));
  }
  return differences;
}

function compareFields(where: string, actual: Readonly<Record<string, number>>, row: Row): string[] {
  return Object.entries(actual).filter(([key, value]) => Number(row[key]) !== value)
    .map(([key, value]) => `${where} ${key} ${value} for ${row[key]}`);
}

function compareSummary({ flows, totals, ports, simulatedPs }: ModelResult, recorder: Recorder, row: Row): string[] {
  const sum = (
    field: 'sent' | 'retransmitted' | 'received' | 'outOfOrder' | 'duplicates' | 'acks' | 'naks' | 'cnps' | 'timeouts'
      | 'drops',
  ) => flows.reduce((total, flow) => total + flow[field], 0);
  return compareFields('summary', {
    flows: flows.length,
    done: flows.filter(({ completionPs }) => completionPs !== null).length,
    dropIngress: recorder.rejected.in,
    dropEgress: recorder.rejected.out,
    dropForced: recorder.rejected.forced,
    corrupted: recorder.damaged,
    ecnMarks: totals.dataMarks,
    pfcPause: totals.pauses,
    pfcResume: totals.resumes,
    maxEgressBytes: Math.max(...ports.map(({ maxClassQueueBytes }) => maxClassQueueBytes)),
    maxUsedBytes: recorder.mostUsedBytes,
    txPkts: sum('sent'),
    retxPkts: sum('retransmitted'),
    rxPkts: sum('received'),
    rxOoo: sum('outOfOrder'),
    rxDup: sum('duplicates'),
    acks: sum('acks'),
    nacks: sum('naks'),
    cnps: sum('cnps'),
    timeouts: sum('timeouts'),
    drops: sum('drops'),
    end_ns: simulatedPs / PS_PER_NS,
  }, row);
}
