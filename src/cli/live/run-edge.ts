/** Runs `roce-cc live edge`: a provider edge between two ports, with live counters and a final report. */
import { runEdge, type EdgeResult } from '../../live/edge/run-edge.js';
import type { FramePort } from '../../live/index.js';
import type { ScenarioSpec } from '../../sim/index.js';
import { formatCount, formatCountOf } from '../../view/format.js';
import { EXIT_OK, type Output, writeOut } from '../output.js';
import { printableJson } from '../printable.js';
import { readScenario } from '../run/read-scenario.js';
import { inLocale, textStyle, heading, wrap } from '../terminal.js';
import { table } from '../text-table.js';
import { portLines, openPort, Screen, stopOn } from './session.js';

/** All options of the command. */
export interface EdgeFlags {
  readonly scenario: string;
  readonly node: string;
  readonly json?: boolean;
  readonly seconds?: number;
  readonly promiscuous?: boolean;
  readonly blockTimeout?: number;
}

const COLUMNS = [
  { head: 'side', align: 'left' },
  { head: 'in' },
  { head: 'forwarded' },
  { head: 'ended' },
  { head: 'dropped' },
  { head: 'out' },
  { head: 'rejected' },
] as const;
/** Shorter than the default of a watch, because it adds to the delay of forwarded frames. */
const BLOCK_TIMEOUT_MS = 1;

/** @returns the exit code. @throws RoceError and system errors before anything is forwarded. */
export async function runEdgeCommand(names: readonly [inside: string, outside: string], flags: EdgeFlags,
  output: Output): Promise<number> {
  const scenario = (await readScenario(flags.scenario)).spec as ScenarioSpec;
  const ports: FramePort[] = [];
  const screen = new Screen(output);
  const stop = stopOn(flags.seconds);
  const { promiscuous, blockTimeout = BLOCK_TIMEOUT_MS, node } = flags;
  try {
    for (const name of names) ports.push(await openPort(name, { promiscuous, blockTimeout }));
    const result = await runEdge(ports, {
      scenario,
      node,
      signal: stop.signal,
      onView: (view) => {
        screen.draw(wrap(sentenceOf(view), textStyle(output)));
      },
    });
    screen.clear();
    await writeOut(output.stdout, flags.json === true ? jsonOf(result, ports) : textOf(result, ports, output));
    return EXIT_OK;
  } finally {
    stop.dispose();
    for (const port of ports) port.close();
  }
}

function sentenceOf({ interfaces: [inside, outside], drops, unwrapped }: EdgeResult): string {
  const dropped = Object.values(drops).reduce((all, count) => all + count, 0);
  return `${formatCountOf(inside.forwarded, 'packet')} into tunnels, ${
    formatCount(outside.forwarded)
  } out of them, of which ${formatCountOf(unwrapped, 'Fast CNP')} by END.CON; ${
    formatCountOf(dropped, 'frame')
  } dropped`;
}

function textOf(result: EdgeResult, ports: readonly FramePort[], output: Output): string {
  const style = textStyle(output);
  const { interfaces, drops, unaccounted, ecn } = result;
  const reasons = Object.entries(drops).filter(([, count]) => count > 0)
    .map(([why, count]) => `${formatCount(count)} ${why}`);
  const sentences = [
    sentenceOf(result),
    `dropped: ${reasons.length === 0 ? 'none' : reasons.join(', ')}; ${formatCount(unaccounted)} unaccounted for`,
    `ECN of ${formatCountOf(ecn.packets, 'packet')} that left a tunnel: ${
      formatCount(ecn.unusedCombination)
    } unused and ${formatCount(ecn.dangerous)} dangerous combinations (RFC 6040)`,
  ];
  const [, ...head] = heading('roce-cc live edge', style);
  const rows = interfaces.map(({ name, in: came, forwarded, ended, dropped, out, rejected }) => [
    name,
    ...[came, forwarded, ended, dropped, out, rejected].map(formatCount),
  ]);
  const lines = [
    ...head,
    ...sentences.flatMap((sentence) => wrap(sentence, style)),
    ...table(COLUMNS, rows),
    ...ports.flatMap((port) => portLines(port.name, port.stats(), style)),
  ];
  return inLocale(`${lines.join('\n')}\n`, output.env);
}

function jsonOf(result: EdgeResult, ports: readonly FramePort[]): string {
  const ofPorts = ports.map((port) => ({ name: port.name, ...port.stats() }));
  return printableJson(`${JSON.stringify({ ...result, ports: ofPorts }, null, 2)}\n`);
}
