/** Runs `roce-cc live switch`: a switch between ports, with live counters, an optional record and a final report. */
import { writeCaptureFile } from '../../capture/node-file.js';
import { recordedArrival } from '../../live/switch/emulation.js';
import { runSwitch, type SwitchResult } from '../../live/switch/run-switch.js';
import { startLiveClock } from '../../live/ports/frame-port.js';
import type { FramePort } from '../../live/index.js';
import type { ScenarioSpec } from '../../sim/index.js';
import { formatCount, formatCountOf, formatDuration } from '../../view/format.js';
import { EXIT_OK, type Output, writeOut } from '../output.js';
import { printableJson } from '../printable.js';
import { readScenario } from '../run/read-scenario.js';
import { inLocale, textStyle, heading, wrap } from '../terminal.js';
import { table } from '../text-table.js';
import { portLines, openPort, Screen, stopOn, FrameRecord } from './session.js';

/** All options of the command. */
export interface SwitchFlags {
  readonly scenario: string;
  readonly node?: string;
  /** Addresses by host name. */
  readonly address?: Readonly<Record<string, string>>;
  readonly record?: string;
  readonly json?: boolean;
  readonly seconds?: number;
  readonly promiscuous?: boolean;
  readonly blockTimeout?: number;
}

const COLUMNS = [
  { head: 'interface', align: 'left' },
  { head: 'in' },
  { head: 'forwarded' },
  { head: 'dropped' },
  { head: 'made' },
  { head: 'out' },
  { head: 'marks' },
  { head: 'Fast CNPs' },
  { head: 'pauses' },
] as const;
/** Shorter than the default of a watch, because it adds to the delay of forwarded frames. */
const BLOCK_TIMEOUT_MS = 1;

/** @returns the exit code. @throws RoceError and system errors before anything is forwarded. */
export async function runSwitchCommand(names: readonly string[], flags: SwitchFlags, output: Output): Promise<number> {
  const scenario = (await readScenario(flags.scenario)).spec as ScenarioSpec;
  const clock = startLiveClock();
  const ports: FramePort[] = [];
  const screen = new Screen(output);
  const stop = stopOn(flags.seconds);
  const { promiscuous, blockTimeout = BLOCK_TIMEOUT_MS, record: file } = flags;
  try {
    for (const name of names) ports.push(await openPort(name, { promiscuous, blockTimeout, clock }));
    const record = file === undefined ? undefined : new FrameRecord();
    const written = file === undefined ?
      undefined :
      writeCaptureFile(file, record?.frames() ?? [], {
        format: 'pcapng',
        sections: [{ interfaces: names.map((name) => ({ name })) }],
      });
    // A write error is reported after the switch has stopped, not as an unhandled rejection.
    const outcome = Promise.allSettled([written]);
    const running = runSwitch(ports, {
      scenario,
      node: flags.node,
      addresses: flags.address,
      clock,
      signal: stop.signal,
      onArrival: record === undefined ? undefined : (arrival) => {
        record.add(recordedArrival(arrival));
      },
      onView: (view) => {
        screen.draw(wrap(sentenceOf(view), textStyle(output)));
      },
    });
    const result = await running.finally(() => record?.end());
    for (const each of await outcome) if (each.status === 'rejected') throw each.reason;
    screen.clear();
    const notRecorded = record?.dropped ?? 0;
    const text = flags.json === true ?
      jsonOf(result, ports, notRecorded) :
      textOf(result, ports, notRecorded, output);
    await writeOut(output.stdout, text);
    return EXIT_OK;
  } finally {
    stop.dispose();
    for (const port of ports) port.close();
  }
}

function sentenceOf({ interfaces, queued, drops }: SwitchResult): string {
  const sum = (of: (one: (typeof interfaces)[number]) => number): number =>
    interfaces.reduce((all, one) => all + of(one), 0);
  const dropped = Object.values(drops).reduce((all, count) => all + count, 0);
  return `${formatCountOf(sum((one) => one.in), 'frame')} in, ${formatCount(sum((one) => one.out))} out, ${
    formatCount(queued)
  } queued, ${formatCount(dropped)} dropped; ${formatCountOf(sum((one) => one.marks), 'mark')}, ${
    formatCountOf(sum((one) => one.fastCnps), 'Fast CNP')
  }`;
}

function textOf(result: SwitchResult, ports: readonly FramePort[], notRecorded: number, output: Output): string {
  const style = textStyle(output);
  const { interfaces, drops, unaccounted, rejected, late, maxLagPs, meanLagPs } = result;
  const rows = interfaces.map((one) => [
    one.name,
    ...[
      one.in,
      one.forwarded,
      one.droppedIn + one.droppedOut,
      one.made,
      one.out,
      one.marks,
      one.fastCnps,
      one.pausesSent,
    ]
      .map(formatCount),
  ]);
  const reasons = Object.entries(drops).filter(([, count]) => count > 0).map(([why, count]) =>
    `${formatCount(count)} ${why}`
  );
  const sentences = [
    sentenceOf(result),
    `dropped: ${reasons.length === 0 ? 'none' : reasons.join(', ')}; ${formatCount(unaccounted)} unaccounted for`,
    `frames left at most ${formatDuration(maxLagPs)} late, ${formatDuration(Math.round(meanLagPs))} on average; ${
      formatCount(late)
    } were read late, ${formatCount(rejected)} rejected by ports`,
    ...(notRecorded > 0 ? [`${formatCountOf(notRecorded, 'frame')} not recorded because the file was too slow`] : []),
  ];
  const [, ...head] = heading('roce-cc live switch', style);
  const lines = [
    ...head,
    ...sentences.flatMap((sentence) => wrap(sentence, style)),
    ...table(COLUMNS, rows),
    ...ports.flatMap((port) => portLines(port.name, port.stats(), style)),
  ];
  return inLocale(`${lines.join('\n')}\n`, output.env);
}

function jsonOf(result: SwitchResult, ports: readonly FramePort[], notRecorded: number): string {
  const ofPorts = ports.map((port) => ({ name: port.name, ...port.stats() }));
  return printableJson(`${JSON.stringify({ ...result, notRecorded, ports: ofPorts }, null, 2)}\n`);
}
