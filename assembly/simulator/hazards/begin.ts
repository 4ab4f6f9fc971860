/** Initialises PFC's hazards, and updates their time-based counters to the last event. */
import { portAt, portCount } from '../network';
import { beginDeadlocks } from './deadlock';
import { resetPauseChecks } from './pause-check-schedule';
import { accountAll } from './pause-check';
import { beginHazardPorts, hazardous } from './memory';
import { beginStorms } from './storms';
import { beginVictims } from './victims';
import { accountStormed } from './watchdog';

export function beginHazards(): void {
  if (!hazardous) return;
  beginHazardPorts();
  resetPauseChecks();
  beginDeadlocks();
  beginVictims();
  beginStorms();
}

export function accountHazards(): void {
  if (!hazardous) return;
  accountAll();
  for (let index: u32 = 0; index < portCount; index++) accountStormed(portAt(index));
}
