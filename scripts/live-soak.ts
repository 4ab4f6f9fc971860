/**
 * An hour of live frames in time-lapse, and memory that does not grow:
 *
 *   npm run live-soak [-- --frames N] [--role switch|watch|notification-point]     default 10^8 frames for each role
 *
 * What sixteen emulated senders and their receiver send in a fifth of a second under DCQCN is recorded once, and comes again and again from
 * ports that are generators, on a separate clock. A line per tenth shows what the process holds; the exit status is 1 if it grows by
 * more than 32 MB from the first tenth to the end, or if frames are not all accounted for.
 */
import { parseArgs } from 'node:util';
import { dcqcnSigcomm15, gbps } from '../src/index.js';
import { demoScenario } from '../src/live/demo/incast.js';
import { runNotificationPoint, watch, type FrameBatch, type FramePort,
  type FramePortStats } from '../src/live/index.js';
import { PortCounters } from '../src/live/ports/frame-port.js';
import { DROP_REASONS } from '../src/live/switch/switch-counters.js';
import { switchSettings } from '../src/live/switch/settings.js';
import { SwitchDriver } from '../src/live/switch/run-switch.js';
import type { Flow } from '../src/replay/index.js';
import { addressOfNode, receiverQpnOf, senderQpnOf } from '../src/switching/network-addresses.js';
import { NS_PER_SECOND, PS_PER_NS } from '../src/units.js';
import { formatIpAddress } from '../src/wire/index.js';
import { planOf } from '../test/live/support/emulated-star.js';
import { VirtualWire } from '../test/live/support/virtual-wire.js';

const RATE_MBPS = 200;
const RECORDED_PS = 2e11;
const STEP_NS = 1e6;
const MB = 1e6;
/** Every n-th frame is marked, as if by a switch before. */
const MARKED_EVERY = 50;
/** Of the ECN field of IPv6, behind the Ethernet header. */
const ECN_BYTE = 15;
const ECN_BITS = 0x30;
const GROWTH_MAX_BYTES = 32 * MB;
const TENTHS = 10;

interface Recorded {
  readonly timeNs: number;
  readonly frame: Uint8Array;
}

/** A port at which recorded frames come in again and again; what it is given to send is counted. */
class GeneratorPort implements FramePort {
  readonly originNs = 0n;
  readonly name: string;
  readonly #frames: readonly Recorded[];
  readonly #counters = new PortCounters();
  #next = 0;
  #round = 0;
  /** Up to when frames have come, nanoseconds. */
  untilNs = Infinity;

  constructor(name: string, frames: readonly Recorded[]) {
    this.name = name;
    this.#frames = frames;
  }

  receive(batch: FrameBatch): number {
    batch.count = 0;
    let usedBytes = 0;
    while (batch.count < batch.offsets.length && this.#frames.length > 0) {
      const { timeNs, frame } = this.#frames[this.#next];
      const cameNs = this.#round * (RECORDED_PS / PS_PER_NS) + timeNs;
      if (cameNs > this.untilNs || usedBytes + frame.length > batch.bytes.length) break;
      batch.bytes.set(frame, usedBytes);
      batch.offsets[batch.count] = usedBytes;
      batch.lenBytes[batch.count] = batch.originalLenBytes[batch.count] = frame.length;
      batch.timesNs[batch.count++] = cameNs;
      usedBytes += frame.length;
      this.#counters.receivedBytes += frame.length;
      if (++this.#next < this.#frames.length) continue;
      this.#next = 0;
      this.#round++;
    }
    this.#counters.receivedFrames += batch.count;
    return batch.count;
  }

  send(_bytes: Uint8Array, _offset: number, lenBytes: number): boolean {
    this.#counters.sentFrames++;
    this.#counters.sentBytes += lenBytes;
    return true;
  }

  flush(): void {
    // Nothing waits.
  }

  wait(): Promise<void> {
    return Promise.resolve();
  }

  stats(): FramePortStats {
    return this.#counters.stats(0);
  }

  close(): void {
    // Nothing is held.
  }
}

/** Prints what the process holds after each tenth of the frames. */
class MemoryLog {
  readonly #role: string;
  readonly #frames: number;
  readonly #heldBytes: number[] = [];
  #tenth = 0;

  constructor(role: string, frames: number) {
    this.#role = role;
    this.#frames = frames;
  }

