/**
 * Replays a recorded run through the emulated switch. Arrivals, with their ports and times, determine everything that a
 * switch does, so the replay has the same frames, marks and drops at the same times.
 *
 *   record    pcapng: one interface per port; times since the switch's clock started; frames in the order in which they
 *             were read
 */
import type { CaptureFrame, FrameToWrite } from '../../capture/index.js';
import { checkFields, checkRecord, wholeIn, type FieldRules } from '../../config/field-rules.js';
import { RoceError } from '../../errors.js';
import type { ScenarioSpec } from '../../sim/index.js';
import { PS_PER_SECOND } from '../../unit-sizes.js';
import { emulateSwitch, type SwitchEmulationOptions } from './emulation.js';
import type { SwitchCounters } from './switch-counters.js';

/** A frame that arrived at a switch. */
export interface SwitchArrival {
  /** Port of arrival, from 0. */
  readonly port: number;
  /** When the switch read the frame, picoseconds since the switch's clock started. */
  readonly timePs: number;
  /** The frame; valid until the callback returns. */
  readonly frame: Uint8Array;
  /** Its length on the wire, bytes; larger than that of `frame` if the capture truncated it. */
  readonly originalLenBytes: number;
}

const ARRIVAL: FieldRules<SwitchArrival> = {
  port: wholeIn(0, 65_535),
  timePs: wholeIn(0, Number.MAX_SAFE_INTEGER, 'ps'),
  frame: { allowed: 'a Uint8Array', accepts: (value) => value instanceof Uint8Array },
  originalLenBytes: wholeIn(0, 2 ** 32 - 1, 'bytes'),
};

/**
 * Converts an arrival to a frame for `writeCapture`, with one interface per port; its bytes are copied.
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
 * Runs recorded arrivals through a switch of a scenario. With the same scenario and options as in the recorded run,
 * departures, marks and drops are the same.
 *
 * @param arrivals such as those of `readCaptureFile`: the interface is the port, and the time since 1970 is that of the
 * switch's clock.
 * @returns the counters after all frames have left.
 * @throws RoceError as `emulateSwitch`; `invalid-argument` for frames without a time, or out of order.
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
