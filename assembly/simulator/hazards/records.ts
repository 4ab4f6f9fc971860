/** The records of PFC's hazards, as unmanaged classes over linear memory; offsets are those of src/abi/hazard-layout.ts. */
import { HAZARD_CLASS_BYTES, HAZARD_DEADLOCK_BYTES, HAZARD_DEADLOCK_PORTS, HAZARD_DEADLOCK_NAMED,
  HAZARD_DEADLOCK_RECORDS, HAZARD_FLOW_BYTES, HAZARD_FLOW_ROOT, HAZARD_NETWORK_BYTES, HAZARD_NODE_BYTES,
  HAZARD_NODE_DROPS, HAZARD_PORT_BYTES, HAZARD_PORT_CAPACITY, HAZARD_PORT_FRAME_ERRORS, HAZARD_PORT_RATE,
  HAZARD_PORT_RECEIVE_DROPS, HAZARD_PORT_STORMED, HAZARD_STORM_BYTES } from '../../../src/abi/hazard-layout';

@unmanaged
export class HazardNetwork {
  checkIntervalPs: f64;
  quietPs: f64;
  deadlocks: u32;
  deadlockRecords: u32;
  free24: f64;
  free32: f64;
  free40: f64;
  free48: f64;
  free56: f64;
}

@unmanaged
export class HazardPort {
  /** Bit per class: the watchdog considers the queue stormed; and a pause is requested meanwhile. */
  stormed: u32;
  asked: u32;
  /** Receive buffer of a slow host: bytes, and its packets in order. */
  held: u32;
  head: u32;
  tail: u32;
  capacity: u32;
  xoff: u32;
  xon: u32;
  pauses: u32;
  mostHeld: u32;
  rateBps: f64;
  bitErrors: f64;
  frameErrors: f64;
  storms: f64;
  restored: f64;
  watchdogDrops: f64;
  stormedPs: f64;
  receiveDrops: u32;
  /** Bit per class: a storm of this host pauses it. */
  storming: u32;
  free104: f64;
  free112: f64;
  free120: f64;
}

/** A class of a port. */
@unmanaged
export class HazardClass {
  free0: i64;
  /** Of a stormed queue: time since which no pause is requested, and since which it is stormed. */
  quietSincePs: i64;
  stormedSincePs: i64;
  /** Bytes that arrived here and wait in suspected queues. */
  stuck: u32;
  /** Whether its queue is suspected of a deadlock. */
  suspected: u32;
}

@unmanaged
export class HazardFlow {
  heldPs: f64;
  /** The longest interval accounted in one step. */
  longestPs: f64;
  /** Number of the last walk along a queue that visited it. */
  walk: u32;
  /** The queue that holds it, port * 8 + class + 1; 0: none. Time since which it is accounted there, and the pause's root. */
  place: u32;
  heldAt: u32;
  root: u32;
  sincePs: i64;
  placeRoot: u32;
  free44: u32;
}

@unmanaged
export class HazardNode {
  detectionPs: f64;
  restorationPs: f64;
  pollPs: f64;
  drops: u32;
  /** Whether a poll is scheduled. */
  polling: u32;
  /** Shared memory in use if the suspected queues are blocked and all others empty. */
  stuckShared: u32;
  free36: u32;
  free40: f64;
}

@unmanaged
export class Storm {
  port: u32;
  classes: u32;
  fromPs: f64;
  untilPs: f64;
  everyPs: f64;
}

@unmanaged
export class Deadlock {
  formedPs: f64;
  foundPs: f64;
  /** -1: none. */
  resolvedPs: f64;
  ports: u32;
  free28: u32;
}

/** Compiled only while a layout disagrees: stops the build. */
export function checkHazardLayouts(): void {
  checkPort();
  if (offsetof<HazardNetwork>() != HAZARD_NETWORK_BYTES) ERROR('HazardNetwork');
  if (offsetof<HazardNetwork>('deadlockRecords') != HAZARD_DEADLOCK_RECORDS) ERROR('HazardNetwork.deadlockRecords');
  if (offsetof<HazardClass>() != HAZARD_CLASS_BYTES) ERROR('HazardClass');
  if (offsetof<HazardFlow>() != HAZARD_FLOW_BYTES) ERROR('HazardFlow');
  if (offsetof<HazardFlow>('root') != HAZARD_FLOW_ROOT) ERROR('HazardFlow.root');
  if (offsetof<HazardNode>() != HAZARD_NODE_BYTES) ERROR('HazardNode');
  if (offsetof<HazardNode>('drops') != HAZARD_NODE_DROPS) ERROR('HazardNode.drops');
  if (offsetof<Storm>() != HAZARD_STORM_BYTES) ERROR('Storm');
  if (offsetof<Deadlock>() != HAZARD_DEADLOCK_PORTS) ERROR('Deadlock');
  if (HAZARD_DEADLOCK_PORTS + (HAZARD_DEADLOCK_NAMED << 2) != HAZARD_DEADLOCK_BYTES) ERROR('HAZARD_DEADLOCK_BYTES');
}

function checkPort(): void {
  if (offsetof<HazardPort>() != HAZARD_PORT_BYTES) ERROR('HazardPort');
  if (offsetof<HazardPort>('capacity') != HAZARD_PORT_CAPACITY) ERROR('HazardPort.capacity');
  if (offsetof<HazardPort>('rateBps') != HAZARD_PORT_RATE) ERROR('HazardPort.rateBps');
  if (offsetof<HazardPort>('frameErrors') != HAZARD_PORT_FRAME_ERRORS) ERROR('HazardPort.frameErrors');
  if (offsetof<HazardPort>('stormedPs') != HAZARD_PORT_STORMED) ERROR('HazardPort.stormedPs');
  if (offsetof<HazardPort>('receiveDrops') != HAZARD_PORT_RECEIVE_DROPS) ERROR('HazardPort.receiveDrops');
}
