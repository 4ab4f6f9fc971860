/** Contents of htsim's files: connection matrices and topologies (docs/specs/workloads.md, 3). */
import { formatItems, type FormatTable } from '../format-table.js';

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
