/** Jobs of scenarios as plain data: graphs of operations from files, collectives, programs; a part of spec.ts. */
import type { CollectiveAlgorithm, CollectiveKind } from '../../workloads/collectives/algorithms.js';

export type { CollectiveAlgorithm, CollectiveKind };

/**
 * How losses are answered: `go-back-n` sends all again from the lost packet on; `selective-repeat`, as adapters have it, the packet alone
 * that a NAK names ("RoCE Network Proposal", slide 16); `irn` what SACKs show as lost, with a limit on packets in flight and two timeouts
 * (R. Mittal et al., SIGCOMM 2018).
 */
export type Transport = 'go-back-n' | 'selective-repeat' | 'irn';

/** What every workload may say. */
export interface WorkloadCommon {
  /** How its flows send again what is lost, fidelity `standard` alone. Default: that of the sending host. */
  readonly transport?: Transport;
  /** Name of a parameter set in `algorithms`. Default: its first. */
  readonly algorithm?: string;
  /** Traffic class of the data, 1 to 7. Default 3. */
  readonly trafficClass?: number;
  /** Default 0. */
  readonly startUs?: number;
}

/** When messages of a job are done, and what they cost their ranks. */
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
  /** A send holds its lane so long before it leaves, nanoseconds. Default 0. */
  readonly sendOverheadNs?: number;
  /** A receive holds its lane so long when its message is there, nanoseconds. Default 0. */
  readonly receiveOverheadNs?: number;
}

/** What jobs share: graphs of operations, whose messages are flows. */
export interface JobCommon extends WorkloadCommon, MessageSpec {
  /** Name in results, and for `after` of other jobs. Default: the file's name, or the kind and its place. */
  readonly name?: string;
  /** Names of the hosts of its ranks, in order. Default: all hosts, as many as there are ranks. */
  readonly hosts?: readonly string[];
  /** Name of a job before it in the list: it begins `startUs` after the end of that one. */
  readonly after?: string;
  /**
   * Which hosts its ranks are on, of those that no job before it has: the first (`linear`); random ones, in random order; one leaf after
   * the other, those with most free hosts first (`by-leaf`); one of each leaf in turn (`spread`). Instead of `hosts`.
   */
  readonly placement?: Placement;
  /** Neighbouring ranks that share a host, where their hosts are placed. Default 1. */
  readonly ranksPerHost?: number;
}

/** How ranks of a job are placed. */
export type Placement = 'linear' | 'random' | 'by-leaf' | 'spread';

/** Jobs that are run several times. */
export interface IterationSpec {
  /** Times that it is run: each rank begins again when all that it does is done. Default 1. */
  readonly iterations?: number;
  /** Does each rank wait for all others before it begins again? Default false. */
  readonly barrier?: boolean;
}

/** A job that is read from a file. */
export interface JobSpec extends JobCommon, IterationSpec {
  /** A graph of operations. */
  readonly kind: 'job';
  /** Format of the file: GOAL, text or binary; a connection matrix of htsim; a folder of Chakra traces; SimAI's workload text. */
  readonly format: 'goal' | 'cm' | 'chakra' | 'simai';
  /** Path of the file, from where the scenario is. */
  readonly file: string;
  /** Of `cm`: what its starts count. Default `ps`. */
  readonly startUnit?: 'ps' | 'us';
  /** Of `cm`: are its failures of links in the topology, or only noted? Default `noted`. */
  readonly failures?: 'noted' | 'in-topology';
  /** Of `simai`: GPUs, where the file doesn't say. */
  readonly gpus?: number;
  /** Of `simai`: is one stage of a pipeline run, where there are several? Default false: they are rejected. */
  readonly oneStage?: boolean;
  /** Of `chakra`: path of the groups of ranks. Default: comm_group.json beside the traces, if it is there. */
  readonly groups?: string;
  /** Of `chakra`: are dependencies on the host's call tree taken as dependencies on ends? Default false. */
  readonly controlDependencies?: boolean;
}

/** A collective among hosts, as a job: once, or again and again with computes before each time. */
export interface CollectiveSpec extends JobCommon {
  /** Many ranks exchange data. */
  readonly kind: 'collective';
  /** Number of ranks. Default: as many as `hosts`, or as there are hosts. */
  readonly ranks?: number;
  /** What they do. */
  readonly collective: CollectiveKind;
  /**
   * How. Default: `ring` for all-reduce, reduce-scatter and all-gather, `direct` for all-to-all, gather and scatter, `binomial`
   * for broadcast and reduce, `dissemination` for a barrier.
   */
  readonly by?: CollectiveAlgorithm;
  /**
   * All-reduce, broadcast, reduce: the buffer. Reduce-scatter: what each rank puts in. All-gather: what each rank contributes.
   * All-to-all: what each rank holds for all. Gather, scatter: the whole. A barrier has none.
   */
  readonly sizeBytes?: number;
  /** Parts that follow each other, 1 to 256: of rings, chains and trees. Default 1. */
  readonly chunks?: number;
  /** Times that it is done. Default 1. */
  readonly repeat?: number;
  /** Each rank computes so long before each time, microseconds. Default 0. */
  readonly computeUs?: number;
  /** Of `hierarchical`: ranks per server, and the links within one, which are no part of the network. */
  readonly servers?: ServerSpec;
}

/** A program that all ranks follow, step by step. */
export interface ProgramSpec extends JobCommon, IterationSpec {
  /** Computes, collectives and messages. */
  readonly kind: 'program';
  /** Number of ranks. Default: as many as `hosts`, or as there are hosts. */
  readonly ranks?: number;
  /** In order: each waits for the one before it in which its rank takes part, or for those that it names in `after`. */
  readonly steps: readonly StepSpec[];
}

/** A step of a program. */
export type StepSpec = ComputeStepSpec | CollectiveStepSpec | MessageStepSpec;

/** What every step may say. */
export interface StepCommon {
  /** Name, for `after` and results. */
  readonly name?: string;
  /** Names of steps before it that it waits for; none: it waits for no other. Default: the step before. */
  readonly after?: readonly string[];
}

/** Ranks compute; one compute of a rank after the other. */
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
  /** Groups of ranks, each of which does it by itself; no rank twice. Default: one of all ranks. */
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