  note(frames: number, what: string): void {
    const tenth = Math.min(TENTHS, Math.floor((frames * TENTHS) / this.#frames));
    if (tenth <= this.#tenth) return;
    this.#tenth = tenth;
    const { rss, heapUsed, arrayBuffers } = process.memoryUsage();
    this.#heldBytes.push(rss);
    print(
      `${this.#role}: ${frames} frames, ${what}; ${(rss / MB).toFixed(0)} MB resident, heap ${
        (heapUsed / MB).toFixed(0)
      } MB, buffers ${(arrayBuffers / MB).toFixed(0)} MB`,
    );
  }

  /** @returns whether it has not grown. */
  isSteady(): boolean {
    const [first = 0] = this.#heldBytes;
    const grewBytes = (this.#heldBytes.at(-1) ?? 0) - first;
    if (grewBytes <= GROWTH_MAX_BYTES) return true;
    print(`${this.#role}: grew by ${(grewBytes / MB).toFixed(0)} MB, allowed: ${GROWTH_MAX_BYTES / MB} MB`);
    return false;
  }
}

const { values } = parseArgs({ options: { frames: { type: 'string', default: '1e8' }, role: { type: 'string' } } });
const frames = Number(values.frames);
if (!(Number.isInteger(frames) && frames >= 1000 && frames <= 1e9)) {
  throw new RangeError(`--frames: got ${values.frames}, allowed: whole numbers from 1000 to 1e9`);
}
const roles: Readonly<Record<string, () => Promise<boolean>>> = {
  switch: () => Promise.resolve(soakSwitch()),
  watch: soakWatch,
  'notification-point': soakNotificationPoint,
};
if (values.role !== undefined && !Object.hasOwn(roles, values.role)) {
  throw new RangeError(`--role: got ${values.role}, allowed: ${Object.keys(roles).join(', ')}`);
}
const scenario = demoScenario('dcqcn', RATE_MBPS);
const plan = planOf(scenario);
const arrivals = record();
for (const [role, run] of Object.entries(roles)) {
  if ((values.role ?? role) === role && !await run()) process.exitCode = 1;
}

function record(): VirtualWire['arrivals'] {
  const wire = new VirtualWire(scenario, { endless: true, ackEveryPackets: 4 });
  wire.keepsArrivals = true;
  wire.run(RECORDED_PS);
  return wire.arrivals.filter(({ timePs }) => timePs < RECORDED_PS);
}

function framesOf(port: number): Recorded[] {
  return arrivals.filter((one) => one.port === port).map(({ timePs, frame }) => ({
    timeNs: timePs / PS_PER_NS,
    frame,
  }));
}

function allFrames(): Recorded[] {
  const all = arrivals.map(({ timePs, frame }) => ({ timeNs: timePs / PS_PER_NS, frame: frame.slice() }));
  all.sort((a, b) => a.timeNs - b.timeNs);
  for (let index = 0; index < all.length; index += MARKED_EVERY) all[index].frame[ECN_BYTE] |= ECN_BITS;
  return all;
}

function soakSwitch(): boolean {
  const settings = switchSettings(plan);
  const ports = settings.ports.map((_, port) => new GeneratorPort(`port ${port}`, framesOf(port)));
  const driver = new SwitchDriver(settings, ports, 0n);
  const log = new MemoryLog('switch', frames);
  let came = 0;
  let nowNs = 0;
  while (came < frames) {
    nowNs += STEP_NS;
    for (const port of ports) port.untilNs = nowNs;
    came += driver.poll(nowNs * PS_PER_NS);
    log.note(came, `${(nowNs / NS_PER_SECOND).toFixed(0)} s of the links, ${driver.switch.queued} wait`);
  }
  const sum = (count: (counters: typeof driver.switch.counters[number]) => number): number =>
    driver.switch.counters.reduce((total, counters) => total + count(counters), 0);
  const dropped = sum(({ droppedIn, droppedOut }) =>
    DROP_REASONS.reduce((total, reason) => total + droppedIn[reason] + droppedOut[reason], 0)
  );
  const [taken, given] = [
    sum(({ in: into, made, copied }) => into + made + copied),
    sum(({ out, ended }) => out + ended) + driver.switch.queued + dropped,
  ];
  print(
    `switch: in and made ${taken}, out, queued and dropped ${given}, of which dropped ${dropped}, marks ${
      sum(({ marks }) => marks)
    }`,
  );
  return log.isSteady() && taken === given;
}

function flowsOfPlan(): Flow[] {
  return Array.from(plan.flows, ({ source, destination }, flow) => ({
    name: String(flow),
    senderAddress: formatIpAddress(addressOfNode(plan.ports[source].node)),
    senderQpn: senderQpnOf(flow),
    peerAddress: formatIpAddress(addressOfNode(plan.ports[destination].node)),
    peerQpn: receiverQpnOf(flow),
    where: `flow ${flow}`,
  }));
}

async function soakWatch(): Promise<boolean> {
  const port = new GeneratorPort('generator', allFrames());
  const log = new MemoryLog('watch', frames);
  const { report } = await watch(port, {
    flows: flowsOfPlan(),
    parameters: dcqcnSigcomm15({ lineRateBps: gbps(1) }),
    limitFrames: frames,
    viewMs: 100,
    onView: ({ report: soFar }) => {
      log.note(soFar.capture.frames, `${soFar.capture.epochs.length} epochs`);
    },
  });
  log.note(report.capture.frames, 'at the end');
  if (report.error !== undefined) print(`watch: ${JSON.stringify(report.error)}`);
  return log.isSteady() && report.capture.frames === frames;
}

async function soakNotificationPoint(): Promise<boolean> {
  const port = new GeneratorPort('generator', allFrames());
  const log = new MemoryLog('notification point', frames);
  const abort = new AbortController();
  const counters = await runNotificationPoint(port, {
    flows: flowsOfPlan(),
    signal: abort.signal,
    onView: ({ frames: came, cnpsSent }) => {
      log.note(came, `${cnpsSent} CNPs`);
      // The last frames are those of the batch after the signal.
      if (came >= frames) {
        port.untilNs = -1;
        abort.abort();
      }
    },
  });
  return log.isSteady() && counters.frames === counters.markedFrames + counters.otherFrames;
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
