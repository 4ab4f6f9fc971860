/** The schema of PFC's hazards; the types are in hazard-spec.ts. */
import * as z from 'zod';
import { ENDS } from './schema-ends.js';
import { flag, listOf, name, numberAboveZero, numberIn, optional, record, TIME_MAX_US, timeUs, wholeIn,
  wordOf } from './schema-parts.js';

const RATE_MAX_GBPS = 8000;
const COUNTER_MAX_BYTES = 2 ** 32 - 1;

export const HAZARD_FAULTS = [
  record({
    kind: z.literal('pause-storm'),
    host: name('A host.'),
    fromUs: timeUs('When it begins to pause its switch, us.'),
    ...optional({
      lastsUs: numberAboveZero(TIME_MAX_US, 'For how long, us. Default: for ever.'),
      trafficClasses: listOf(wholeIn(1, 7, 'A class.'), 1, 7, 'Classes that it pauses. Default: those of the data.'),
    }),
  }, 'A host that sends pause frames.'),
  record({
    kind: z.literal('slow-receiver'),
    host: name('A host.'),
    rateGbps: numberIn(0.001, RATE_MAX_GBPS, 'Rate of its receive path, Gb/s.'),
    ...optional({
      bufferBytes: wholeIn(1, COUNTER_MAX_BYTES,
        'Its receive buffer. Default 130,944, and what headroom takes beyond half of that.'),
      xoffBytes: wholeIn(1, COUNTER_MAX_BYTES,
        "Bytes in it from which on it pauses its switch. Default: the buffer less the link's headroom."),
      xonBytes: wholeIn(0, COUNTER_MAX_BYTES, 'Bytes in it up to which the switch may go on. Default: a packet less.'),
      pfc: flag('Does it pause its switch? Default: as its switch does.'),
    }),
  }, 'A host that takes packets in more slowly than its link brings them.'),
  record({
    kind: z.literal('bit-errors'),
    between: ENDS,
    ...optional({
      perBit: numberIn(0, 1, 'Chance that a bit is wrong. Default 0.'),
      perFrame: numberIn(0, 1, 'Chance that a frame is wrong. Default 0.'),
      direction: wordOf(['both', 'forth'], 'Both ways, or from the first name to the second. Default both.'),
    }),
  }, 'A link on which frames are damaged; they are dropped where they arrive.'),
] as const;

export const WATCHDOG_SCHEMA = record(optional({
  enabled: flag('Default true, where the rest is given.'),
  detectionUs: numberAboveZero(TIME_MAX_US,
    'How long a queue with packets is paused until it counts as stormed, us. Default 200,000.'),
  restorationUs: numberAboveZero(TIME_MAX_US,
    'How long no pause is asked for until the queue is as before, us. Default 200,000.'),
  pollUs: numberAboveZero(TIME_MAX_US, 'Time between two looks at the queues, us. Default 200,000.'),
  action: wordOf(['drop', 'forward'],
    'Packets of a stormed queue are dropped, or sent although it is paused. Default drop.'),
}), 'Looks after queues that a pause holds for long, per port and class.');
