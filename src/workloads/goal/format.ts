/** Contents of GOAL schedules, text and binary (docs/specs/workloads.md, 1). */
import { formatItems, type FormatTable } from '../format-table.js';

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
