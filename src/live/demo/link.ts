/** A link of a demo between the switch and a host. */
import type { FramePort } from '../ports/frame-port.js';

/** Ports at the two ends: the switch's and the host's. */
export interface DemoLink {
  readonly atSwitch: FramePort;
  readonly atHost: FramePort;
}
