/** Messages between the page and the worker that runs scenarios. Arrays of numbers are transferred, not copied. */
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

/** One end of a link; packets sent here arrive at `peerPort`. */
export interface PortFacts {
  /** Name of the port: `node:peer`. */
  readonly name: string;
  readonly node: number;
  readonly peerNode: number;
  readonly peerPort: number;
  readonly rateBps: number;
  readonly delayPs: number;
  /** Whether the switch compares its queue with Kmin and Kmax, rather than a custom congestion point deciding. */
  readonly isMarking: boolean;
  /** Whether it notifies senders by Fast CNPs; it then marks only packets of senders that accept none. */
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
  /** Fixed values to choose from; empty for a number. */
  readonly choices: readonly ParameterValue[];
  readonly min: number;
  readonly max: number;
  readonly isWhole: boolean;
}

export interface AlgorithmFacts {
  /** Its key in the scenario; empty if the scenario sets no algorithm. */
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
  /** Total number of flows. */
  readonly flows: number;
  /**
   * Whether receivers keep packets that arrive early: payload after a gap is then delivered all at once when the gap
   * closes.
   */
  readonly keepsEarlyPackets: boolean;
  /** Number of flows, from the first, whose rates and delivered bytes are sampled. */
  readonly ratedFlows: number;
  readonly startPs: number;
  /** Changes of settings during the run, in order of time. */
  readonly changes: readonly ChangeFacts[];
  readonly algorithms: readonly AlgorithmFacts[];
  readonly notes: readonly string[];
}

/** A change of settings during a run. */
export interface ChangeFacts {
  readonly timePs: number;
  /** Thresholds of all ports from then on; absent if unchanged. */
  readonly marking?: readonly Pick<PortFacts, 'kminBytes' | 'kmaxBytes'>[];
}

/** Counters of the whole network in each sample, in this order. */
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

/** Samples of a run, row by row. */
export interface SampleChunk {
  readonly count: number;
  readonly timesPs: Float64Array;
  /** Queue lengths in bytes, `count` rows of all ports. */
  readonly queueBytes: Float32Array;
  /** Share of the time since the previous sample in which a port was sending, in 255ths. */
  readonly busy: Uint8Array;
  /** Rates of the sampled flows, `count` rows. */
  readonly rateBps: Float32Array;
  /** Payload delivered in order so far, bytes, `count` rows of the sampled flows. */
  readonly deliveredBytes: Float64Array;
  readonly fairness: Float32Array;
  /** Counters, `count` rows of `COUNTERS`. */
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

/** Results of the ports, by index. */
export interface PortColumns {
  readonly maxQueueBytes: Float64Array;
  readonly meanQueueBytes: Float64Array;
  readonly utilization: Float64Array;
  readonly pausedPs: Float64Array;
  readonly pausesSent: Float64Array;
  readonly marks: Float64Array;
  readonly drops: Float64Array;
  /** The ingress port of the same switch that came nearest to a pause; NaN if there is none. */
  readonly tightestInput: Float64Array;
  /** Lowest pause threshold as an ingress port, bytes; NaN if there is none. */
  readonly minPauseThresholdBytes: Float64Array;
}

/** Results of the flows, by index. */
export interface FlowColumns {
  readonly from: readonly string[];
  readonly to: readonly string[];
  readonly sizeBytes: Float64Array;
  readonly startPs: Float64Array;
  readonly deliveredBytes: Float64Array;
  /** Completion time; NaN if unfinished. */
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

/** An explanation; parts that name a port, a flow or an instant are links. */
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
  /** Wall-clock time of the run, milliseconds. */
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
  /** Sending port of each packet: 0 or 1. */
  readonly side: Uint8Array;
  /** Kind of each packet: index in `PACKET_KINDS`. */
  readonly kind: Uint8Array;
  readonly flow: Int32Array;
  readonly lenBytes: Uint16Array;
  readonly isMarked: Uint8Array;
  /** Number of further packets, which are not kept. */
  readonly leftOut: number;
}

/** Rate changes of a flow, each with its reason (docs/guides/trace.md). */
export interface RateTrace {
  readonly flow: number;
  /** The flow's algorithm. */
  readonly algorithm: string;
  /** For a custom algorithm: texts of reasons; reason n is at index n - 1. */
  readonly reasons: readonly string[];
  /** Result hash of the traced run, the same as without a trace. */
  readonly hash: string;
  /** Records of src/abi/trace-layout.ts, in order of time. */
  readonly records: Uint8Array;
  /** Number of later changes, which are not kept. */
  readonly leftOut: number;
  /** Number of changes, of any flow, for which the trace had no space. */
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
  'endpoint-request',
  'endpoint-response',
] as const;

export type ExportKind = 'json' | 'flows-csv' | 'ports-csv' | 'series-csv' | 'perfetto' | 'pcap' | 'link-pcap';

/** Reason of a rejection. */
export interface Rejection {
  readonly message: string;
  /** Path in the scenario, such as `switches.ecn.kminKB`; empty if there is none. */
  readonly where: string;
  /** Location of an error in the code of a custom algorithm. */
  readonly code?: CodeFault;
  readonly fault?: RejectedSetting;
}

/** The kind of a fault in settings, and the fields of its error. */
export interface RejectedSetting {
  readonly kind: SettingFault;
  readonly got: unknown;
  readonly allowed: unknown;
}

/** Graphs, by the `file` key of their jobs. */
export type GraphsByFile = Readonly<Record<string, GraphParts>>;

/** A request about a scenario. */
export interface OfScenario {
  readonly id: number;
  readonly text: string;
  /** Graphs of the workload files that it names; absent if it names no open file. */
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
  /** The build of the simulator that traces, which workers of custom algorithms cannot load themselves. */
  readonly simTrace: ArrayBuffer;
} | {
  readonly type: 'algorithm';
  readonly id: number;
  /** The code, split at its module specifiers. */
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
