/**
 * The demo over UDP sockets on the loopback, a pair of sockets per link. It needs no permissions, and proves the whole loop: frames,
 * marks, CNPs, Fast CNPs, rates.
 */
import { startLiveClock, type LiveClock } from '../clock/live-clock.js';
import { openUdpPort } from '../ports/udp/udp-port.js';
import type { DemoResult } from './demo-meter.js';
import { demoPlan, linksOf, runIncast } from './incast.js';
import type { DemoLink } from './link.js';
import { checkDemoOptions, type DemoOptions } from './options.js';

const SEND_FRAMES = 8192;
const ANY_LOCAL = { address: '127.0.0.1', port: 0 };

/**
 * Runs an incast of sixteen emulated senders to one receiver through one emulated switch, over UDP sockets on the loopback, and reports
 * what came of it. Nothing is left behind, however it ends.
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

/** Two sockets that know each other: each needs the other's number, so one is opened twice. */
async function openLink(clock: LiveClock): Promise<DemoLink> {
  const probe = await openUdpPort({ local: ANY_LOCAL, clock });
  const { local } = probe;
  probe.close();
  const atHost = await openUdpPort({ local: ANY_LOCAL, peer: local, clock, sendFrames: SEND_FRAMES });
  const atSwitch = await openUdpPort({ local, peer: atHost.local, clock, sendFrames: SEND_FRAMES });
  return { atSwitch, atHost };
}
