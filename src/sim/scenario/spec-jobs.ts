/** Jobs of scenarios as plain data: graphs of operations from files, collectives, programs; part of spec.ts. */
import type { NcclSettings } from '../../workloads/simai/nccl/nccl-settings.js';
import type { CollectiveAlgorithm, CollectiveKind } from '../../workloads/collectives/algorithms.js';

export type { CollectiveAlgorithm, CollectiveKind };

/**
 * Loss recovery: `go-back-n` retransmits everything from the lost packet on; `selective-repeat`, as in adapters, only the packet
 * that a NAK names ("RoCE Network Proposal", slide 16); `irn` what SACKs show as lost, with a limit on packets in flight and two
 * timeouts (R. Mittal et al., SIGCOMM 2018); `tolerant`, for packets on many paths, what is missing long after later packets have
 * arrived, without NAKs, as transports with SACK bitmaps do (Ultra Ethernet 1.0, OCP MRC 1.0); `mrc` what SACKs show as lost, and at once
 * what a NACK reports as trimmed (OCP MRC 1.0).
 */
export type Transport = 'go-back-n' | 'selective-repeat' | 'irn' | 'tolerant' | 'mrc';

/**
 * The QPs of a workload's messages. `per-message`: each message has a fresh QP, which begins at line rate. `per-pair`: the messages of
 * a pair of hosts share a QP, are sent in the order in which they are posted, and inherit its rate, window and PSNs. A record: as
 * many QPs per pair of hosts.
 */
export type ConnectionsSpec = 'per-message' | 'per-pair' | {
  /** QPs of each pair of hosts, 1 to 256. */
  readonly perPair: number;
  /** The QP of a message: round-robin, or the one with fewest bytes assigned so far. Default `round-robin`. */
  readonly choose?: 'round-robin' | 'fewest-bytes';
};

/** Keys common to all workloads. */
export interface WorkloadCommon {
  /** Loss recovery of its flows, fidelity `standard` only. Default: that of the sending host. */
  readonly transport?: Transport;
  /**
   * QPs of its messages. Default: `per-pair` for jobs, collectives and programs of fidelity `standard`, as NCCL keeps its QPs;
   * `per-message` for other workloads and fidelities. With `record.messages: 'sums'` only `per-message`.
   */
  readonly connections?: ConnectionsSpec;
  /** Name of a parameter set in `algorithms`. Default: its first. */
  readonly algorithm?: string;
  /** Traffic class of the data, 1 to 7. Default 3. */
  readonly trafficClass?: number;
  /** Default 0. */
  readonly startUs?: number;
}

/** When messages of a job are done, and the time that they cost their ranks. */
export interface MessageSpec {
  /**
   * When a send is done: at its last ACK (`acked`), with its last byte at the receiver (`delivered`), or as soon as it leaves
   * (`issued`). Default `acked`.
   */
  readonly sendDone?: 'acked' | 'delivered' | 'issued';
  /** Sends of at most this size are done as soon as they leave, bytes. Default 0. */
  readonly eagerBytes?: number;
  /** When a receive is done: with its last byte, or when the sender has its last ACK. Default `last-byte`. */
  readonly receiveDone?: 'last-byte' | 'last-ack';
  /** How long a send occupies its lane before it leaves, nanoseconds. Default 0. */
  readonly sendOverheadNs?: number;
  /** How long a receive occupies its lane once its message has arrived, nanoseconds. Default 0. */
  readonly receiveOverheadNs?: number;
}

/** Keys common to all jobs: graphs of operations, whose messages are flows. */
export interface JobCommon extends WorkloadCommon, MessageSpec {
  /** Name in results, and for `after` of other jobs. Default: the file's name, or the kind and its place. */
  readonly name?: string;
  /** Names of the hosts of its ranks, in order. Default: all hosts, as many as there are ranks. */
  readonly hosts?: readonly string[];
  /** Name of an earlier job in the list: it begins `startUs` after the end of that one. */
  readonly after?: string;
  /**
   * How its ranks are placed on hosts that no earlier job uses: the first ones (`linear`); random ones, in random order; leaf by
   * leaf, those with most free hosts first (`by-leaf`); round-robin over the leaves (`spread`). Instead of `hosts`.
   */
  readonly placement?: Placement;
  /** Neighbouring ranks that share a host, where their hosts are placed. Default 1. */
  readonly ranksPerHost?: number;
}

/** How ranks of a job are placed. */
export type Placement = 'linear' | 'random' | 'by-leaf' | 'spread';

/** Jobs that are run repeatedly. */
export interface IterationSpec {
  /** Number of runs: each rank begins again when all its operations are done. Default 1. */
  readonly iterations?: number;
  /** Whether each rank waits for all others before it begins again. Default false. */
  readonly barrier?: boolean;
}

