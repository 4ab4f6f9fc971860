/** Samples many ports in one pass over the kernel's memory. */
import { readField } from '../../abi/records/define-record.js';
import { SIM_PORT, SIM_CLASS } from '../../abi/records/network.js';
import { reject } from '../../config/field-rules.js';
import { requireIndex } from './kernel-options.js';
import { readPort, type RawPort } from './read-records.js';

/** A sample: in each array one value per port, in the order of the ports. */
export interface DrainedPorts {
  /** Bytes waiting. */
  readonly queueBytes: Float64Array;
  /** How long the port has been sending so far, picoseconds. */
  readonly busyPs: Float64Array;
  /** Maximum bytes waiting since the previous sample, or since the start. */
  readonly mostQueueBytes: Float64Array;
}

/** A sample that resets nothing, with one value per port of the network. */
export type PortSample = Pick<DrainedPorts, 'queueBytes' | 'busyPs'>;

/** The ports' records: their addresses, and the maximum queue of each port that earlier samples have reset. */
interface PortRecords {
  readonly view: DataView;
  readonly at: number;
  readonly most: Float64Array;
}

/** Fields that each sample reads. */
const {
  bytes: PORT_BYTES,
  at: { queueBytes: QUEUE_AT, maxQueueBytes: MAX_QUEUE_AT, freeAtPs: FREE_AT, busyPs: BUSY_AT },
} = SIM_PORT;
export const PORT_SAMPLE_FIELDS = ['queueBytes', 'busyPs'] as const;
const DRAINED_FIELDS = [...PORT_SAMPLE_FIELDS, 'mostQueueBytes'] as const;

/** Rejects arrays that do not have one value per port. */
export function checkArrays<Field extends string>(into: Readonly<Record<Field, Float64Array>>, fields: readonly Field[],
  count: number): void {
  for (const field of fields) {
    const values: unknown = (into as Partial<Record<Field, unknown>> | null | undefined)?.[field];
    if (values instanceof Float64Array && values.length === count) continue;
    reject({ got: values, allowed: `a Float64Array of ${count} values`, where: `into.${field}` });
  }
}

/** Rejects ports that the network does not have, and arrays whose length is not the number of ports. */
export function checkDrained(ports: Int32Array, into: DrainedPorts, portCount: number): void {
  if (!(ports instanceof Int32Array)) reject({ got: ports, allowed: 'an Int32Array', where: 'ports' });
  checkArrays(into, DRAINED_FIELDS, ports.length);
  for (const port of ports) requireIndex('ports', port, portCount);
}

/** Reads the ports, and resets the maximum queue of each. */
export function drainPorts({ view, at, most }: PortRecords, ports: Int32Array, timePs: number,
  into: DrainedPorts): void {
  const { queueBytes, busyPs, mostQueueBytes } = into;
  for (let place = 0; place < ports.length; place++) {
    const port = ports[place];
    const record = at + port * PORT_BYTES;
    const bytes = view.getUint32(record + QUEUE_AT, true);
    const mostBytes = view.getUint32(record + MAX_QUEUE_AT, true);
    queueBytes[place] = bytes;
    mostQueueBytes[place] = mostBytes;
    busyPs[place] = readBusyPs(view, record, timePs);
    view.setUint32(record + MAX_QUEUE_AT, bytes, true);
    if (mostBytes > most[port]) most[port] = mostBytes;
  }
}

/** Reads queue and sending time of all ports without resetting anything. */
export function readPorts(view: DataView, at: number, timePs: number, { queueBytes, busyPs }: PortSample): void {
  for (let port = 0; port < queueBytes.length; port++) {
    const record = at + port * PORT_BYTES;
    queueBytes[port] = view.getUint32(record + QUEUE_AT, true);
    busyPs[port] = readBusyPs(view, record, timePs);
  }
}

/** How long a port has been sending by a time that is not before the last event. A transmission is counted when it begins. */
export function readBusyPs(view: DataView, record: number, timePs: number): number {
  const freeAtPs = view.getUint32(record + FREE_AT, true) +
    view.getUint32(record + FREE_AT + 4, true) * 2 ** 32;
  return view.getFloat64(record + BUSY_AT, true) - Math.max(0, freeAtPs - timePs);
}

/*
 * Counters of a port at a time between two events. Sums over time are extended to that time; the kernel's own remain as of the
 * last event.
 */

const CLASSES = 8;

/** Counters of a port up to a time. */
export type PortAt = Pick<
  RawPort,
  'txBytes' | 'marks' | 'drops' | 'fastCnps' | 'pausesSent' | 'pausesReceived' | 'queueBytes' | 'busyPs'
    | 'queueIntegral' | 'pausedPs'
>;

/** Reads a port's counters. @param at address of its record. @param timePs not before the last event. */
export function readPortAt(view: DataView, at: number, timePs: number): PortAt {
  const port = readPort(view, at);
  return {
    ...port,
    busyPs: readBusyPs(view, at, timePs),
    queueIntegral: port.queueIntegral + port.queueBytes * (timePs - readField(view, at, SIM_PORT, 'queueSincePs')),
    pausedPs: pausedClasses(view, at).reduce(
      (sum, cls) => sum + (timePs - readField(view, classAt(at, cls), SIM_CLASS, 'pausedSincePs')),
      port.pausedPs,
    ),
  };
}

function pausedClasses(view: DataView, at: number): number[] {
  const bits = readField(view, at, SIM_PORT, 'paused');
  return Array.from({ length: CLASSES }, (_, cls) => cls).filter((cls) => (bits & (1 << cls)) !== 0);
}

function classAt(port: number, cls: number): number {
  return port + SIM_PORT.at.classes + cls * SIM_CLASS.bytes;
}
