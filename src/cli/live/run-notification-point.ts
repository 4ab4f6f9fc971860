/** Runs `roce-cc live notification-point`: a notification point, then its counters. */
import type { NotificationScope } from '../../config/notification-point.js';
import { runNotificationPoint as response, type NotificationPointCounters } from '../../live/notification-point.js';
import type { FramePort } from '../../live/index.js';
import { parseFlows } from '../../replay/flows.js';
import { formatCount, formatCountOf } from '../../view/format.js';
import { EXIT_OK, type Output, writeOut } from '../output.js';
import { printableJson } from '../printable.js';
import { readText } from '../read-text.js';
import { inLocale, textStyle, heading, wrap } from '../terminal.js';
import { portLines, openPort, Screen, stopOn } from './session.js';

/** All options of the command. */
export interface NotificationPointFlags {
  readonly flows: string;
  readonly json?: boolean;
  readonly npScope?: NotificationScope;
  readonly npWindow?: 'suppress' | 'trailing';
  readonly cnpInterval?: number;
  readonly icrc?: 'ignore' | 'check';
  readonly seconds?: number;
  readonly promiscuous?: boolean;
  readonly blockTimeout?: number;
}

/** @returns the exit code. @throws RoceError and system errors before any response is sent. */
export async function runNotificationPoint(source: string, flags: NotificationPointFlags,
  output: Output): Promise<number> {
  const flows = parseFlows(await readText(flags.flows), flags.flows);
  const port = await openPort(source, flags);
  const screen = new Screen(output);
  const stop = stopOn(flags.seconds);
  const { npScope, npWindow, cnpInterval, icrc } = flags;
  try {
    const counters = await response(port, {
      flows,
      signal: stop.signal,
      engine: {
        notificationPoint: {
          ...(npScope === undefined ? {} : { scope: npScope }),
          ...(npWindow === undefined ? {} : { window: npWindow }),
          ...(cnpInterval === undefined ? {} : { minTimeBetweenCnpsPs: cnpInterval }),
        },
        parser: icrc === undefined ? {} : { icrc },
      },
      onView: (view) => {
        screen.draw([sentenceOf(view)]);
      },
    });
    screen.clear();
    await writeOut(output.stdout, flags.json === true ? jsonOf(counters, port) : textOf(counters, port, output));
    return EXIT_OK;
  } finally {
    stop.dispose();
    port.close();
  }
}

function sentenceOf(
  { frames, markedFrames, otherFrames, cnpsDue, marksSuppressed }: NotificationPointCounters,
): string {
  return `${formatCountOf(frames, 'frame')} = ${formatCount(markedFrames)} marked + ${
    formatCount(otherFrames)
  } others; ${formatCountOf(cnpsDue, 'CNP')} due, ${formatCountOf(marksSuppressed, 'mark')} suppressed`;
}

function textOf(counters: NotificationPointCounters, port: FramePort, output: Output): string {
  const style = textStyle(output);
  const { cnpsSent, cnpsRejected } = counters;
  const rejected = cnpsRejected === 0 ? '' : `, no room for ${formatCount(cnpsRejected)}`;
  const sentences = [sentenceOf(counters), `${formatCountOf(cnpsSent, 'CNP')} sent${rejected}`];
  const [, ...head] = heading(`roce-cc live notification-point: ${port.name}`, style);
  const lines = [
    ...head,
    ...sentences.flatMap((sentence) => wrap(sentence, style)),
    ...portLines(port.name, port.stats(), style),
  ];
  return inLocale(`${lines.join('\n')}\n`, output.env);
}

function jsonOf(counters: NotificationPointCounters, port: FramePort): string {
  return printableJson(`${JSON.stringify({ ...counters, port: port.stats() }, null, 2)}\n`);
}
