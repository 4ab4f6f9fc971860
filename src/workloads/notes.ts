/**
 * Notes of workload and topology readers: the sentence of each, by code, with a parameter type that declares its figures,
 * and the count of what a file contains but the run does not use. Notes are created as data, and only this file words them.
 *
 * `where` is a file and a place in it, as in errors: `w.0.et, node 3`. For repeated items it is the first place.
 */
import { noteMaker, type NoteOf } from '../note-record.js';

/** Something that occurs several times in a file. */
interface Counted {
  readonly count: number;
  /** Place of the first occurrence. */
  readonly where: string;
}

/** Names in a file that have no effect. */
interface CountedNames extends Counted {
  /** Sorted names, the first 16 of a file. */
  readonly names: readonly string[];
  /** Whether there are further names. */
  readonly hasOthers: boolean;
}

interface OfPass extends Counted {
  /** Kind of SimAI's workload. */
  readonly pass: 'transformer' | 'data' | 'micro';
}

/** Number of collectives of one kind and group size that ran in the same way. */
export interface CollectiveRuns {
  readonly count: number;
  readonly kind: string;
  readonly gpus: number;
  readonly algorithm: 'ring' | 'tree' | 'direct' | 'nvls';
  readonly channels: number;
  readonly pxn: boolean;
  /** NCCL's protocol; null if NCCL did not choose. */
  readonly protocol: string | null;
}

const PASSES = { transformer: 'a transformer', data: 'DATA', micro: 'MICRO' } as const;

const GOAL = {
  'port-of-message': counted('messages name a port (nic), and leave by that of their path',
    'message names a port (nic), and leaves by that of its path'),
  'highest-number': ({ field, ...found }: Counted & { readonly field: 'cpu' | 'nic' }) =>
    counted(`highest ${field} of the header is not that of the operations, which counts`)(found),
};

const CHAKRA = {
  'host-communication': ({ type, ...found }: Counted & { readonly type: 'send' | 'receive' | 'collective' }) =>
    counted(`${type} nodes have is_cpu_op true and are not sent (hostCommunication "sent" sends them)`,
      `${type} node has is_cpu_op true and is not sent (hostCommunication "sent" sends it)`)(found),
  'control-dependencies': counted('control dependencies are left out (controlDependencies takes them)',
    'control dependency is left out (controlDependencies takes it)'),
  'missing-control-dependencies': counted('control dependencies on nodes that are not there are left out',
    'control dependency on a node that is not there is left out'),
  'compute-without-time': counted(
    'compute nodes have num_ops and no duration, and take no time (opsPerSecond gives them time)',
    'compute node has num_ops and no duration, and takes no time (opsPerSecond gives it time)',
  ),
  'memory-without-time': counted(
    'memory nodes have tensor_size and no duration, and take no time (memoryBytesPerSecond gives them time)',
    'memory node has tensor_size and no duration, and takes no time (memoryBytesPerSecond gives it time)',
  ),
  'work-and-duration': counted('nodes have num_ops or tensor_size and a duration, and take the duration',
    'node has num_ops or tensor_size and a duration, and takes the duration'),
  'duration-of-communication': counted('communication nodes have a duration, and take the time that the network needs',
    'communication node has a duration, and takes the time that the network needs'),
  'duration-of-metadata': counted('metadata nodes have a duration, and take no time',
    'metadata node has a duration, and takes no time'),
  'invalid-nodes': counted('nodes of type 0 (invalid) do nothing', 'node of type 0 (invalid) does nothing'),
  'involved-dimensions': counted(
    'collective nodes have an involved_dim that is not all true, and run in the whole group',
    'collective node has an involved_dim that is not all true, and runs in the whole group',
  ),
  'start-times': counted('nodes have start_time_micros, and start when their dependencies are met',
    'node has start_time_micros, and starts when its dependencies are met'),
  'names-without-effect': (found: CountedNames) => namesWords('attributes and fields', found),
  'unknown-names': (found: CountedNames) => namesWords('unknown attributes and fields', found),
};

const HTSIM = {
  'endless-connections': counted('connections have no end (size 0) and send until the run ends',
    'connection has no end (size 0) and sends until the run ends'),
  'triggers-never-set-off': counted('connections without an end name triggers for their end, which they never set off',
    'connection without an end names triggers for its end, which it never sets off'),
  'priorities': counted('priorities (prio) are not used', 'priority (prio) is not used'),
  'reused-connections': counted('messages of reused connections (msg) are flows with their own queue pairs and starts',
    'message of a reused connection (msg) is a flow with its own queue pair and start'),
  'failures-not-applied': counted('failures of links are not applied, as they need a topology file',
    'failure of a link is not applied, as it needs a topology file'),
  'unit-of-starts': ({ unit, last }: {
    readonly unit: 'ps' | 'us';
    /** The latest start, in the unit. */
    readonly last: number;
  }) => `Starts are read as ${unit}; the last one is ${last} ps or ${last} us.`,
  'links-down': ({ links }: { readonly links: number }) =>
    `${links === 1 ? '1 link is' : `${links} links are`} down for the whole run.`,
  'switch-latency-halved': () => "A switch's latency is half in each of its links.",
  'queue-sizes': ({ key, ...found }: Counted & { readonly key: 'Queue_Down' | 'Queue_Up' }) =>
    counted(`${key} without effect: ports of a switch share its memory, switches.bufferBytes`)(found),
};

