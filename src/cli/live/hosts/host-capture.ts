/** Captures frames of emulated hosts in a pcapng file: one interface per host, times since the start. */
import { writeCaptureFile } from '../../../capture/node-file.js';
import type { HostFrame } from '../../../live/index.js';
import { PS_PER_SECOND } from '../../../unit-sizes.js';
import { FrameRecord } from '../frame-record.js';

/** A capture being written. */
export interface HostCapture {
  readonly add: (frame: HostFrame) => void;
  /** Ends the capture; may be called more than once. */
  readonly end: () => void;
  /** Waits until everything is written. @returns the number of dropped frames. @throws errors of writing the file. */
  readonly finish: () => Promise<number>;
}

/** @param hosts host names, in the order of the interfaces. */
export function writeHostFrames(file: string, hosts: readonly string[]): HostCapture {
  const record = new FrameRecord();
  const sections = [{ interfaces: hosts.map((name) => ({ name })) }];
  const writing = writeCaptureFile(file, record.frames(), { format: 'pcapng', sections });
  // A write error is reported by `finish`, not as an unhandled rejection.
  const outcome = Promise.allSettled([writing]);
  return {
    add: ({ host, timePs, frame }) => {
      const epochSeconds = Math.floor(timePs / PS_PER_SECOND);
      const picoseconds = Math.round(timePs - epochSeconds * PS_PER_SECOND);
      const interfaceId = hosts.indexOf(host);
      record.add({ bytes: frame.slice(), originalBytes: frame.length, interfaceId, epochSeconds, picoseconds });
    },
    end: () => {
      record.end();
    },
    finish: async () => {
      const [one] = await outcome;
      if (one.status === 'rejected') throw one.reason;
      return record.dropped;
    },
  };
}
