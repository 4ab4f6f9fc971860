/** A link of a demo. */
import type { FramePort } from '../ports/frame-port.js';

/** Ports of the switch and of the host. */
export interface DemoLink {
  readonly atSwitch: FramePort;
  readonly atHost: FramePort;
}