const NCCL_XML = {
  'attribute-without-effect': ({ element, attribute, ...found }: Counted & {
    readonly element: string;
    readonly attribute: string;
  }) => counted(`attributes ${attribute} of ${element} change nothing here`)(found),
  'nic-outside-pci': ({ rateGbps, ...found }: Counted & { readonly rateGbps: number }) =>
    counted(`NICs are not PCI devices, and reach their CPU at ${rateGbps} Gb/s`)(found),
  'devices-named-by-nvlinks': counted('PCI devices are NVSwitches or bridges of CPUs, which NVLinks name'),
  'pci-switch-links': counted('links between PCI switches (pcilink) are not used'),
  'gpus-without-nvlinks': counted('GPUs have no gpu element, and so no NVLinks'),
  'unknown-link-speeds': counted('link speeds of PCI devices are unknown, and taken as 8 GT/s, as in NCCL'),
  'nics-without-ports': counted('NICs have no net element, and get the rate of their PCI link'),
  'repeated-devices': ({ element, ...found }: Counted & { readonly element: string }) =>
    counted(`elements ${element} are the same devices as net, and not used`)(found),
  'unused-interfaces': counted('network interfaces have no dev, or net is 0, and are not used, as in NCCL'),
  'interfaces-without-speed': counted('network interfaces have no speed, and get 10 Gb/s, as in NCCL'),
  'c2c-and-pcie': counted('GPUs have C2C and PCIe to the same CPU, of which the faster is used'),
  'nvlinks-to-missing-gpus': counted('NVLinks lead to GPUs that the file does not have'),
  'unequal-nvlinks': counted('NVLinks have another count in the other direction, which is not used'),
  'servers-as-in-file': ({ servers, gpus, ports }: {
    readonly servers: number;
    /** Number of GPUs per server. */
    readonly gpus: number;
    readonly ports: number;
  }) =>
    `${servers} servers of ${gpus} GPUs as the file has them. ${
      ports === 0 ?
        'The file has no NICs.' :
        `${ports} ports of NICs per server meet at one switch, net, with the rates of the ports.`
    }`,
  'assumed-delays': ({ nvlinkNs, pcieNs, networkNs }: {
    readonly nvlinkNs: number;
    readonly pcieNs: number;
    readonly networkNs: number;
  }) =>
    `Delays are not in the file: NVLinks have ${nvlinkNs} ns, PCIe ${pcieNs} ns, links to the network ${networkNs} ns ` +
    'where no latency is stated.',
};

