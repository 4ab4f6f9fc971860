/**
 * Counters of a port at a time between two events. Sums over time are extended to that time; the kernel's own remain as of the
 * last event.
 */
import { readBusyPs } from './port-samples.js';
import { readPort, type RawPort } from './read-records.js';
import { SIM_CLASS, SIM_PORT } from '../../abi/records/network.js';
import { readField } from '../../abi/records/fields.js';

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
