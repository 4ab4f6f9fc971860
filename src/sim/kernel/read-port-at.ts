/** Counters of a port at a time between two events, as far as they are sums over time; the kernel's own stay as of the last event. */
import * as layout from '../../abi/sim-layout.js';
import { readBusyPs } from './port-samples.js';
import { readPort, type RawPort } from './read-records.js';

const CLASSES = 8;

/** Counters of a port up to a time. */
export type PortAt = Pick<
  RawPort,
  'txBytes' | 'marks' | 'drops' | 'fastCnps' | 'pausesSent' | 'pausesReceived' | 'queueBytes' | 'busyPs'
    | 'queueIntegral' | 'pausedPs'
>;

/** @param at address of its record. @param timePs not before the last event. */
export function readPortAt(view: DataView, at: number, timePs: number): PortAt {
  const port = readPort(view, at);
  const sincePs = (address: number): number => timePs - Number(view.getBigInt64(address, true));
  return {
    ...port,
    busyPs: readBusyPs(view, at, timePs),
    queueIntegral: port.queueIntegral + port.queueBytes * sincePs(at + layout.PORT_QUEUE_SINCE),
    pausedPs: pausedClasses(view, at).reduce(
      (sum, cls) => sum + sincePs(at + layout.PORT_CLASSES + cls * layout.CLASS_BYTES + layout.CLASS_PAUSED_SINCE),
      port.pausedPs,
    ),
  };
}

function pausedClasses(view: DataView, at: number): number[] {
  const bits = view.getUint8(at + layout.PORT_PAUSED_CLASSES);
  return Array.from({ length: CLASSES }, (_, cls) => cls).filter((cls) => (bits & (1 << cls)) !== 0);
}
