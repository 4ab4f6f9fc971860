/** Rejects a topology whose file has not been read. */
import { rejectScenario } from '../scenario/scenario-error.js';
import type { FileTopologySpec } from '../scenario/spec.js';

/** @throws RoceError `invalid-scenario`, always. */
export function rejectUnread({ file }: FileTopologySpec): never {
  const hint = 'Read the file with roce-cc/workloads, and put its topology here';
  return rejectScenario({
    what: 'the file of the topology',
    problem: 'has not been read',
    got: file,
    where: 'topology.file',
    hint,
  });
}