/** A job that is read from a file. Of `simai`: the settings of `NcclSettings` make its collectives. */
export interface JobSpec extends JobCommon, IterationSpec, NcclSettings {
  /** A graph of operations. */
  readonly kind: 'job';
  /** Format of the file: GOAL, text or binary; a connection matrix of htsim; a folder of Chakra traces; SimAI's workload text. */
  readonly format: 'goal' | 'cm' | 'chakra' | 'simai';
  /** Path of the file, relative to the scenario. */
  readonly file: string;
  /** Of `cm`: the unit of its starts. Default `ps`. */
  readonly startUnit?: 'ps' | 'us';
  /** Of `cm`: whether its link failures are in the topology, or only noted. Default `noted`. */
  readonly failures?: 'noted' | 'in-topology';
  /** Of `simai`: number of GPUs, if the file does not state it. */
  readonly gpus?: number;
  /** Of `simai`: whether one stage of a pipeline is run, if there are several. Default false: they are rejected. */
  readonly oneStage?: boolean;
  /** Of `chakra`: path of the groups of ranks. Default: comm_group.json next to the traces, if it exists. */
  readonly groups?: string;
  /** Of `chakra`: whether dependencies on the host's call tree count as dependencies on ends. Default false. */
  readonly controlDependencies?: boolean;
  /**
   * Of `chakra`: sends, receives and collectives with `is_cpu_op` true are calls on the host, which take their duration and are noted;
   * or they are sent as others are. Default `noted`.
   */
  readonly hostCommunication?: 'noted' | 'sent';
  /** Of `chakra`: speed of computes with `num_ops` and no duration, operations per second. Default: they take no time. */
  readonly opsPerSecond?: number;
  /** Of `chakra`: speed of loads and stores with `tensor_size` and no duration, bytes per second. Default: they take no time. */
  readonly memoryBytesPerSecond?: number;
}

/** A collective among hosts, as a job: once, or repeatedly with computes before each repetition. */
export interface CollectiveSpec extends JobCommon {
  /** Many ranks exchange data. */
  readonly kind: 'collective';
  /** Number of ranks. Default: the number of `hosts`, or of all hosts. */
  readonly ranks?: number;
  /** The operation. */
  readonly collective: CollectiveKind;
  /**
   * The algorithm. Default: `ring` for all-reduce, reduce-scatter and all-gather, `direct` for all-to-all, gather and scatter,
   * `binomial` for broadcast and reduce, `dissemination` for a barrier.
   */
  readonly by?: CollectiveAlgorithm;
  /**
   * All-reduce, broadcast, reduce: the buffer. Reduce-scatter: each rank's input. All-gather: each rank's contribution.
   * All-to-all: what each rank holds for all. Gather, scatter: the whole. A barrier has none.
   */
  readonly sizeBytes?: number;
  /** Parts that follow each other, 1 to 256: of rings, chains and trees. Default 1. */
  readonly chunks?: number;
  /** Number of repetitions. Default 1. */
  readonly repeat?: number;
  /** How long each rank computes before each repetition, microseconds. Default 0. */
  readonly computeUs?: number;
  /** Of `hierarchical`: ranks per server, and the links within one, which are not part of the network. */
  readonly servers?: ServerSpec;
}

/** A program that all ranks follow, step by step. */
export interface ProgramSpec extends JobCommon, IterationSpec {
  /** Computes, collectives and messages. */
  readonly kind: 'program';
  /** Number of ranks. Default: the number of `hosts`, or of all hosts. */
  readonly ranks?: number;
  /** In order: each waits for its rank's previous step, or for those that it names in `after`. */
  readonly steps: readonly StepSpec[];
}

/** A step of a program. */
export type StepSpec = ComputeStepSpec | CollectiveStepSpec | MessageStepSpec;

/** Keys common to all steps. */
export interface StepCommon {
  /** Name, for `after` and results. */
  readonly name?: string;
  /** Names of earlier steps that it waits for; none: it waits for no other. Default: the previous step. */
  readonly after?: readonly string[];
}

/** Ranks compute; computes of a rank follow each other. */
export interface ComputeStepSpec extends StepCommon {
  /** A compute. */
  readonly kind: 'compute';
  /** Its duration, microseconds. */
  readonly us: number;
  /** Ranks that compute. Default: all. */
  readonly ranks?: readonly number[];
}

/** Ranks exchange data. */
export interface CollectiveStepSpec
  extends StepCommon, Pick<CollectiveSpec, 'collective' | 'by' | 'sizeBytes' | 'chunks'> {
  /** A collective. */
  readonly kind: 'collective';
  /** Groups of ranks, each of which runs it independently; no rank twice. Default: one of all ranks. */
  readonly groups?: readonly (readonly number[])[];
}

/** A message from rank to rank. */
export interface MessageStepSpec extends StepCommon {
  /** A message. */
  readonly kind: 'message';
  /** Rank that sends. */
  readonly from: number;
  /** Rank that receives. */
  readonly to: number;
  /** Payload, bytes. */
  readonly sizeBytes: number;
}

/** Servers of several ranks. */
export interface ServerSpec {
  /** Ranks per server; neighbours in the list of hosts. */
  readonly ranks: number;
  /** Rate of a rank's link within its server, Gb/s; 0: it takes no time. Default 0. */
  readonly rateGbps?: number;
  /** Latency of such a link, nanoseconds. Default 0. */
  readonly latencyNs?: number;
}
