/** Rejects workloads with one code, and a fault that names the problem. */
import { RoceError, type RoceErrorFields } from '../errors.js';
import type { JobFormat } from './job-formats.js';

/** Codes of faults in a workload's file; `GOAL_SYNTAX` and the like by its format. */
export type WorkloadFault = `${Uppercase<JobFormat>}_SYNTAX` | 'TOPO_SYNTAX' | 'XML_SYNTAX' | 'UNKNOWN_TOKEN'
  | 'BAD_PROTOBUF' | 'TRUNCATED' | 'BAD_MAGIC' | 'INVALIDATED' | 'UNKNOWN_VERSION' | 'UNKNOWN_LABEL' | 'DUPLICATE_LABEL'
  | 'UNKNOWN_NODE' | 'DUPLICATE_NODE' | 'UNKNOWN_NODE_TYPE' | 'MISSING_RANK' | 'DUPLICATE_RANK' | 'RANK_OUT_OF_RANGE'
  | 'NO_NUM_RANKS' | 'NO_NODES' | 'SELF_MESSAGE' | 'BAD_SIZE' | 'BAD_TAG' | 'BAD_LANE' | 'BAD_ID' | 'BAD_COUNT'
  | 'CYCLE' | 'UNMATCHED_SEND' | 'UNMATCHED_RECV' | 'NO_PEER' | 'UNKNOWN_COLLECTIVE' | 'COLLECTIVE_MISMATCH'
  | 'UNKNOWN_GROUP' | 'NOT_A_MEMBER' | 'BAD_GROUPS' | 'UNKNOWN_TRIGGER' | 'DUPLICATE_TRIGGER' | 'NO_TYPE' | 'NO_START'
  | 'TWO_STARTS' | 'NO_ID' | 'FIRED_TWICE' | 'UNKNOWN_PARALLELISM' | 'BAD_RADIX' | 'BAD_TIER' | 'MISSING_KEY'
  | 'DUPLICATE_KEY' | 'STUCK' | 'TOO_LARGE';

/**
 * Rejects a workload. `where` is the file and the place in it, such as `x.goal, line 4`.
 * @throws RoceError `invalid-workload`, always.
 */
export function rejectWorkload(fault: WorkloadFault, fields: RoceErrorFields & { readonly where: string }): never {
  throw new RoceError('invalid-workload', { ...fields, fault });
}