const SIMAI = {
  'groups-of-one-gpu': counted('collectives are of groups of one GPU, and send nothing',
    'collective is of a group of one GPU, and sends nothing'),
  'collectives-of-other-passes': ({ pass, ...found }: OfPass) =>
    counted(`collectives are of passes that ${PASSES[pass]} does not make`,
      `collective is of a pass that ${PASSES[pass]} does not make`)(found),
  'computes-of-other-passes': ({ pass, ...found }: OfPass) =>
    counted(`compute times are of passes that ${PASSES[pass]} does not make`,
      `compute time is of a pass that ${PASSES[pass]} does not make`)(found),
  'update-times': counted('update times (column 12) are of layers without a collective, and are not waited for',
    'update time (column 12) is of a layer without a collective, and is not waited for'),
  'dependencies': counted('dependencies (column 2) are not -1, and not used, as in SimAI',
    'dependency (column 2) is not -1, and not used, as in SimAI'),
  'sizes-without-collectives': counted('sizes are next to NONE, and nothing is sent',
    'size is next to NONE, and nothing is sent'),
  'unsent-collectives': ({ word, ...found }: Counted & { readonly word: string }) =>
    counted(`collectives are ${word}, for which nothing is sent, as in SimAI`,
      `collective is ${word}, for which nothing is sent, as in SimAI`)(found),
  'empty-collectives': counted('collectives have a size of 0, and send nothing',
    'collective has a size of 0, and sends nothing'),
  'small-forward-sizes': ({ leastBytes, ...found }: Counted & { readonly leastBytes: number }) =>
    counted(`forward sizes below ${leastBytes} bytes are raised to it, as in SimAI`,
      `forward size below ${leastBytes} bytes is raised to it, as in SimAI`)(found),
  'layer-list': ({ key, ...found }: Counted & { readonly key: string }) =>
    counted(`layers of ${key} change nothing, as in SimAI`)(found),
  'expert-group': ({ group, ...found }: Counted & { readonly group: number }) =>
    counted(`expert_parallel_npu_group ${group} is not used, as SimAI reads ep alone`)(found),
  'one-stage': ({ stages }: { readonly stages: number }) => `One of ${stages} stages of the pipeline is run.`,
  'micro-batches-as-rows': ({ passes }: { readonly passes: number }) =>
    `ga ${passes}: the file has the rows of all ${passes} passes, and they run as they are.`,
  'virtual-stages-without-pipeline': ({ virtualStages }: { readonly virtualStages: number }) =>
    `vpp ${virtualStages} changes nothing without stages of a pipeline.`,
  'stage-bytes-without-pipeline': ({ stageBytes }: { readonly stageBytes: number }) =>
    `pp_comm ${stageBytes} is not sent without stages of a pipeline.`,
  'pipeline': ({ stages, gpus, microBatches, parts, sends, stageBytes }: {
    readonly stages: number;
    /** Number of GPUs per stage. */
    readonly gpus: number;
    readonly microBatches: number;
    readonly parts: number;
    readonly sends: number;
    readonly stageBytes: number;
  }) =>
    `The pipeline has ${stages} stages of ${gpus} GPUs, each with all rows of the file; ` +
    `${microBatches} micro-batches pass them in ${parts} parts, ${sends} sends of ${stageBytes} bytes; ` +
    'all forward passes come before the backward ones.',
  'stages-without-messages': () =>
    'pp_comm is 0: the stages send nothing to each other, and do not wait for each other.',
  'equal-micro-batches': ({ microBatches }: { readonly microBatches: number }) =>
    `No ${microBatches} rows are named embedding_layer: the rows are ${microBatches} equal micro-batches.`,
  'virtual-stages-limited': ({ virtualStages, parts }: {
    readonly virtualStages: number;
    readonly parts: number;
  }) => `vpp ${virtualStages} is more than a micro-batch has rows: it has ${parts} parts.`,
  'lines-behind-layers': ({ lines, layers }: { readonly lines: number; readonly layers: number }) =>
    `${lines} lines behind the ${layers} layers that are stated are not read.`,
  'lines-behind-links': ({ lines }: { readonly lines: number }) =>
    `${lines} lines behind the links that are stated are not read.`,
  'unknown-gpu-type': ({ gpuType, known }: { readonly gpuType: string; readonly known: readonly string[] }) =>
    `GPU type ${gpuType} means none, as in SimAI, which knows ${known.join(', ')}.`,
  'uneven-servers': ({ gpus, perServer }: { readonly gpus: number; readonly perServer: number }) =>
    `${gpus} GPUs do not fill servers of ${perServer}: the last server has fewer.`,
};

const SIMAI_COLLECTIVES = {
  'collective-messages': (figures: { readonly messages: number; readonly bytes: number }) =>
    `The collectives have ${messagesWords(figures)}.`,
  'collectives-run': ({ ncclAlgorithm, runs }: {
    readonly ncclAlgorithm: string;
    readonly runs: readonly CollectiveRuns[];
  }) => `Collectives run as ${ncclAlgorithm === 'nccl' ? 'NCCL chooses' : 'SimAI makes them'}: ${runsWords(runs)}.`,
  'gpus-per-server-not-set': () =>
    'gpusPerServer is not set: each GPU counts as a server, and a group runs one ring where SimAI runs one ' +
    'for each GPU of a server.',
  'nvls-not-auto': ({ ncclAlgorithm }: { readonly ncclAlgorithm: string }) =>
    `nvls has no effect with ncclAlgorithm ${ncclAlgorithm}.`,
  'nvls-unused': () =>
    'nvls is set, but SimAI uses NVLS only for tensor-parallel all-reduces of 8 or more H20, H100 or H800 of ' +
    'one server: there is none.',
  'pxn-unused': () => 'pxn is set, but no ring passes several servers with more than one GPU in each.',
  'nvls-without-packets': ({ nvlinkGbps }: { readonly nvlinkGbps: number }) =>
    `NVLS takes no packets: each GPU's NVLink is taken at ${nvlinkGbps} Gb/s, shared with nothing else.`,
  'rings-for-nvls': counted('all-reduces of several servers run by rings, as NVLS is within one',
    'all-reduce of several servers runs by rings, as NVLS is within one'),
  'uneven-groups': counted('collectives have groups that are unevenly spread over servers, and run as within one',
    'collective has a group that is unevenly spread over servers, and runs as within one'),
  'fewer-rings': ({ channels, perServer, servers, ...found }: Counted & {
    readonly channels: number;
    readonly perServer: number;
    readonly servers: number;
  }) => {
    const rings = channels === 1 ? 'one ring' : `${channels} rings`;
    const instead = servers === 1 ? `${perServer} that visit the GPUs of a server in the same order` : perServer;
    const than = `${rings} where SimAI runs one per local GPU, ${instead}`;
    return counted(`collectives run ${than}`, `collective runs ${than}`)(found);
  },
};

