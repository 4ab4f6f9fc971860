/** Errors of runs that outgrow the kernel's memory. */
import { RoceError } from '../../errors.js';

const WASM_MEMORY_MAX_BYTES = 2 ** 32;

export function rejectMorePackets(memoryBytes: number, nowPs: number): never {
  throw new RoceError('capacity', {
    what: 'the memory for packets in flight',
    problem: 'is exhausted',
    got: memoryBytes,
    allowed: { max: WASM_MEMORY_MAX_BYTES, unit: 'bytes' },
    where: `${nowPs} ps`,
  });
}

export function rejectMoreMessages(recordsUsed: number): never {
  throw new RoceError('capacity', {
    what: 'the records of messages in flight',
    problem: 'are exhausted',
    got: recordsUsed,
    allowed: { max: recordsUsed },
    where: 'record.messageRecords',
    hint: 'Increase it',
  });
}
