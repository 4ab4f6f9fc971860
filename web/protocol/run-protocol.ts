/** Messages between the page and the worker of a run. Arrays of numbers are transferred, not copied. */
import type { SettingFault } from '../../src/errors.js';
import type { GraphParts } from '../../src/workloads/graph/workload-graph.js';
import type { MetricKey, SimResult, TextPart } from '../../src/sim/index.js';
import type { BeatStage, CodeFault, DeclaredAlgorithm } from './algorithm-protocol.js';

/** A node of the network. */
export interface NodeFacts {
  readonly name: string;
  readonly kind: 'host' | 'switch';
  readonly bufferBytes: number;
  readonly pfc: boolean;
}

/** One end of a link; what leaves here arrives at `peerPort`. */
export interface PortFacts {
  /** `node:peer`. */
  readonly name: string;
  readonly node: number;
  readonly peerNode: number;
  readonly peerPort: number;
  readonly rateBps: number;
  readonly delayPs: number;
  /** The switch compares its queue with Kmin and Kmax: no custom congestion point decides instead. */
  readonly isMarking: boolean;
  /** It notifies senders by Fast CNPs; it marks the packets of those alone that accept none. */
  readonly sendsFastCnps: boolean;
  readonly kminBytes: number;
  readonly kmaxBytes: number;
  readonly pmax: number;
}

export type ParameterValue = number | string | boolean;

/** A parameter of congestion control, with the value in force and the preset's. */
export interface ParameterFacts {
  readonly name: string;
  readonly value: ParameterValue;
  readonly presetValue: ParameterValue;
  /** Fixed values to choose from; empty: a number. */
  readonly choices: readonly ParameterValue[];
  readonly min: number;
  readonly max: number;
  readonly isWhole: boolean;
}

export interface AlgorithmFacts {
  /** Its key in the scenario; empty: the scenario names none. */
  readonly name: string;
  readonly algorithm: string;
  readonly preset: string;
  readonly parameters: readonly ParameterFacts[];
}

/** Properties of a scenario before it is run. */
export interface ScenarioFacts {
  readonly name: string;
  readonly nodes: readonly NodeFacts[];
  readonly ports: readonly PortFacts[];
  /** Flows in all. */
  readonly flows: number;
  /** Receivers keep packets that arrive early: payload behind a gap is delivered all at once when the gap closes. */
  readonly keepsEarlyPackets: boolean;
  /** Flows whose rates and delivered bytes are sampled, from the first. */
  readonly ratedFlows: number;
  readonly startPs: number;
  /** Settings that change while it runs, in order of time. */
  readonly changes: readonly ChangeFacts[];
  readonly algorithms: readonly AlgorithmFacts[];
  readonly notes: readonly string[];
}

/** A change of settings while a run goes. */
export interface ChangeFacts {
  readonly timePs: number;
  /** Thresholds of all ports from then on; left out: they stay. */
  readonly marking?: readonly Pick<PortFacts, 'kminBytes' | 'kmaxBytes'>[];
}

/** Counters of the whole network that each sample has, in this order. */
export const COUNTERS = [
  'cnps',
  'fastCnps',
  'pauses',
  'resumes',
  'marks',
  'packetsDropped',
  'retransmittedPackets',
  'bytesDelivered',
] as const;

/** Samples of a run, row after row. */
export interface SampleChunk {
  readonly count: number;
  readonly timesPs: Float64Array;
  /** Bytes waiting, `count` rows of all ports. */
  readonly queueBytes: Float32Array;
  /** Share of the time since the sample before in which a port was sending, in 255ths. */
  readonly busy: Uint8Array;
  /** `count` rows of the flows whose rates are kept. */
  readonly rateBps: Float32Array;
  /** Payload that receivers had accepted in order by then, bytes; `count` rows of the same flows. */
  readonly deliveredBytes: Float64Array;
  readonly fairness: Float32Array;
  /** `count` rows of `COUNTERS`. */
  readonly counters: Float64Array;
}

/** Progress of a run. */
export interface RunProgress {
  readonly nowPs: number;
  readonly flowsDone: number;
  readonly flowsTotal: number;
  /** Share of the payload delivered, 0 to 1. */
  readonly share: number;
  readonly events: number;
}

/** Numbers of the ports at the end, by index. */
export interface PortColumns {
  readonly maxQueueBytes: Float64Array;
  readonly meanQueueBytes: Float64Array;
  readonly utilization: Float64Array;
  readonly pausedPs: Float64Array;
  readonly pausesSent: Float64Array;
  readonly marks: Float64Array;
  readonly drops: Float64Array;
  /** Of the switch that the port is of, the port whose input came nearest to a pause; NaN: none. */
  readonly tightestInput: Float64Array;
  /** Lowest pause threshold of the input, bytes; NaN: none. */
  readonly minPauseThresholdBytes: Float64Array;
}

/** Numbers of the flows at the end, by index. */
export interface FlowColumns {
  readonly from: readonly string[];
  readonly to: readonly string[];
  readonly sizeBytes: Float64Array;
  readonly startPs: Float64Array;
  readonly deliveredBytes: Float64Array;
  /** NaN: unfinished. */
  readonly completionPs: Float64Array;
  readonly slowdown: Float64Array;
  readonly cnps: Float64Array;
  readonly fastCnps: Float64Array;
  readonly heldPs: Float64Array;
}

