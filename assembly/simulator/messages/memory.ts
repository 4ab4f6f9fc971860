/**
 * Messages that share flow records: a network whose flows are all messages of jobs may have fewer records than messages. Otherwise
 * nothing is allocated, and `recycling` is false.
 */
import { SIM_MESSAGE_SUMS, SIM_MESSAGES, SIM_PATTERNS, SIM_RECORD_USES } from '../../../src/abi/sim-codes';
import { allocate } from '../../memory/map';
import { simCapacity } from '../network';
import { publish } from '../regions';
import { SIM_CAPACITY_FLOWS, SIM_CAPACITY_MESSAGES, SIM_CAPACITY_MESSAGE_JOBS,
  SIM_CAPACITY_PATTERNS } from '../../records/sim-run';
import { MESSAGE_BYTES, MESSAGE_SUMS_BYTES, PATTERN_BYTES, RECORD_USE_BYTES, RecordUse } from '../../records/flows';

/** Whether messages share the records of flows. */
export let recycling: bool = false;
export let messageCount: u32 = 0;
export let messages: usize = 0;
export let patterns: usize = 0;
export let messageSums: usize = 0;
/** Address of the usage of each flow record. */
let recordUses: usize = 0;

/** Ring of the records whose flows have left their port's list, in that order. */
let left: usize = 0;
let leftFirst: u32 = 0;
let leftCount: u32 = 0;
let records: u32 = 0;
/** Number of records used so far; records are used in ascending order. */
export let recordsUsed: u32 = 0;

export function allocateMessages(): void {
  messageCount = simCapacity(SIM_CAPACITY_MESSAGES);
  recycling = messageCount > 0;
  if (!recycling) return;
  records = simCapacity(SIM_CAPACITY_FLOWS);
  messages = publish(SIM_MESSAGES, allocate(<usize>messageCount * MESSAGE_BYTES));
  patterns = publish(SIM_PATTERNS, allocate(<usize>simCapacity(SIM_CAPACITY_PATTERNS) * PATTERN_BYTES));
  messageSums = publish(SIM_MESSAGE_SUMS, allocate(<usize>simCapacity(SIM_CAPACITY_MESSAGE_JOBS) * MESSAGE_SUMS_BYTES));
  recordUses = publish(SIM_RECORD_USES, allocate(<usize>records * RECORD_USE_BYTES));
  left = allocate(<usize>records << 2);
}

/** Frees all records. */
export function beginMessages(): void {
  recordsUsed = 0;
  leftFirst = 0;
  leftCount = 0;
}

@inline function useOf(record: u32): RecordUse {
  return changetype<RecordUse>(recordUses + <usize>record * RECORD_USE_BYTES);
}

@inline export function jobOfRecord(record: u32): u32 {
  return useOf(record).job;
}

/** Assigns the record to a message of a job. */
export function useRecord(record: u32, job: u32): void {
  const use = useOf(record);
  use.job = job;
  use.packets = 0;
}

/** Called when a packet of a flow enters the network. */
@inline export function packetEntered(record: u32): void {
  useOf(record).packets++;
}

@inline export function packetLeft(record: u32): void {
  useOf(record).packets--;
}

@inline export function hasPackets(record: u32): bool {
  return useOf(record).packets != 0;
}

/** Called when a finished flow has left its port's list. */
export function flowLeft(record: u32): void {
  store<u32>(left + (<usize>((leftFirst + leftCount++) % records) << 2), record);
}

@inline export function leftRecords(): u32 {
  return leftCount;
}

/** Removes the record that left first. */
export function removeLeft(): u32 {
  const record = load<u32>(left + (<usize>leftFirst << 2));
  leftFirst = (leftFirst + 1) % records;
  leftCount--;
  return record;
}

/** The first unused record, or `records` if there is none. */
export function unusedRecord(): u32 {
  return recordsUsed < records ? recordsUsed++ : records;
}

@inline export function recordCount(): u32 {
  return records;
}
