/**
 * Replays a recorded run through the emulated switch. The arrivals, with their ports and times, determine everything that a
 * switch does, so a replay of a record has the frames, marks and drops of the run, at the same times.
 *
 *   record    pcapng: an interface per port; times since the switch's clock began; frames in the order in which they were taken
 */
import type { CaptureFrame, FrameToWrite } from '../../capture/index.js';
import { checkFields, checkRecord, wholeIn, type FieldRules } from '../../config/field-rules.js';
import { RoceError } from '../../errors.js';
import type { ScenarioSpec } from '../../sim/index.js';
import { PS_PER_SECOND } from '../../unit-sizes.js';
import { emulateSwitch, type SwitchEmulationOptions } from './emulation.js';
import type { SwitchCounters } from './switch-counters.js';

/** A frame that came to a switch. */
export interface SwitchArrival {
  /** Port, from 0. */
  readonly port: number;
  /** When the switch took it, picoseconds since its clock began. */
  readonly timePs: number;
  /** Valid until the callback returns. */
  readonly frame: Uint8Array;
  /** Its length on the wire, bytes; above that of `frame`: it was truncated by the capture. */
  readonly originalLenBytes: number;
}

const ARRIVAL: FieldRules<SwitchArrival> = {
  port: wholeIn(0, 65_535),
  timePs: wholeIn(0, Number.MAX_SAFE_INTEGER, 'ps'),
  frame: { allowed: 'a Uint8Array', accepts: (value) => value instanceof Uint8Array },
  originalLenBytes: wholeIn(0, 2 ** 32 - 1, 'bytes'),
};

/**
 * An arrival as a frame of a record, for `writeCapture` with an interface per port; its bytes are copied.
 *
 * @throws RoceError `invalid-config` for an invalid arrival.
 */
export function recordedArrival(arrival: SwitchArrival): FrameToWrite {
  const { port, timePs, frame, originalLenBytes } = checkFields<SwitchArrival>(arrival, ARRIVAL, 'arrival');
  const epochSeconds = Math.floor(timePs / PS_PER_SECOND);
  return {
    bytes: frame.slice(),
    originalBytes: originalLenBytes,
    interfaceId: port,
    epochSeconds,
    picoseconds: timePs - epochSeconds * PS_PER_SECOND,
  };
}

/**
 * Runs recorded arrivals through the switch of a scenario: the departures, marks and drops are those of the recorded run, if it
 * had the same scenario and options.
 *
 * @param arrivals such as those of `readCaptureFile`: the interface is the port, the time since 1970 that of the switch's clock.
 * @returns the counters when nothing waits any more.
 * @throws RoceError as `emulateSwitch`; `invalid-argument` for frames without a time, or before the previous one.
 */
export async function replayArrivals(arrivals: Iterable<CaptureFrame> | AsyncIterable<CaptureFrame>,
  scenario: ScenarioSpec, options: SwitchEmulationOptions = {}): Promise<SwitchCounters> {
  requireFrames(arrivals);
  checkRecord(options, 'options');
  const emulated = emulateSwitch(scenario, options);
  for await (const arrival of arrivals) {
    checkRecord(arrival, 'arrivals');
    const { bytes, interfaceId, hasTime, epochSeconds, picoseconds, originalBytes } = arrival;
    if (!hasTime) {
      throw new RoceError('invalid-argument', {
        what: 'the time of an arrival',
        got: undefined,
        allowed: 'a time since the record began',
        where: 'arrivals',
      });
    }
    emulated.receive(interfaceId, bytes, epochSeconds * PS_PER_SECOND + picoseconds, originalBytes);
  }
  emulated.drain();
  return emulated.counters();
}

function requireFrames(got: unknown): void {
  const isObject = typeof got === 'object' && got !== null;
  if (isObject && !ArrayBuffer.isView(got) && (Symbol.iterator in got || Symbol.asyncIterator in got)) return;
  throw new RoceError('invalid-argument', { got, allowed: 'frames of a capture', where: 'arrivals' });
}
