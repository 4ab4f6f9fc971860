/**
 * The tables of all workload formats, in the order of docs/reference/workload-formats.md, which is generated from them:
 * contents of GOAL schedules (docs/specs/workloads.md, 1), htsim's files (3), and SimAI's workload text (4.3) and
 * topology files (4.2). Readers use those of Chakra and NCCL, which are in their folders.
 */
import { CHAKRA_FORMAT } from './chakra/format.js';
import { type FormatItem, formatItems, type FormatTable } from './job-formats.js';
import { NCCL_XML_FORMAT } from './nccl-xml/xml-reader.js';

/** Keywords of the text form. */
export const GOAL_FORMAT: FormatTable = {
  format: 'goal',
  title: 'GOAL, text',
  owner: 'LogGOPSim, ATLAHS',
  items: [
    ...formatItems('word', 'effective', {
      num_ranks: 'number of ranks, each of which has a block',
      rank: 'a block, in any order',
      send: 'a message, which is a flow',
      recv: 'waits for its message; the size is that of the sender',
      calc: 'holds its lane; nanoseconds',
      tag: 'messages and receives meet by it; default 0, -1 of a receive is any',
      cpu: 'lane of the rank, 0 to 255; default 0',
      requires: 'waits for the end of another operation',
      irequires: 'waits for the start of another operation',
    }),
    ...formatItems('word', 'noted', {
      nic: 'port of the host: a message leaves by that of its path',
    }),
  ],
};

/** Fields of the binary form. */
export const GOAL_BINARY_FORMAT: FormatTable = {
  format: 'goal',
  title: 'GOAL, binary',
  owner: 'LogGOPSim, ATLAHS',
  items: [
    ...formatItems('header', 'effective', {
      magic: '4223; others are rejected, 2342 as consumed by a run',
      ranks: 'number of ranks',
      blocks: 'begin and end of the block of each rank',
    }),
    ...formatItems('header', 'noted', {
      'highest cpu': 'where it is not that of the operations',
      'highest nic': 'where it is not that of the operations',
    }),
    ...formatItems('block', 'effective', {
      operations: 'number of operations',
      'free operations':
        'number of operations without dependencies, which must be right; their list is made from the dependencies',
    }),
    ...formatItems('operation', 'effective', {
      dependencies: 'number of dependencies, which must be right',
      type: 'send, receive or compute; others are rejected',
      peer: 'rank at the other end; 2^32 - 1 is any',
      size: 'bytes, or nanoseconds of a compute',
      tag: 'messages and receives meet by it; 2^32 - 1 is any',
      cpu: 'lane of the rank',
      'dependents after its end': 'operations that wait for its end',
      'dependents after its start': 'operations that wait for its start',
    }),
    ...formatItems('operation', 'noted', {
      nic: 'port of the host: a message leaves by that of its path',
    }),
  ],
};

/** Keywords of a connection matrix. */
export const MATRIX_FORMAT: FormatTable = {
  format: 'cm',
  title: 'Connection matrices of htsim (.cm)',
  owner: 'htsim',
  items: [
    ...formatItems('header', 'effective', {
      Nodes: 'number of ranks',
      Connections: 'must be the number of connections',
      Triggers: 'must be the number of triggers; default 0',
      Failures: 'must be the number of failures; default 0',
    }),
    ...formatItems('connection', 'effective', {
      start: 'start of the flow, in `startUnit`',
      size: 'bytes; 0, or no size, is a flow without an end, which is noted and needs the end of the run',
      id: 'name of the connection, needed where a trigger starts it',
      trigger: 'starts when the trigger is set off, instead of start',
      send_done_trigger: 'trigger that its last ACK sets off',
      recv_done_trigger: 'trigger that its last byte at the receiver sets off',
    }),
    ...formatItems('connection', 'noted', {
      prio: 'only NDP uses it',
      msg: 'a message of a reused connection: here a flow with its own queue pair and start',
    }),
    ...formatItems('trigger', 'effective', {
      id: 'name of the trigger',
      oneshot: 'its first activation starts all that name it',
      multishot: 'each activation starts the next that names it',
      barrier: 'the activation of number count starts all that name it',
      count: 'of a barrier',
    }),
    ...formatItems('failure', 'effective', {
      switch_type: 'layer of the switch whose link is down, with a topology file; without one it is noted',
      switch_id: 'the switch in its layer',
      link_id: 'the link of the switch',
    }),
  ],
};

