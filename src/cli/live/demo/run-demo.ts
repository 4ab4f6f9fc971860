/** `roce-cc live demo`: from arguments to a demo, rates and queue while it runs, and its books. */
import { runUdpDemo, type DemoMode, type DemoResult, type DemoView } from '../../../live/index.js';
import { formatBytes, formatCount, formatCountOf, formatDuration, formatRate, formatSeconds,
  formatShare } from '../../format.js';
import { EXIT_OK, type Output } from '../../output.js';
import { printableJson } from '../../printable.js';
import { inLocale, textStyle } from '../../terminal.js';
import { heading, table, wrap, type TextStyle } from '../../text-layout.js';
import { writeOut } from '../../write-out.js';
import { Screen } from '../screen.js';
import { stopOn } from '../stop.js';

/** All options of the command. */
export interface DemoFlags {
  readonly mode: DemoMode;
  /** Bits per second. */
  readonly rate?: number;
  readonly seconds?: number;
  readonly json?: boolean;
}

const DEFAULT_RATE_BPS = 50e6;
const DEFAULT_SECONDS = 10;
const BPS_PER_MBPS = 1e6;
const PS_PER_SECOND = 1e12;
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

/** @returns the exit code. @throws RoceError for a rate or time out of range, and errors of the system. */
export async function runDemo(flags: DemoFlags, output: Output): Promise<number> {
  const screen = new Screen(output);
  const stop = stopOn(undefined);
  try {
    const result = await runUdpDemo({
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
      printableJson(`${JSON.stringify(result, null, 2)}\n`) :
      textOf(result, flags.mode, output);
    await writeOut(output.stdout, text);
    return EXIT_OK;
  } finally {
    stop.dispose();
  }
}

function linesOf({ timePs, queueBytes, ratesBps, marks, fastCnps }: DemoView): string[] {
  return [
    `${formatSeconds(timePs / PS_PER_SECOND)}: queue ${formatBytes(queueBytes)}, ${formatCountOf(marks, 'mark')}, ${
      formatCountOf(fastCnps, 'Fast CNP')
    }`,
    `rates ${ratesBps.map((rateBps) => (rateBps / BPS_PER_MBPS).toFixed(1)).join(' ')} Mb/s`,
  ];
}

function textOf(result: DemoResult, mode: DemoMode, output: Output): string {
  const style = textStyle(output);
  const [, ...head] = heading(`roce-cc live demo: ${mode}`, style);
  const lines = [...head, ...ratesOf(result, style), ...booksOf(result, style)];
  return inLocale(`${lines.join('\n')}\n`, output.env);
}

function ratesOf({ fairBps, worst, marks, cnpsSent, cnpsReceived, fastCnps, fastCnpsReceived, maxLagPs }: DemoResult,
  style: TextStyle): string[] {
  return [
    `fair share ${formatRate(fairBps)}; the flow furthest from it is off by ${formatShare(worst, 1)}`,
    `${formatCountOf(marks, 'mark')}; ${formatCountOf(cnpsSent, 'CNP')} sent, ${formatCount(cnpsReceived)} received; ${
      formatCountOf(fastCnps, 'Fast CNP')
    } sent, ${formatCount(fastCnpsReceived)} received`,
    `frames left at most ${formatDuration(maxLagPs)} late`,
  ].flatMap((sentence) => wrap(sentence, style));
}

function booksOf({ interfaces, queued, unaccounted, refused }: DemoResult, style: TextStyle): string[] {
  const rows = interfaces.map((one) => [
    one.name,
    ...[one.in, one.forwarded, one.ended, one.droppedIn, one.made, one.out, one.droppedOut].map(formatCount),
  ]);
  const rest = `${formatCountOf(queued, 'frame')} queued, ${formatCount(refused)} refused by sockets, ${
    formatCount(unaccounted)
  } unaccounted for`;
  return [...heading('Frames at the switch', style), ...table(COLUMNS, rows), ...wrap(rest, style)];
}
