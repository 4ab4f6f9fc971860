/**
 * Pause storms: from a given time on, a host sends pause frames for some classes, repeated before the maximum pause time expires;
 * when the storm is over, a frame ends the pause.
 *
 * Source     C. Guo et al., RDMA over Commodity Ethernet at Scale, SIGCOMM 2016, 4.3: malfunctioning adapters that pause
 *            forever; IEEE 802.1Qbb: pause times up to 65,535 quanta of 512 bits.
 * Deviation  under `standard`, a pause lasts until it is ended, not until its time expires. While its link is down the host skips
 *            frames; the next one comes at its regular time.
 */
import { drawOrder, nowPs, schedule } from '../event-queue';
import { addSource } from '../event-sources';
import { portAt } from '../network';
import { serveNic } from '../nic';
import { putPauseFrame } from '../pauses';
import { hazardPort, stormAt, stormCount } from './memory';
import { wantsPause } from './slow-receivers';
import { SimPort } from '../../records/network';
import { CLASSES } from '../classes';

/** First event number of the storms, one per storm. */
let firstEvent: u32 = 0;

/** Adds the events of pause storms. */
export function addStorms(): void {
  firstEvent = addSource(stormCount, stepStorm);
}

export function beginStorms(): void {
  for (let index: u32 = 0; index < stormCount; index++)
    schedule(firstEvent + index, <i64>stormAt(index).fromPs, drawOrder());
}

/** Sends the next frames of a storm, or ends it. */
function stepStorm(index: u32): void {
  const storm = stormAt(index);
  const port = portAt(storm.port);
  const isOver = <f64>nowPs >= storm.untilPs;
  if (isOver) hazardPort(port).storming = 0;
  else {
    hazardPort(port).storming = storm.classes;
    schedule(firstEvent + index, <i64>min<f64>(<f64>nowPs + storm.everyPs, storm.untilPs), drawOrder());
  }
  if (!port.up) return;
  for (let cls: u32 = 0; cls < CLASSES; cls++) {
    if (storm.classes & (1 << cls)) putFrame(port, cls, isOver);
  }
  serveNic(port, nowPs);
}

function putFrame(port: SimPort, cls: u32, isOver: bool): void {
  if (!isOver) putPauseFrame(port, cls, true);
  else if (port.pausing & (1 << cls) && !wantsPause(port)) putPauseFrame(port, cls, false);
}
