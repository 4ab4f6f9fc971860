/** The report of a replay: the result, plus data from the command line; as JSON, the unchanged result and that data. */
import type { NoteRecord } from '../../note-record.js';
import type { ReplayReport } from '../../replay/index.js';
import { describeError, errorFields } from '../describe-error.js';

/** Source of the flows. */
export type FlowsFrom = 'list' | 'connections' | 'none';

export interface Report {
  readonly result: ReplayReport;
  /** Title; undefined: the command and the file. */
  readonly title?: string;
  /** Path of the capture as given; `-` = standard input. */
  readonly file: string;
  /** Path of the flow list, if there is one. */
  readonly flowsFile: string | undefined;
  /** Source of the flows: a list, the connections found in the capture, or none. */
  readonly flowsFrom: FlowsFrom;
  readonly flowCount: number;
  /** Whether this is the default replay, of the bundled capture. */
  readonly bundled: boolean;
  /** How the program was started, for hints: `npm start --` or `roce-cc`. */
  readonly program: string;
  /** Source of the reaction point's parameters: a preset or a settings file. */
  readonly origin: string;
  /** Assumptions made when importing settings. */
  readonly notes: readonly NoteRecord[];
  readonly warnings: readonly NoteRecord[];
}

/** Whether there is anything to follow: marks, CNPs or Fast CNPs. */
export function hasNotifications({ notifications, fastCnps }: ReplayReport): boolean {
  return notifications.markedFrames + notifications.cnpsSeen + fastCnps.seen > 0;
}

/** One indented JSON object, with a line end. */
export function renderJson(report: Report): string {
  const { result, file, flowsFile, flowsFrom, origin, notes, warnings } = report;
  const { schema, capture, error, ...found } = result;
  const described = error === undefined ? null : { ...errorFields(error), message: describeError(error, file) };
  const object = {
    schema,
    file,
    flowsFile: flowsFile ?? null,
    flowsFrom,
    complete: error === undefined && !capture.limited,
    error: described,
    parametersFrom: origin,
    notes,
    warnings,
    capture,
    ...found,
  };
  return `${JSON.stringify(object, undefined, 2)}\n`;
}

/** Minimum length of a prefix: a shorter one is not worth the sentence that states it. */
const PREFIX_LEAST = 4;

/** Shortens addresses by their common prefix, which a report states once. */
export class ShortAddresses {
  /** The common prefix of all addresses (of all IPv6 addresses, if any), up to a colon or dot; empty if too short. */
  readonly prefix: string;

  constructor(addresses: Iterable<string>) {
    const all = [...new Set(addresses)].sort();
    const isIpv6 = all.some((address) => address.includes(':'));
    const distinct = all.filter((address) => address.includes(':') === isIpv6);
    const first = distinct[0] ?? '';
    const last = distinct.at(-1) ?? '';
    let equal = 0;
    while (equal < first.length && first[equal] === last[equal]) equal++;
    const border = Math.max(first.lastIndexOf(':', equal - 1), first.lastIndexOf('.', equal - 1)) + 1;
    this.prefix = distinct.length > 1 && equal > 0 && border >= PREFIX_LEAST ? first.slice(0, border) : '';
  }

  /** The shortened address: `…5e01::10` for 2001:db8:5e01::10. */
  of(address: string): string {
    return this.prefix !== '' && address.startsWith(this.prefix) ? `…${address.slice(this.prefix.length)}` : address;
  }
}

/** Collects the addresses of tables and lists. Sources of Fast CNPs stay in full, to be copied into an access list. */
export function shortAddressesOf({ result, flowsFrom }: Report): ShortAddresses {
  const { flows, streams, unresolved, findings, mrc } = result;
  const shown = flowsFrom === 'list' ? findings.flatMap(({ stream }) => streams[stream] ?? []) : streams;
  return new ShortAddresses([
    ...flows.map(({ sender }) => sender.address),
    ...shown.flatMap(({ source, destination }) => [source, destination]),
    ...(mrc?.queuePairs ?? []).flatMap(({ source, destination }) => [source, destination]),
    ...unresolved.flatMap(({ destination, originalDestination = destination }) => [destination, originalDestination]),
  ]);
}
