/** Formats the report as plain text of at most 100 columns, with bold headings on a terminal. */
import { CLASS_NAMES, type ClassName } from '../../abi/names.js';
import { factsOf } from '../../config/algorithms/registry.js';
import { formatBytes, formatCount, formatCountOf, formatDuration, formatPerSecond, formatRate, formatSeconds,
  formatShare } from '../../view/format.js';
import { CLASS_WORDS, outcomeList, hasNotifications, type Report, shortAddressesOf,
  type ShortAddresses } from './report.js';
import { notificationSection } from './report-notifications.js';
import { otherSection, tunnelSection, findingSection } from './report-findings.js';
import { mrcSection, uetSection } from './report-multipath.js';
import { connectionSection, icrcSection, pauseSection, psnSentences, streamSection } from './report-streams.js';
import { rateSection } from './report-rates.js';
import type { CaptureSummary, ClassSummary, ReplayReport } from '../../replay/index.js';
import { heading, wrap, type TextStyle } from '../terminal.js';
import { table, type Column } from '../text-table.js';

/** Maximum number of epochs listed; `--json` has all. */
const EPOCHS_SHOWN = 6;

/** The whole report, with a line end. */
export function renderText(report: Report, style: TextStyle): string {
  const { result } = report;
  const addresses = shortAddressesOf(report);
  const lines = [
    ...headSection(report, addresses, style),
    ...classSection(result, style),
    ...tunnelSection(result, style),
    ...otherSection(result, style),
    ...mrcSection(result, addresses, style),
    ...uetSection(result, style),
    ...icrcSection(result, style),
    ...notificationSection(report, addresses, style),
    ...rateSection(result, addresses, style),
    ...connectionSection(report, addresses, style),
    ...streamSection(report, addresses, style),
    ...findingSection(result, addresses, style),
    ...pauseSection(result, style),
    ...totalSection(result, style),
    ...hintSection(report, style),
  ];
  return `${lines.join('\n')}\n`;
}

function headSection(report: Report, { prefix }: ShortAddresses, style: TextStyle): string[] {
  const { result, file, bundled } = report;
  const title = bundled ? 'the bundled incast capture' : file === '-' ? 'standard input' : file;
  const [, ...first] = heading(report.title ?? `roce-cc replay: ${title}`, style);
  const sentences = [captureSentence(result.capture), ...captureRemarks(result.capture)];
  if (result.error !== undefined) sentences.push('Incomplete: see the error at the end.');
  sentences.push(...flowSentences(report));
  if (prefix !== '') sentences.push(`Addresses: … means ${prefix}`);
  sentences.push(...report.warnings.map(({ text }) => `Warning: ${text}`));
  return [...first, ...sentences.flatMap((sentence) => wrap(sentence, style))];
}

function flowSentences(report: Report): string[] {
  const { result: { connections }, flowsFile = '', flowsFrom, flowCount, bundled } = report;
  const flows = formatCountOf(flowCount, 'flow');
  if (flowsFrom === 'list')
    return [`${flows} from ${bundled ? 'the bundled list' : flowsFile}`, ...settingSentences(report)];
  if (flowsFrom === 'connections') {
    return [`No flow list: ${flows} of the connections found in the capture`, ...settingSentences(report)];
  }
  if (connections.length === 0) return ['No flow list: frames are classified, no QP is known.'];
  return [
    hasNotifications(report.result) ?
      'No flow list; the connections found are not followed: that needs a file, which is read twice, or --flows.' :
      'No flow list; no mark and no notification to follow on the connections found.',
  ];
}

function captureSentence({ frames, bytes, durationPs, linkTypes }: CaptureSummary): string {
  const links = linkTypes.map(({ name }) => name).join(', ');
  const size = `${formatCountOf(frames, 'frame')}, ${formatBytes(bytes)} on the wire`;
  return frames === 0 ? 'No frames.' : `${size}, ${formatDuration(durationPs)}, ${links}`;
}

function captureRemarks({ linkTypes, untimedFrames, epochs, offClockFrames, limited }: CaptureSummary): string[] {
  const unread = linkTypes.filter(({ supported }) => !supported);
  return [
    ...unread.map(({ name, linkType, frames }) =>
      `Not looked into: ${formatCountOf(frames, 'frame')} of link type ${linkType} (${name}).`
    ),
    ...(untimedFrames === 0 ?
      [] :
      [`${formatCountOf(untimedFrames, 'frame')} without a time took that of the frame before.`]),
    ...(epochs.length === 1 ? [] : [epochWords(epochs)]),
    ...(offClockFrames === 0 ?
      [] :
      [`${formatCountOf(offClockFrames, 'frame')} whose times are in none of these epochs: not applied.`]),
    ...(limited ? ['Stopped early, as --limit says.'] : []),
  ];
}

/** Explains rates and counters of a capture that is longer than the engine's clock, and so is split into epochs. */
function epochWords(epochs: CaptureSummary['epochs']): string {
  const starts = epochs.slice(1, 1 + EPOCHS_SHOWN).map(({ startPs }) => formatDuration(startPs));
  const more = epochs.length - 1 > EPOCHS_SHOWN ? ', …' : '';
  return `${formatCount(epochs.length)} epochs: the engine's clock holds 2.5 h, so its state began again at ${
    starts.join(', ')
  }${more}, every flow at its line rate; counters are sums over all epochs.`;
}

