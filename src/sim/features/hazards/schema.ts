/** PFC hazards: faults of hosts and links, and the watchdogs of switches. */
import * as z from 'zod';
import { DEFAULT_BIT_ERRORS, DEFAULT_RECEIVE_BUFFER_BYTES, DEFAULT_WATCHDOG,
  WATCHDOG_ENABLED_WHERE_GIVEN } from '../../scenario/defaults.js';
import { ENDS, ABSENT_UNLESS_GIVEN, flag, listOf, name, numberAboveZero, numberIn, optional, orFlag, record,
  TIME_MAX_US, timeUs, wholeIn, wordOf } from '../../scenario/schema-parts.js';

/** Kinds of faults that are PFC hazards. */
export const HAZARD_KINDS = ['pause-storm', 'slow-receiver', 'bit-errors'] as const;

const RATE_MAX_GBPS = 8000;
const COUNTER_MAX_BYTES = 2 ** 32 - 1;

export const HAZARD_FAULTS = [
  record({
    kind: z.literal('pause-storm'),
    host: name('A host.'),
    fromUs: timeUs('When it begins to pause its switch, us.'),
    ...optional({
      lastsUs: numberAboveZero(TIME_MAX_US, 'Duration, us. Default: unlimited.'),
      trafficClasses: listOf(wholeIn(1, 7, 'A class.'), 1, 7, 'Classes that it pauses. Default: those of the data.'),
    }),
  }, 'A host that sends pause frames from a given time on.', 'PauseStormSpec'),
  record({
    kind: z.literal('slow-receiver'),
    host: name('A host.'),
    rateGbps: numberIn(0.001, RATE_MAX_GBPS, 'Rate of its receive path, Gb/s.'),
    ...optional({
      bufferBytes: wholeIn(1, COUNTER_MAX_BYTES,
        'Its receive buffer; the default grows by any headroom beyond half of it.', DEFAULT_RECEIVE_BUFFER_BYTES),
      xoffBytes: wholeIn(1, COUNTER_MAX_BYTES,
        "Bytes in it from which it pauses its switch. Default: the buffer less the link's headroom."),
      xonBytes: wholeIn(0, COUNTER_MAX_BYTES, 'Bytes in it at which the switch may resume. Default: 1 packet less.'),
      pfc: flag(
        'Whether it pauses its switch; otherwise packets that find the buffer full are dropped. Default: as its switch does.',
      ),
    }),
  }, 'A host that receives packets more slowly than its link delivers them.', 'SlowReceiverSpec'),
  record({
    kind: z.literal('bit-errors'),
    between: ENDS,
    ...optional({
      perBit: numberIn(0, 1, 'Bit error probability.', DEFAULT_BIT_ERRORS.perBit),
      perFrame: numberIn(0, 1, 'Frame error probability.', DEFAULT_BIT_ERRORS.perFrame),
      direction: wordOf(['both', 'forth'], 'Both ways, or from the first name to the second.',
        DEFAULT_BIT_ERRORS.direction),
    }),
  }, 'A link on which frames are corrupted, and dropped on arrival because their frame check sequence is wrong.',
    'BitErrorsSpec'),
] as const;

export const WATCHDOG_SCHEMA = orFlag(record(optional({
  enabled: flag('Whether it is enabled.', WATCHDOG_ENABLED_WHERE_GIVEN),
  detectionUs: numberAboveZero(TIME_MAX_US,
    'How long a queue with packets must be paused before it counts as stormed, us.', DEFAULT_WATCHDOG.detectionUs),
  restorationUs: numberAboveZero(TIME_MAX_US, 'How long the queue must be free of pauses before it is restored, us.',
    DEFAULT_WATCHDOG.restorationUs),
  pollUs: numberAboveZero(TIME_MAX_US, 'Polling interval, us.', DEFAULT_WATCHDOG.pollUs),
  action: wordOf(['drop', 'forward'], 'Packets of a stormed queue are dropped, or sent despite the pause.',
    DEFAULT_WATCHDOG.action),
}),
  'Under standard: detects queues that a pause holds for too long, per port and class; true and false mean `enabled`.',
  'WatchdogSpec').meta(ABSENT_UNLESS_GIVEN));
