/** Contents of SimAI's topology files, and how each is treated (docs/specs/workloads.md, 4.2). */
import type { FormatTable } from '../format-table.js';

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
