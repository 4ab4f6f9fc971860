/** A host that repeatedly pauses classes at its switch until its storm ends. */
import type { StormPlan } from '../../../../src/sim/plan.js';
import type { Port } from '../../link-ends.js';
import type { World } from '../../network.js';
import type { PauseFrame, PausingHost } from '../../parts.js';
import type { HostPauses } from './host-pauses.js';

/** Host and pauses of a port, available once the network is built. */
export interface StormyPort {
  readonly port: Port;
  readonly host: PausingHost;
  readonly pauses: HostPauses;
}

export function beginStorm({ events }: World, plan: StormPlan, { port, host, pauses }: StormyPort): void {
  const untilPs = plan.untilPs ?? Infinity;
  const classes = [1, 2, 3, 4, 5, 6, 7].filter((one) => (plan.classes & (1 << one)) !== 0);
  const send = (frames: () => PauseFrame[]): void => {
    if (port.up) host.sendPauseFrames(port, frames());
  };
  const step = (): void => {
    if (events.nowPs >= untilPs) {
      pauses.stormClasses = [];
      send(() => (pauses.keptBy() ? [] : pauses.end(classes)));
      return;
    }
    pauses.stormClasses = classes;
    events.schedule(Math.min(events.nowPs + plan.everyPs, untilPs), step);
    send(() => pauses.begin(classes));
  };
  events.schedule(plan.fromPs, step);
}
