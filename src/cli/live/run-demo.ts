/** Runs `roce-cc live demo`: shows rates and queue while the demo runs, then its counters. */
import { RoceError } from '../../errors.js';
import { runNamespaceDemo, runUdpDemo } from '../../live/demo/run-demo.js';
import type { DemoMode, DemoOptions, DemoResult, DemoView } from '../../live/index.js';
import { BPS_PER_MBPS, PS_PER_SECOND } from '../../units.js';
import { describeError } from '../describe-error.js';
import { formatBytes, formatCount, formatCountOf, formatDuration, formatRate, formatSeconds,
  formatShare } from '../../view/format.js';
import { EXIT_OK, type Output, writeOut } from '../output.js';
import { printableJson } from '../printable.js';
import { inLocale, textStyle, heading, wrap, type TextStyle } from '../terminal.js';
import { table } from '../text-table.js';
import { Screen, stopOn } from './session.js';

/** The kind of links between hosts and switch. */
type DemoLinks = 'namespaces' | 'udp';

/** All options of the command. */
export interface DemoFlags {
  readonly mode: DemoMode;
  /** Default: namespaces if available. */
  readonly over?: DemoLinks;
  /** Rate of all links, bits per second. */
  readonly rate?: number;
  readonly seconds?: number;
  readonly json?: boolean;
}

const DEFAULT_RATE_BPS = 50e6;
const DEFAULT_SECONDS = 20;
const OVER_WORDS: Readonly<Record<DemoLinks, string>> = {
  namespaces: 'between network namespaces',
  udp: 'over UDP sockets on the loopback',
};
const COLUMNS = [
  { head: 'interface', align: 'left' },
  { head: 'in' },
  { head: 'forwarded' },
  { head: 'ended' },
  { head: 'dropped in' },
  { head: 'made' },
  { head: 'out' },
  { head: 'dropped out' },
] as const;

/** @returns the exit code. @throws RoceError for a rate or time out of range, and system errors. */
export async function runDemo(flags: DemoFlags, output: Output): Promise<number> {
  const screen = new Screen(output);
  const stop = stopOn(undefined);
  try {
    const { over, result } = await runOver(flags.over, output, {
      mode: flags.mode,
      rateBps: flags.rate ?? DEFAULT_RATE_BPS,
      seconds: flags.seconds ?? DEFAULT_SECONDS,
      signal: stop.signal,
      onView: (view) => {
        screen.draw(linesOf(view));
      },
    });
    screen.clear();
    const text = flags.json === true ?
      printableJson(`${JSON.stringify({ over, ...result }, null, 2)}\n`) :
      textOf(result, `${flags.mode}, ${OVER_WORDS[over]}`, output);
    await writeOut(output.stdout, text);
    return EXIT_OK;
  } finally {
    stop.dispose();
  }
}

/** Uses network namespaces by default; if they are not available, reports why and uses UDP sockets. */
async function runOver(wish: DemoLinks | undefined, output: Output,
  options: DemoOptions): Promise<{ readonly over: DemoLinks; readonly result: DemoResult }> {
  if (wish !== 'udp') {
    try {
      return { over: 'namespaces', result: await runNamespaceDemo(options) };
    } catch (error) {
      if (wish === 'namespaces' || !(error instanceof RoceError) || error.code !== 'unsupported') throw error;
      output.stderr.write(
        `roce-cc: using UDP sockets, as network namespaces are not available: ${describeError(error)}\n`,
      );
    }
  }
  return { over: 'udp', result: await runUdpDemo(options) };
}

function linesOf({ timePs, queueBytes, ratesBps, marks, fastCnps }: DemoView): string[] {
  return [
    `${formatSeconds(timePs / PS_PER_SECOND)}: queue ${formatBytes(queueBytes)}, ${formatCountOf(marks, 'mark')}, ${
      formatCountOf(fastCnps, 'Fast CNP')
    }`,
    `rates ${ratesBps.map((rateBps) => (rateBps / BPS_PER_MBPS).toFixed(1)).join(' ')} Mb/s`,
  ];
}

function textOf(result: DemoResult, title: string, output: Output): string {
  const style = textStyle(output);
  const [, ...head] = heading(`roce-cc live demo: ${title}`, style);
  const lines = [...head, ...ratesOf(result, style), ...countersOf(result, style)];
  return inLocale(`${lines.join('\n')}\n`, output.env);
}

function ratesOf(
  { fairBps, worst, fairness, marks, cnpsSent, cnpsReceived, fastCnps, fastCnpsReceived, maxLagPs }: DemoResult,
  style: TextStyle,
): string[] {
  return [
    `fair share ${formatRate(fairBps)}; the flow furthest from it is off by ${formatShare(worst, 1)}; Jain's index ${
      fairness.toFixed(4)
    }`,
    `${formatCountOf(marks, 'mark')}; ${formatCountOf(cnpsSent, 'CNP')} sent, ${formatCount(cnpsReceived)} received; ${
      formatCountOf(fastCnps, 'Fast CNP')
    } sent, ${formatCount(fastCnpsReceived)} received`,
    `frames left at most ${formatDuration(maxLagPs)} late`,
  ].flatMap((sentence) => wrap(sentence, style));
}

function countersOf({ interfaces, queued, unaccounted, rejected, notRead, lostOnLinks }: DemoResult,
  style: TextStyle): string[] {
  const rows = interfaces.map((one) => [
    one.name,
    ...[one.in, one.forwarded, one.ended, one.droppedIn, one.made, one.out, one.droppedOut].map(formatCount),
  ]);
  const rest = `${formatCountOf(queued, 'frame')} queued, ${formatCount(rejected)} rejected by ports, ${
    formatCount(notRead)
  } dropped before they were read, ${formatCount(lostOnLinks)} lost on links, ${
    formatCount(unaccounted)
  } unaccounted for at the switch`;
  return [...heading('Frames at the switch', style), ...table(COLUMNS, rows), ...wrap(rest, style)];
}
