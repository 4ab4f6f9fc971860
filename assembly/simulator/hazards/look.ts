/** The look at pauses: flows that they hold are accounted, and deadlocks looked for. */
import { RUN_DEADLOCK } from '../../../src/abi/sim-layout';
import { halt } from '../halt';
import { portAt, portCount } from '../network';
import { CLASSES } from '../records';
import { isEndedByDeadlock, seekDeadlock } from './deadlock';
import { lookAgain, lookBegins } from './expected-looks';
import { accountVictims } from './victims';

export function look(): void {
  lookBegins();
  const paused = accountAll();
  seekDeadlock();
  if (isEndedByDeadlock()) return halt(RUN_DEADLOCK);
  if (paused) lookAgain();
}

/** Returns whether any port is paused. */
export function accountAll(): bool {
  let paused: u32 = 0;
  for (let index: u32 = 0; index < portCount; index++) {
    const port = portAt(index);
    paused |= port.paused;
    if (!port.paused) continue;
    for (let cls: u32 = 0; cls < CLASSES; cls++) {
      if (port.paused & (1 << cls)) accountVictims(port, cls, true);
    }
  }
  return paused != 0;
}