/** Keys of a topology file. */
export const TOPOLOGY_FORMAT: FormatTable = {
  format: 'topo',
  title: 'Topologies of htsim (.topo)',
  owner: 'htsim',
  items: [
    ...formatItems('header', 'effective', {
      Nodes: 'number of hosts',
      Tiers: '2 or 3',
      Podsize: 'hosts per pod; with 2 tiers all of them',
    }),
    ...formatItems('tier', 'effective', {
      Tier: 'layer that the next keys describe: 0 leaves, 1 aggregation, 2 cores',
      Downlink_speed_Gbps: 'rate of the links below',
      Downlink_Latency_ns: 'delay of the links below',
      Switch_Latency_ns: 'half of it in each link of the switch',
      Radix_Down: 'ports below',
      Radix_Up: 'ports above, which must fit the other numbers',
      Oversubscribed: 'capacity below over capacity above',
      Bundle: 'parallel links per pair below',
    }),
    ...formatItems('tier', 'noted', {
      Queue_Down: 'ports of a switch share its memory, `switches.bufferBytes`',
      Queue_Up: 'the same',
    }),
  ],
};

const item = (part: string, name: string, treatment: FormatItem['treatment'], meaning: string): FormatItem => ({
  name,
  part,
  treatment,
  meaning,
});

/** Table of SimAI's workload text. */
export const SIMAI_WORKLOAD_FORMAT: FormatTable = {
  format: 'simai',
  title: 'Workload text of SimAI',
  owner: 'SimAI',
  items: [
    item('parallelism', 'HYBRID_TRANSFORMER_FWD_IN_BCKWD', 'effective',
      'Forward passes, then backward ones, with the collectives of each'),
    item('parallelism', 'HYBRID_TRANSFORMER', 'effective', 'The same'),
    item('parallelism', 'DATA', 'effective', 'Weight gradients are exchanged among all GPUs'),
    item('parallelism', 'MICRO', 'effective', 'Weight gradients are exchanged, one layer after the other'),
    ...[
      'HYBRID_DLRM',
      'HYBRID_DLRM_ENHANCED',
      'MODEL',
      'HYBRID_DATA_MODEL',
      'HYBRID_MODEL_DATA',
      'HYBRID_CUSTOMIZED',
      'DISTRIBUTED_INFERENCE',
    ].map((name) => item('parallelism', name, 'rejected', 'Not supported')),
    item('header', 'model_parallel_NPU_group', 'effective', 'GPUs of a tensor-parallel group'),
    item('header', 'ep', 'effective', 'GPUs of an expert-parallel group'),
    item('header', 'pp', 'effective', 'Stages of the pipeline'),
    item('header', 'vpp', 'effective', 'Parts of a stage, if there are several stages; otherwise noted'),
    item('header', 'ga', 'effective',
      'Micro-batches, if there are several stages; otherwise noted, as their rows are in the file'),
    item('header', 'pp_comm', 'effective', 'Bytes from a GPU to the next stage, if there are several; otherwise noted'),
    item('header', 'all_gpus', 'effective', 'GPUs'),
    item('header', 'checkpoints', 'noted', 'SimAI computes nothing again for them'),
    item('header', 'checkpoint_initiates', 'noted', 'SimAI computes nothing again for them'),
    item('header', 'expert_parallel_npu_group', 'noted', 'SimAI reads ep alone'),
    item('header', 'DLRM_LAST_BOTTOM_LAYER', 'rejected', 'Of parallelisms that are not supported'),
    item('line 2', 'layers', 'effective', 'Number of lines that follow; more of them are noted, fewer rejected'),
    item('column 1', 'name', 'effective', 'Finds micro-batches, if there are several stages'),
    item('column 2', 'dependency', 'noted', 'SimAI reads and does not use it'),
    item('column 3', 'forward compute', 'effective', 'Nanoseconds'),
    item('column 4', 'forward collective', 'effective', 'Waited for'),
    item('column 5', 'forward size', 'effective', 'Bytes; at least 4096, with a note; 0 is noted, and nothing is sent'),
    item('column 6', 'input gradient compute', 'effective', 'Nanoseconds'),
    item('column 7', 'input gradient collective', 'effective', 'Waited for'),
    item('column 8', 'input gradient size', 'effective', 'Bytes; 0 is noted, and nothing is sent'),
    item('column 9', 'weight gradient compute', 'effective', 'Nanoseconds'),
    item('column 10', 'weight gradient collective', 'effective', 'Not waited for'),
    item('column 11', 'weight gradient size', 'effective', 'Bytes; 0 is noted, and nothing is sent'),
    item('column 12', 'update time', 'effective',
      'Nanoseconds behind each collective of the layer; noted if it has none'),
    item('column 13', 'parallelism of the layer', 'rejected', 'Of HYBRID_CUSTOMIZED, which is not supported'),
    ...['ALLREDUCE', 'ALLGATHER', 'REDUCESCATTER', 'ALLTOALL'].flatMap((name) =>
      [name, `${name}_EP`, `${name}_DP_EP`].map((word) =>
        item('collective', word, 'effective', 'A collective of its group')
      )
    ),
    item('collective', 'NONE with a size', 'noted', 'Nothing is sent'),
    item('collective', 'BROADCAST', 'noted', 'SimAI sends nothing for it'),
    item('collective', 'ALLREDUCEALLTOALL', 'rejected', 'SimAI takes it for an all-reduce without a group'),
  ],
};

