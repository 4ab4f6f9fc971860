/** The pull packets of a receiver (docs/specs/uet-reference.md, 9), which carry the granted pull number. Their paths are 1 to 127, 0, 1, … */
import { UetFlow } from '../records/uet-flows';
import { UET_PACKET_PULL, UetHost } from '../records/uet-network';
import { sendControl } from './nic';
import { takePacket } from './packets';
import { run } from './stop';

const PATHS_MASK: u32 = 127;

export function sendPull(flow: UetFlow): void {
  flow.pathOfPulls = (flow.pathOfPulls + 1) & PATHS_MASK;
  run.pullsMade += 1;
  const pull = takePacket(UET_PACKET_PULL, flow, flow.pathOfPulls);
  pull.number = flow.pullNumber;
  sendControl(changetype<UetHost>(<usize>flow.destinationAt), pull);
}
