/**
 * Contents of SimAI's workload text and topology files, and how each is treated (docs/specs/workloads.md, 4.3 and
 * 4.2).
 */
import type { FormatItem, FormatTable } from '../format-table.js';

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
