/** The records of a graph, in regions after the network's; allocated only if there are operations. */
import { SIM_CHANNELS, SIM_NONE, SIM_OPERATION_EDGES, SIM_OPERATIONS } from '../../../src/abi/sim-codes';
import { allocate } from '../../memory/map';
import { simCapacity } from '../network';
import { publish } from '../regions';
import { SIM_CAPACITY_CHANNELS, SIM_CAPACITY_EDGES, SIM_CAPACITY_LANES, SIM_CAPACITY_OPERATIONS,
  SIM_CAPACITY_OPERATION_QUEUES } from '../../records/sim-run';
import { CHANNEL_BYTES, Channel, LANE_BYTES, Lane, OPERATION_BYTES, OPERATION_QUEUE_BYTES, Operation,
  OperationQueue } from '../../records/graph';

export let operationCount: u32 = 0;
export let operations: usize = 0;
/** Edges of the graph: operations that depend on others, u32 each. */
export let edges: usize = 0;
export let channels: usize = 0;

let laneCount: u32 = 0;
let channelCount: u32 = 0;
let queueCount: u32 = 0;
let lanes: usize = 0;
let queues: usize = 0;

export function allocateRecords(): void {
  operationCount = simCapacity(SIM_CAPACITY_OPERATIONS);
  laneCount = simCapacity(SIM_CAPACITY_LANES);
  channelCount = simCapacity(SIM_CAPACITY_CHANNELS);
  queueCount = simCapacity(SIM_CAPACITY_OPERATION_QUEUES);
  operations = publish(SIM_OPERATIONS, allocate(<usize>operationCount * OPERATION_BYTES));
  edges = publish(SIM_OPERATION_EDGES, allocate(<usize>simCapacity(SIM_CAPACITY_EDGES) << 2));
  lanes = allocate(<usize>laneCount * LANE_BYTES);
  channels = publish(SIM_CHANNELS, allocate(<usize>channelCount * CHANNEL_BYTES));
  queues = allocate(<usize>queueCount * OPERATION_QUEUE_BYTES);
}

/** Clears all queues and frees all lanes. */
export function clearQueues(): void {
  for (let index: u32 = 0; index < laneCount; index++) {
    const lane = laneAt(index);
    lane.head =
      lane.tail =
      lane.holder =
      lane.last =
        SIM_NONE;
  }
  for (let index: u32 = 0; index < channelCount; index++) {
    const channel = channelAt(index);
    channel.begunHead =
      channel.begunTail =
      channel.arrivedHead =
      channel.arrivedTail =
        SIM_NONE;
  }
  for (let index: u32 = 0; index < queueCount; index++) queueAt(index).head = queueAt(index).tail = SIM_NONE;
}

@inline export function operationAt(index: u32): Operation {
  return changetype<Operation>(operations + <usize>index * OPERATION_BYTES);
}

/** The operation of an edge. */
@inline export function edgeAt(place: u32): u32 {
  return load<u32>(edges + (<usize>place << 2));
}

@inline export function laneAt(index: u32): Lane {
  return changetype<Lane>(lanes + <usize>index * LANE_BYTES);
}

@inline export function channelAt(index: u32): Channel {
  return changetype<Channel>(channels + <usize>index * CHANNEL_BYTES);
}

@inline export function queueAt(index: u32): OperationQueue {
  return changetype<OperationQueue>(queues + <usize>index * OPERATION_QUEUE_BYTES);
}
