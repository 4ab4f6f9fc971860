/**
 * Frames made by an emulated switch: PFC, and Fast CNPs for congested data. They are rare, so this code may allocate.
 */
import { RoceError } from '../../errors.js';
import { MacControl } from '../../wire/link/mac-control.js';
import { Pfc } from '../../wire/link/pfc.js';
import type { IoamTrace } from '../../wire/roce/fast-cnp-option.js';
import { fastCnpFieldsFor, FastCnp } from '../../wire/roce/fast-cnp.js';
import type { IcrcPolicy } from '../../wire/roce/icrc.js';
import type { EthernetLink } from '../../wire/roce/roce-frame.js';
import { IoamOption } from '../../wire/telemetry/ioam-option.js';
import { freeHops, recordHop, type TracedHop } from '../../switching/hop-trace.js';

/** The switch's data about the point of congestion. */
export interface CongestedPlace extends TracedHop {
  readonly switchAddress: Uint8Array;
  /** MAC address of the ingress port, which faces the sender of the data. */
  readonly mac: Uint8Array;
  readonly option: 1 | 2;
  readonly icrcPolicy: IcrcPolicy;
}

/** Pauses a class for the maximum time, or resumes it. */
export function pauseFrame(mac: Uint8Array, trafficClass: number, kind: 'pause' | 'resume'): Uint8Array {
  const quanta = kind === 'pause' ? MacControl.PAUSE_QUANTA_MAX : 0;
  const pauseQuanta = Array.from({ length: Pfc.CLASS_COUNT }, (_, one) => (one === trafficClass ? quanta : 0));
  return Pfc.frame(mac, { classEnableVector: 1 << trafficClass, pauseQuanta });
}

/**
 * Makes the Fast CNP for a data frame. With option 2 it carries the frame's trace, if any, plus this switch's record.
 *
 * @returns undefined if no Fast CNP is possible (`fastCnpFieldsFor`).
 */
export function fastCnpFrame(dataFrame: Uint8Array, place: CongestedPlace): Uint8Array | undefined {
  const { switchAddress, icrcPolicy } = place;
  const link: EthernetLink = { destination: dataFrame.slice(6, 12), source: place.mac };
  try {
    const { trace, ...fields } = fastCnpFieldsFor(dataFrame, { switchAddress, link, icrcPolicy });
    return FastCnp.write(place.option === 1 ? fields : { ...fields, trace: withRecord(trace, place) });
  } catch (error) {
    if (error instanceof RoceError) return undefined;
    throw error;
  }
}

function withRecord(carried: IoamTrace | undefined, place: CongestedPlace): IoamTrace {
  const trace = carried ?? { ioamType: IoamOption.TYPE_PREALLOCATED_TRACE, data: freeHops(1) };
  if (trace.ioamType === IoamOption.TYPE_PREALLOCATED_TRACE) recordHop(trace.data, 0, trace.data.length, place);
  return trace;
}
