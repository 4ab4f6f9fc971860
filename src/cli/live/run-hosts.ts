/** Runs `roce-cc live hosts`: emulated hosts at ports, with live rates and a final report of flows and counters. */
import { writeCaptureFile } from '../../capture/node-file.js';
import { startLiveClock } from '../../live/ports/frame-port.js';
import { runHosts } from '../../live/hosts/run-hosts.js';
import type { EmulatedHostCounters, FramePort, HostsResult, ReceivingFlow, SendingFlow,
  HostFrame } from '../../live/index.js';
import type { ScenarioSpec } from '../../sim/index.js';
import { PS_PER_SECOND } from '../../units.js';
import { type AlgorithmFlag, algorithmOfWord } from '../algorithms/load-algorithm.js';
import { underAlgorithm, withAlgorithms } from '../algorithms/algorithms-of-scenario.js';
import { formatBytes, formatCount, formatCountOf, formatDuration, formatRate } from '../../view/format.js';
import { EXIT_OK, type Output, writeOut } from '../output.js';
import { printableJson } from '../printable.js';
import { readScenario } from '../run/read-scenario.js';
import { inLocale, textStyle, heading, wrap, type TextStyle } from '../terminal.js';
import { table } from '../text-table.js';
import { FrameRecord, portLines, openPort, Screen, stopOn } from './session.js';

/** A host of the scenario, and the name of its port. */
export interface HostAndPort {
  readonly host: string;
  readonly port: string;
}

/** All options of the command. */
export interface HostsFlags extends AlgorithmFlag {
  readonly scenario: string;
  readonly endless?: boolean;
  readonly window?: number;
  readonly ackEvery?: number;
  readonly pcap?: string;
  readonly json?: boolean;
  readonly seconds?: number;
  readonly promiscuous?: boolean;
  readonly blockTimeout?: number;
}

const SENDING = [
  { head: 'flow', align: 'left' },
  { head: 'acknowledged' },
  { head: 'bytes' },
  { head: 'retransmitted' },
  { head: 'NAKs' },
  { head: 'timeouts' },
  { head: 'rate' },
  { head: 'done after' },
] as const;
const RECEIVING = [
  { head: 'flow', align: 'left' },
  { head: 'delivered' },
  { head: 'bytes' },
  { head: 'out of order' },
  { head: 'duplicates' },
] as const;
const HOSTS = [
  { head: 'host', align: 'left' },
  { head: 'in' },
  { head: 'out' },
  { head: 'marked' },
  { head: 'CNPs out' },
  { head: 'CNPs in' },
  { head: 'Fast CNPs' },
  { head: 'pauses' },
  { head: 'ICRC wrong' },
  { head: 'strays' },
] as const;
/** Shorter than the default of a watch, because hosts respond to the frames. */
const BLOCK_TIMEOUT_MS = 1;

/** @returns the exit code. @throws RoceError and system errors before anything is sent. */
export async function runHostsCommand(at: readonly HostAndPort[], flags: HostsFlags, output: Output): Promise<number> {
  const { spec: given, folder } = await readScenario(flags.scenario);
  const wanted = flags.algorithm === undefined ? given : underAlgorithm(given, algorithmOfWord(flags.algorithm));
  const { spec, algorithmFiles } = await withAlgorithms(wanted, folder);
  const scenario = spec as ScenarioSpec;
  const clock = startLiveClock();
  /** Open ports by name: several hosts may share one. */
  const opened = new Map<string, FramePort>();
  const screen = new Screen(output);
  const stop = stopOn(flags.seconds);
  const { promiscuous, blockTimeout = BLOCK_TIMEOUT_MS, endless, window, ackEvery, pcap } = flags;
  const names = at.map(({ host }) => host);
  const capture = pcap === undefined ? undefined : writeHostFrames(pcap, names);
  try {
    for (const { port } of at) {
      if (!opened.has(port)) opened.set(port, await openPort(port, { promiscuous, blockTimeout, clock }));
    }
    const ports = at.flatMap(({ port }) => opened.get(port) ?? []);
    const running = runHosts(ports, {
      scenario,
      hosts: names,
      algorithmFiles,
      endless,
      windowPackets: window,
      ackEveryPackets: ackEvery,
      clock,
      signal: stop.signal,
      onView: (view) => {
        screen.draw(wrap(sentenceOf(view), textStyle(output)));
      },
      onFrame: capture?.add,
    });
    const result = await running.finally(() => capture?.end());
    const notRecorded = await capture?.finish() ?? 0;
    screen.clear();
    const all = [...opened.values()];
    const text = flags.json === true ? jsonOf(result, all, notRecorded) : textOf(result, all, notRecorded, output);
    await writeOut(output.stdout, text);
    return EXIT_OK;
  } finally {
    stop.dispose();
    capture?.end();
    for (const port of opened.values()) port.close();
  }
}