/** When ports were paused, in order of time. */
export interface PauseColumns {
  readonly port: Uint32Array;
  readonly trafficClass: Uint8Array;
  readonly fromPs: Float64Array;
  readonly toPs: Float64Array;
}

/** An explanation; parts that name a port, a flow or an instant link there. */
export interface Answer {
  readonly topic: string;
  readonly question: string;
  readonly findings: readonly (readonly TextPart[])[];
}

/** Result of a run. */
export interface Outcome {
  readonly hash: string;
  readonly ended: SimResult['ended'];
  readonly fidelity: string;
  readonly seed: number;
  readonly simulatedPs: number;
  readonly events: number;
  readonly packetHops: number;
  /** Time that the run took, milliseconds. */
  readonly wallMs: number;
  readonly metrics: Readonly<Record<MetricKey, number | null>>;
  readonly ports: PortColumns;
  readonly flows: FlowColumns;
  readonly pauses: PauseColumns;
  readonly answers: readonly Answer[];
  readonly notes: readonly string[];
}

/** Packets that left the two ports of a link, in order of time. */
export interface LinkPackets {
  readonly ports: readonly [string, string];
  readonly timePs: Float64Array;
  /** 0 or 1: which of the two. */
  readonly side: Uint8Array;
  /** Place in `PACKET_KINDS`. */
  readonly kind: Uint8Array;
  readonly flow: Int32Array;
  readonly lenBytes: Uint16Array;
  readonly isMarked: Uint8Array;
  /** Packets beyond those that are kept. */
  readonly leftOut: number;
}

/** Changes of a flow's rate, each with its reason (docs/guides/trace.md). */
export interface RateTrace {
  readonly flow: number;
  /** The flow's. */
  readonly algorithm: string;
  /** Of a custom algorithm: texts of reasons, by their number less 1. */
  readonly reasons: readonly string[];
  /** Of the run that was traced: the same as without. */
  readonly hash: string;
  /** Records of src/abi/trace-layout.ts, in order of time. */
  readonly records: Uint8Array;
  /** Later changes that are not kept. */
  readonly leftOut: number;
  /** Changes, of any flow, for which the trace had no room. */
  readonly lost: number;
}

export const PACKET_KINDS = [
  'data',
  'ack',
  'nak',
  'cnp',
  'fast-cnp',
  'pause',
  'resume',
  'control',
  'arn',
  'discovery',
  'read-request',
  'rnr-nak',
  'nack',
  'credit',
  'probe',
] as const;

export type ExportKind = 'json' | 'flows-csv' | 'ports-csv' | 'series-csv' | 'perfetto' | 'pcap' | 'link-pcap';

/** Reason of a rejection. */
export interface Rejection {
  readonly message: string;
  /** Place in the scenario, such as `switches.ecn.kminKB`; empty: none. */
  readonly where: string;
  /** Of an error in the code of a custom algorithm. */
  readonly code?: CodeFault;
  readonly fault?: RejectedSetting;
}

/** The kind of a fault in settings, and the fields of its error. */
export interface RejectedSetting {
  readonly kind: SettingFault;
  readonly got: unknown;
  readonly allowed: unknown;
}

/** Graphs by the `file` of the jobs that name them. */
export type GraphsByFile = Readonly<Record<string, GraphParts>>;

/** A request about a scenario. */
export interface OfScenario {
  readonly id: number;
  readonly text: string;
  /** Graphs of the workload files that it names; left out: it names none that is open. */
  readonly graphs?: GraphsByFile;
}

export type ToWorker = OfScenario & { readonly type: 'check' } | {
  readonly type: 'schema';
  readonly id: number;
} | OfScenario & { readonly type: 'run' } | OfScenario & {
  readonly type: 'packets';
  readonly ports: readonly [string, string];
} | OfScenario & {
  readonly type: 'rates';
  readonly flow: number;
  /** The build of the simulator that traces: workers of custom algorithms cannot load it. */
  readonly simTrace: ArrayBuffer;
} | {
  readonly type: 'algorithm';
  readonly id: number;
  /** The code, cut where a module specifier belongs. */
  readonly parts: readonly string[];
} | {
  readonly type: 'export';
  readonly id: number;
  readonly kind: ExportKind;
  readonly port: string;
} | {
  readonly type: 'pause' | 'resume' | 'stop';
};

export type FromWorker = { readonly type: 'facts'; readonly id: number; readonly facts: ScenarioFacts } | {
  readonly type: 'schema';
  readonly id: number;
  readonly schema: unknown;
  readonly presets: readonly string[];
} | { readonly type: 'rejected'; readonly id: number; readonly rejection: Rejection } | {
  readonly type: 'samples';
  readonly id: number;
  readonly chunk: SampleChunk;
  readonly progress: RunProgress;
} | { readonly type: 'done'; readonly id: number; readonly outcome: Outcome } | {
  readonly type: 'packets';
  readonly id: number;
  readonly packets: LinkPackets;
} | { readonly type: 'rates'; readonly id: number; readonly trace: RateTrace } | {
  readonly type: 'algorithm';
  readonly id: number;
  readonly algorithm: DeclaredAlgorithm;
} | { readonly type: 'beat'; readonly id: number; readonly stage: BeatStage } | {
  readonly type: 'file';
  readonly id: number;
  readonly name: string;
  readonly blob: Blob;
};