/** Table of SimAI's topology files. */
export const SIMAI_TOPOLOGY_FORMAT: FormatTable = {
  format: 'simai-topology',
  title: 'Topology of SimAI',
  owner: 'SimAI',
  items: [
    { part: 'line 1', name: 'nodes', treatment: 'effective', meaning: 'GPUs and switches' },
    {
      part: 'line 1',
      name: 'GPUs per server',
      treatment: 'effective',
      meaning: 'GPUs that one NVSwitch may have; an incomplete server is noted',
    },
    { part: 'line 1', name: 'NVSwitches', treatment: 'effective', meaning: 'Switches that mark and pause nothing' },
    { part: 'line 1', name: 'switches', treatment: 'effective', meaning: 'Other switches' },
    {
      part: 'line 1',
      name: 'links',
      treatment: 'effective',
      meaning: 'Number of links that follow; more lines are noted, fewer rejected',
    },
    {
      part: 'line 1',
      name: 'GPU type',
      treatment: 'effective',
      meaning: 'Which GPUs; a word that SimAI does not know is noted',
    },
    { part: 'line 2', name: 'ids of switches', treatment: 'effective', meaning: 'NVSwitches first' },
    { part: 'link', name: 'nodes', treatment: 'effective', meaning: 'Its two ends' },
    { part: 'link', name: 'rate', treatment: 'effective', meaning: 'Bits per second' },
    { part: 'link', name: 'delay', treatment: 'effective', meaning: 'One way' },
    { part: 'link', name: 'error rate', treatment: 'effective', meaning: 'Share of packets that it loses' },
  ],
};

export const FORMAT_TABLES: readonly FormatTable[] = [
  CHAKRA_FORMAT,
  GOAL_FORMAT,
  GOAL_BINARY_FORMAT,
  MATRIX_FORMAT,
  TOPOLOGY_FORMAT,
  SIMAI_WORKLOAD_FORMAT,
  SIMAI_TOPOLOGY_FORMAT,
  NCCL_XML_FORMAT,
];
