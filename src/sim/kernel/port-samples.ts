/** A sample of many ports at once, port by port, from one view of the kernel's memory. */
import { reject } from '../../config/field-rules.js';
import { SIM_PORT } from '../../abi/records/network.js';

/** A sample: in each array one value per port, in the order of the ports. */
export interface PortLook {
  /** Bytes that wait. */
  readonly queueBytes: Float64Array;
  /** How long the port has been sending so far, picoseconds. */
  readonly busyPs: Float64Array;
  /** Maximum bytes that waited since the previous sample, or since the start. */
  readonly mostQueueBytes: Float64Array;
}

/** The ports' records: their addresses, and by port the maximum that earlier samples have reset. */
interface PortRecords {
  readonly view: DataView;
  readonly at: number;
  readonly most: Float64Array;
}

/** Each sample reads these of each port. */
const {
  bytes: PORT_BYTES,
  at: { queueBytes: QUEUE_AT, maxQueueBytes: MAX_QUEUE_AT, freeAtPs: FREE_AT, busyPs: BUSY_AT },
} = SIM_PORT;
const FIELDS = ['queueBytes', 'busyPs', 'mostQueueBytes'] as const;

/** Rejects arrays that are not large enough for the ports. */
export function checkLook(into: PortLook, count: number): void {
  for (const field of FIELDS) {
    const values: unknown = (into as Partial<PortLook> | null | undefined)?.[field];
    if (values instanceof Float64Array && values.length === count) continue;
    reject({ got: values, allowed: `a Float64Array of ${count} values`, where: `into.${field}` });
  }
}

/** Reads the ports, and resets the maximum queue of each. */
export function drainPorts({ view, at, most }: PortRecords, ports: Int32Array, timePs: number, into: PortLook): void {
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

/** How long a port has been sending by a time that is not before the last event. A transmission is counted when it begins. */
export function readBusyPs(view: DataView, record: number, timePs: number): number {
  const freeAtPs = view.getUint32(record + FREE_AT, true) +
    view.getUint32(record + FREE_AT + 4, true) * 2 ** 32;
  return view.getFloat64(record + BUSY_AT, true) - Math.max(0, freeAtPs - timePs);
}