function sentenceOf({ sending, receiving, hosts }: HostsResult): string {
  const acknowledged = sending.reduce((all, one) => all + one.acknowledgedPackets, 0);
  const delivered = receiving.reduce((all, one) => all + one.deliveredPackets, 0);
  const sum = (of: (one: EmulatedHostCounters) => number): number => hosts.reduce((all, one) => all + of(one), 0);
  return `${formatCountOf(acknowledged, 'packet')} acknowledged, ${formatCount(delivered)} delivered; ${
    formatCountOf(sum(({ cnps }) => cnps), 'CNP')
  } and ${formatCountOf(sum(({ fastCnps }) => fastCnps), 'Fast CNP')} in, ${
    formatCountOf(sum(({ cnpsSent }) => cnpsSent), 'CNP')
  } out`;
}

function textOf(result: HostsResult, ports: readonly FramePort[], notRecorded: number, output: Output): string {
  const style = textStyle(output);
  const { isComplete, sending, receiving, hosts, rejected, maxLagPs, lostPs } = result;
  const [, ...head] = heading('roce-cc live hosts', style);
  const sentences = [
    sentenceOf(result),
    isComplete ? 'all flows are complete' : 'stopped before all flows were complete',
    `timers ran at most ${formatDuration(Math.round(maxLagPs))} late, which cost ${
      formatDuration(Math.round(lostPs))
    } of sending time; ${formatCountOf(rejected, 'frame')} rejected by ports`,
    ...(notRecorded > 0 ? [`${formatCountOf(notRecorded, 'frame')} not recorded because the file was too slow`] : []),
  ];
  const lines = [
    ...head,
    ...sentences.flatMap((sentence) => wrap(sentence, style)),
    ...flowLines('Flows that begin here', SENDING, sending.map(sendingRow), style),
    ...flowLines('Flows that end here', RECEIVING, receiving.map(receivingRow), style),
    ...heading('Hosts', style),
    ...table(HOSTS, hosts.map(hostRow)),
    ...ports.flatMap((port) => portLines(port.name, port.stats(), style)),
  ];
  return inLocale(`${lines.join('\n')}\n`, output.env);
}

function flowLines(title: string, columns: Parameters<typeof table>[0], rows: string[][], style: TextStyle): string[] {
  return rows.length === 0 ? [] : [...heading(title, style), ...table(columns, rows)];
}

function sendingRow(flow: SendingFlow): string[] {
  const { from, to, packets, acknowledgedPackets, acknowledgedBytes, resentPackets, naks, timeouts } = flow;
  const { rateBps, completionPs } = flow;
  const of = packets === null ? '' : ` of ${formatCount(packets)}`;
  return [
    `${from} to ${to}`,
    `${formatCount(acknowledgedPackets)}${of}`,
    formatBytes(acknowledgedBytes),
    ...[resentPackets, naks, timeouts].map(formatCount),
    formatRate(rateBps),
    completionPs === null ? '' : formatDuration(Math.round(completionPs)),
  ];
}

function receivingRow(flow: ReceivingFlow): string[] {
  const { from, to, deliveredPackets, deliveredBytes, outOfOrderPackets, duplicatePackets } = flow;
  const counts = [outOfOrderPackets, duplicatePackets].map(formatCount);
  return [`${from} to ${to}`, formatCount(deliveredPackets), formatBytes(deliveredBytes), ...counts];
}

function hostRow(host: EmulatedHostCounters): string[] {
  const { name, received, sentFrames, marked, cnpsSent, cnps, fastCnps, pausesReceived, icrcWrong, strays } = host;
  const counts = [received, sentFrames, marked, cnpsSent, cnps, fastCnps, pausesReceived, icrcWrong, strays];
  return [name, ...counts.map(formatCount)];
}

function jsonOf(result: HostsResult, ports: readonly FramePort[], notRecorded: number): string {
  const ofPorts = ports.map((port) => ({ name: port.name, ...port.stats() }));
  return printableJson(`${JSON.stringify({ ...result, notRecorded, ports: ofPorts }, null, 2)}\n`);
}

/** A capture being written. */
interface HostCapture {
  readonly add: (frame: HostFrame) => void;
  /** Ends the capture; may be called more than once. */
  readonly end: () => void;
  /** Waits until everything is written. @returns the number of dropped frames. @throws errors of writing the file. */
  readonly finish: () => Promise<number>;
}

/**
 * Captures frames in a pcapng file: one interface per host, times since the start.
 *
 * @param hosts host names, in the order of the interfaces.
 */
function writeHostFrames(file: string, hosts: readonly string[]): HostCapture {
  const record = new FrameRecord();
  const sections = [{ interfaces: hosts.map((name) => ({ name })) }];
  const writing = writeCaptureFile(file, record.frames(), { format: 'pcapng', sections });
  // A write error is reported by `finish`, not as an unhandled rejection.
  const outcome = Promise.allSettled([writing]);
  return {
    add: ({ host, timePs, frame }) => {
      const epochSeconds = Math.floor(timePs / PS_PER_SECOND);
      const picoseconds = Math.round(timePs - epochSeconds * PS_PER_SECOND);
      const interfaceId = hosts.indexOf(host);
      record.add({ bytes: frame.slice(), originalBytes: frame.length, interfaceId, epochSeconds, picoseconds });
    },
    end: () => {
      record.end();
    },
    finish: async () => {
      const [one] = await outcome;
      if (one.status === 'rejected') throw one.reason;
      return record.dropped;
    },
  };
}