function settingSentences({ result, origin, bundled, notes }: Report): string[] {
  const { parameters, parser, backend, fastCnp } = result.config;
  const imported = notes.length === 0 ?
    '' :
    ` (${formatCountOf(notes.length, 'decision')} made in reading it, listed with --json)`;
  const reading = parser.mode === 'strict-a17' ? 'strict Annex A17' : 'Fast CNP domain';
  const icrc = parser.icrc === 'check' ? `, ICRC checked (extension headers: ${parser.icrcWithExtensionHeaders})` : '';
  const engine = backend === 'js' ? ', JavaScript backend' : '';
  const access = fastCnp.accessList.map(({ prefix, action }) => `${action} ${prefix}`).join(', ');
  const state = fastCnp.enabled ?
    `on, ${access === '' ? 'but no source is allowed' : access}` :
    'off, as the draft has it by default';
  const own = bundled && fastCnp.enabled ? ' (off by default; this job enables it for its own switch)' : '';
  return [
    `${factsOf(parameters).title}: ${origin}, ${
      formatRate(parameters.maxRateBps)
    } line rate${imported}; parser: ${reading}${icrc}${engine}`,
    `Fast CNP: ${state}${own}`,
  ];
}

function classSection(result: ReplayReport, style: TextStyle): string[] {
  const { classes, totals, capture, flows } = result;
  if (capture.frames === 0) return [];
  const names = (Object.keys(CLASS_WORDS) as ClassName[]).filter((name) =>
    name in CLASS_NAMES && classes[name].frames > 0
  );
  const rows = names.map((name) => classRow(CLASS_WORDS[name], classes[name], capture.frames));
  if (totals.unsupportedLink > 0) {
    rows.push([
      'link type not read',
      formatCount(totals.unsupportedLink),
      formatShare(totals.unsupportedLink, capture.frames),
      '',
      '',
      '',
      '',
    ]);
  }
  const { handled, ignored, rejected } = totals;
  rows.push(
    classRow('all', { frames: capture.frames, bytes: capture.bytes, handled, ignored, rejected }, capture.frames),
  );
  const columns: Column[] = [
    { head: 'class', align: 'left' },
    { head: 'frames' },
    { head: 'share' },
    { head: 'bytes' },
    { head: 'handled' },
    { head: 'ignored' },
    { head: 'rejected' },
  ];
  const kept = flows.length === 0 ? 4 : columns.length;
  return [...heading('Frames', style), ...table(columns.slice(0, kept), rows.map((row) => row.slice(0, kept)))];
}

function classRow(name: string, summary: ClassSummary, allFrames: number): string[] {
  const { frames, bytes, handled, ignored, rejected } = summary;
  return [
    name,
    formatCount(frames),
    formatShare(frames, allFrames),
    formatBytes(bytes),
    formatCount(handled),
    formatCount(ignored),
    formatCount(rejected),
  ];
}

function totalSection(result: ReplayReport, style: TextStyle): string[] {
  const { totals, timing, flows } = result;
  if (totals.in === 0) return [];
  const { handled, ignored, rejected, unsupportedLink, outcomes, lateClamped } = totals;
  const sentences: string[] = [];
  if (flows.length > 0) {
    const unread = unsupportedLink === 0 ? '' : ` + ${formatCount(unsupportedLink)} not read`;
    sentences.push(
      `${formatCount(totals.in)} in = ${formatCount(handled)} handled + ${formatCount(ignored)} ignored + ${
        formatCount(rejected)
      } rejected${unread}`,
      outcomeList(outcomes),
    );
    if (lateClamped > 0) {
      sentences.push(`${formatCountOf(lateClamped, 'late event')} moved up to the last one of the QP (--late).`);
    }
  }
  sentences.push(...psnSentences(result));
  const engine = `the engine alone took ${formatSeconds(timing.engineSeconds)}, ${
    formatPerSecond(timing.engineFramesPerSecond, 'events')
  }`;
  sentences.push(
    `${formatSeconds(timing.wallSeconds)}, ${
      formatPerSecond(timing.framesPerSecond, 'frames')
    } with reading the file; ${engine}`,
  );
  return [
    ...heading('Totals', style),
    ...sentences.filter((sentence) => sentence !== '').flatMap((sentence) => wrap(sentence, style)),
  ];
}

/** Suggests what to try next. */
function hintSection(report: Report, style: TextStyle): string[] {
  const { flowsFrom, bundled, program, result } = report;
  if (bundled) {
    return ['', `Your own capture: ${program} replay FILE --flows FLOWS`, `All options:      ${program} replay --help`];
  }
  if (flowsFrom !== 'none') return undoneHint(result, style);
  if (result.connections.length > 0 && result.unpaired.length === 0) return [];
  const example = 'flow,sender_addr,sender_qpn,peer_addr,peer_qpn';
  return [
    '',
    ...wrap(`To follow CNPs and rates per QP, list the connections with --flows FLOWS: CSV with the header ${example}`,
      style, 0),
  ];
}

function undoneHint({ flows, capture }: ReplayReport, style: TextStyle): string[] {
  if (capture.frames === 0 || flows.some((flow) => flow.dataFrames + flow.cnpsSeen + flow.fastCnpsSeen > 0)) return [];
  return [
    '',
    ...wrap(
      'No frame belongs to a listed flow: are addresses and QPNs those of this capture? QPNs may be 0x hexadecimal.',
      style,
      0,
    ),
  ];
}
