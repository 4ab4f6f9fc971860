/** A link of a demo. */
import type { FramePort } from '../ports/frame-port.js';

/** The switch's port, and the host's. */
export interface DemoLink {
  readonly atSwitch: FramePort;
  readonly atHost: FramePort;
}
