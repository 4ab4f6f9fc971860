/**
 * Starts a message, in a record that another one may have used.
 *
 *   free     the record's flow is done, has left its port's list, and no packet of it is in the network
 *   begin    settings of its pattern, size and ports; QP, losses and cached egress ports are reset
 *
 * Of the free records, the one that left its list first is taken, before any unused one, so that about as many records are used as
 * messages run at a time. The only difference from a run with a record per message: a finished message's timeout is no event.
 */
import { QP_OPEN, QP_PARAMETER_SET_SHIFT } from '../../../src/abi/codes';
import { FLOW_RECEIVED, RUN_NO_RECORD, SIM_NONE } from '../../../src/abi/sim-codes';
import { open as openByTable } from '../../algorithms/by-table';
import { asDcqcn } from '../../algorithms/dcqcn/record';
import { open as openDcqcn } from '../../algorithms/dcqcn/transitions';
import { isBuiltIn } from '../../algorithms/registry';
import { flagsOf, parameterSetOf, setFlags, stateOf } from '../../memory/map';
import { joinWindow } from '../../np/windows';
import { cancel } from '../event-queue';
import { halt } from '../halt';
import { flowAt } from '../network';
import { forgetEntropies } from '../path-selection/memory';
import { forgetNextHops } from '../paths';
import { renewRunning } from '../running';
import { startFlow } from '../sender';
import { timeoutEvent } from '../timeouts';
import { lossesOf } from '../transport/memory';
import { flowLeft, hasPackets, leftRecords, messages, patterns, recordCount, removeLeft, unusedRecord,
  useRecord } from './memory';
import { addToSums } from './sums';
import { SIM_FLOW_BYTES, TIMEOUT_SET } from '../../records/network';
import { FLOW_LOSSES_BYTES } from '../../records/transports';
import { MESSAGE_BYTES, Message, PATTERN_BYTES, Pattern } from '../../records/flows';

/** Starts the message of an operation. */
export function startMessage(message: u32, operation: u32): void {
  const record = takeRecord();
  if (record == SIM_NONE) return halt(RUN_NO_RECORD);
  const own = changetype<Message>(messages + <usize>message * MESSAGE_BYTES);
  const pattern = changetype<Pattern>(patterns + <usize>own.pattern * PATTERN_BYTES);
  const flow = flowAt(record);
  memory.copy(changetype<usize>(flow), changetype<usize>(pattern), SIM_FLOW_BYTES);
  flow.sizeBytes = own.sizeBytes;
  flow.udpPorts = own.udpPorts;
  flow.operation = operation + 1;
  flow.qp = record;
  memory.fill(changetype<usize>(lossesOf(record)), 0, FLOW_LOSSES_BYTES);
  useRecord(record, pattern.job);
  openQp(record, pattern.parameterSet);
  forgetNextHops(record);
  forgetEntropies(record);
  renewRunning(record);
  startFlow(record);
}

/** A record for a new message; SIM_NONE if all are in use. */
function takeRecord(): u32 {
  const waiting = leftRecords();
  for (let inspected: u32 = 0; inspected < waiting; inspected++) {
    const record = removeLeft();
    if (isOver(record)) return freed(record);
    flowLeft(record);
    // Few records wait for packets in flight, so only the first is checked, unless there are no unused ones.
    const unused = inspected ? recordCount() : unusedRecord();
    if (unused < recordCount()) return unused;
  }
  const unused = unusedRecord();
  return unused < recordCount() ? unused : SIM_NONE;
}

/** Whether a flow that is finished at its sender has no packets in flight. */
@inline function isOver(record: u32): bool {
  return !hasPackets(record) && (flowAt(record).flags & FLOW_RECEIVED) != 0;
}

function freed(record: u32): u32 {
  addToSums(record);
  if (flowAt(record).timeoutState == TIMEOUT_SET) cancel(timeoutEvent(record));
  return record;
}

/** Resets a QP to its initial state. */
function openQp(qp: u32, parameterSet: u32): void {
  setFlags(qp, QP_OPEN | (parameterSet << QP_PARAMETER_SET_SHIFT));
  joinWindow(qp);
  const own = parameterSetOf(flagsOf(qp));
  if (isBuiltIn(own.algorithm)) openDcqcn(stateOf(qp), asDcqcn(own));
  else openByTable(qp);
}
