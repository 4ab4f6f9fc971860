/**
 * The demo over UDP sockets on the loopback, a pair of sockets per link. It needs no permissions, and shows the
 * complete loop: frames, marks, CNPs, Fast CNPs, rates.
 */
import { startLiveClock, type LiveClock } from '../live-clock.js';
import { openUdpPair } from '../ports/udp/udp-port.js';
import type { DemoResult, DemoLink } from './demo-meter.js';
import { demoPlan, linksOf, runIncast, checkDemoOptions, type DemoOptions } from './incast.js';

const SEND_FRAMES = 8192;

/**
 * Runs an incast of sixteen emulated senders to one receiver through one emulated switch, over UDP sockets on the
 * loopback, and returns the result. It leaves nothing behind, even if it is killed.
 *
 * @throws RoceError `invalid-config` for options out of range.
 */
export async function runUdpDemo(options: DemoOptions): Promise<DemoResult> {
  checkDemoOptions(options);
  const plan = demoPlan(options);
  const clock = startLiveClock();
  const links: DemoLink[] = [];
  try {
    while (links.length < linksOf(plan)) links.push(await openLink(clock));
    return await runIncast(options, plan, links, clock);
  } finally {
    for (const { atSwitch, atHost } of links) {
      atSwitch.close();
      atHost.close();
    }
  }
}

async function openLink(clock: LiveClock): Promise<DemoLink> {
  const [atSwitch, atHost] = await openUdpPair({ clock, sendFrames: SEND_FRAMES });
  return { atSwitch, atHost };
}