const SENTENCES = { ...GOAL, ...CHAKRA, ...HTSIM, ...NCCL_XML, ...SIMAI, ...SIMAI_COLLECTIVES };

/** A note on an imported workload or topology: an omission or a difference. */
export type WorkloadNote = NoteOf<typeof SENTENCES>;

/** Codes of notes about repeated items. */
export type CountedCode = Extract<WorkloadNote, { readonly figures: Counted }>['code'];

/** Figures of a code's note in addition to the count and the first place. */
export type FurtherFigures<Code extends CountedCode> = Omit<
  Extract<WorkloadNote, { readonly code: Code }>['figures'],
  keyof Counted
>;

export const workloadNote = noteMaker(SENTENCES);

/** Formats a message count: `12 messages of 4096 bytes in all`. */
export function messagesWords({ messages, bytes }: { readonly messages: number; readonly bytes: number }): string {
  return `${messages} messages of ${bytes} bytes in all`;
}

/** @param several a clause without a full stop; @param one the singular form. */
function counted(several: string, one = several): (found: Counted) => string {
  return ({ count, where }) => `${count} ${count === 1 ? one : several}: first at ${where}.`;
}

function namesWords(what: string, { count, where, names, hasOthers }: CountedNames): string {
  return `${count} ${what} have no effect (${
    [...names, ...(hasOthers ? ['others'] : [])].join(', ')
  }): first at ${where}.`;
}

function runsWords(runs: readonly CollectiveRuns[]): string {
  return runs.map(({ count, kind, gpus, protocol, ...plan }) =>
    `${count} ${kind} of ${gpus} GPUs ${planWords(plan)}${protocol === null ? '' : ` with ${protocol}`}`
  ).join('; ');
}

function planWords({ algorithm, channels, pxn }: Pick<CollectiveRuns, 'algorithm' | 'channels' | 'pxn'>): string {
  if (algorithm === 'direct') return 'direct';
  if (algorithm === 'nvls') return 'by NVLS';
  if (algorithm === 'tree') return `by ${2 * channels} trees`;
  return `by ${channels === 1 ? '1 ring' : `${channels} rings`}${pxn ? ' with PXN' : ''}`;
}

interface Found {
  readonly code: CountedCode;
  readonly figures: object;
  readonly where: string;
  count: number;
}

/** Counts what a file contains but the run does not use: how often, and where first. */
export class LeftOut {
  readonly #found = new Map<string, Found>();

  /** @param where file and place in it; @param figures of the code's note; different figures make a separate note. */
  add<Code extends CountedCode>(code: Code, where: string, count: number,
    ...further: object extends FurtherFigures<Code> ? [] : [figures: FurtherFigures<Code>]): void {
    const [figures = {}] = further as readonly object[];
    const key = `${code} ${JSON.stringify(figures)}`;
    const known = this.#found.get(key);
    if (known === undefined) this.#found.set(key, { code, figures, where, count });
    else known.count += count;
  }

  /** Notes, in the order in which they first occur in the file. */
  notes(): WorkloadNote[] {
    return [...this.#found.values()].map(({ code, figures, where, count }) =>
      workloadNote(code, { ...figures, count, where })
    );
  }
}

/** Maximum number of names listed, because a file may have any number of them; further names are only counted. */
const NAMES_MAX = 16;

/** Collects names in a file that have no effect: one note for all of them, with their number and first place. */
export class NamesWithoutEffect {
  readonly #code: 'names-without-effect' | 'unknown-names';
  readonly #names = new Set<string>();
  #hasOthers = false;
  #count = 0;
  #first = '';

  constructor(code: 'names-without-effect' | 'unknown-names') {
    this.#code = code;
  }

  add(name: string, where: string): void {
    if (this.#count++ === 0) this.#first = where;
    if (this.#names.has(name)) return;
    if (this.#names.size < NAMES_MAX) this.#names.add(name);
    else this.#hasOthers = true;
  }

  /** Returns no note or one. */
  notes(): WorkloadNote[] {
    if (this.#count === 0) return [];
    return [workloadNote(this.#code, {
      count: this.#count,
      where: this.#first,
      names: [...this.#names].sort(),
      hasOthers: this.#hasOthers,
    })];
  }
}
