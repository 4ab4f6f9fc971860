/** Reads, dissects and replays a capture that was dropped on the page. */
import { readCapture, readCaptureBatches, timePsSince, type CaptureFrame } from '../../src/capture/index.js';
import { dcqcnSigcomm15 } from '../../src/config/algorithms/dcqcn/preset-sigcomm15.js';
import { createDissector, describe, describeTree, type Packet } from '../../src/packet/index.js';
import { foundFlows, parseFlows, replay, type Flow, type ReplayReport } from '../../src/replay/index.js';
import { gbps } from '../../src/units.js';
import { connectionTable, nameOfQp } from './capture-connections.js';
import { formatIpAddress } from '../../src/wire/ip/ip-address.js';
import type { CaptureReport, EngineLine, FrameDetails, FrameLine, FromCaptureWorker,
  ToCaptureWorker } from '../protocol/capture-protocol.js';
import { WireRates } from './qp-rates.js';

/** Maximum frames in the list; all are counted. */
const LINES_MAX = 5000;
const QPS_SHOWN = 64;
/** Preset and line rate of the engine that replays the notifications; a capture contains neither. */
const PRESET = 'dcqcn-sigcomm15';
const LINE_RATE_BPS = gbps(100);
const ETHERNET = 1;

let held: File | undefined;

addEventListener('message', ({ data }: MessageEvent<ToCaptureWorker>) => {
  void answer(data).catch((error: unknown) => {
    post({ type: 'failed', id: data.id, message: error instanceof Error ? error.message : String(error) });
  });
});

function post(message: FromCaptureWorker): void {
  postMessage(message);
}

async function answer(request: ToCaptureWorker): Promise<void> {
  const { id } = request;
  if (request.type === 'frame') {
    post({ type: 'frame', id, details: await detailsOf(request.index) });
    return;
  }
  held = request.file;
  post({ type: 'report', id, report: await reportOf(request.file, request.flows) });
}

async function reportOf(file: File, flowsCsv: string | undefined): Promise<CaptureReport> {
  const { lines, rates, trouble, last } = await readLines(file);
  const first = await replayed(file, flowsCsv === undefined ? [] : parseFlows(flowsCsv, 'flows.csv'));
  const found = flowsCsv === undefined ? foundFlows(first) : parseFlows(flowsCsv, 'flows.csv');
  const report = flowsCsv === undefined && found.length > 0 ? await replayed(file, found) : first;
  const { lines: connections, others } = connectionTable(report.streams, found);
  const classes = Object.entries(report.classes).map(([name, { frames }]): [string, number] => [name, frames])
    .filter(([, frames]) => frames > 0).sort(([, a], [, b]) => b - a);
  return {
    name: file.name,
    frames: classes.reduce((sum, [, frames]) => sum + frames, 0),
    durationPs: last,
    classes,
    lines,
    timesPs: rates.timesPs(),
    qps: connections.slice(0, QPS_SHOWN).map(({ name }) => ({ name, rateBps: rates.rateBps(name) })),
    connections,
    others,
    engine: report.flows.flatMap((flow) => engineLine(flow, found.find(({ name }) => name === flow.flow))),
    engineOf: { preset: PRESET, lineRateBps: LINE_RATE_BPS },
    trouble,
  };
}

interface Read {
  readonly lines: FrameLine[];
  readonly rates: WireRates;
  readonly trouble: string;
  readonly last: number;
}

async function readLines(file: File): Promise<Read> {
  const dissect = createDissector();
  const [lines, rates]: [FrameLine[], WireRates] = [[], new WireRates()];
  let [first, last, trouble]: [CaptureFrame | undefined, number, string] = [undefined, 0, ''];
  try {
    for await (const frame of readCapture(file.stream())) {
      first ??= frame.hasTime ? frame : undefined;
      const sincePs = first !== undefined && frame.hasTime ? timePsSince(frame, first) : NaN;
      if (sincePs > last) last = sincePs;
      const packet = frame.linkType === ETHERNET ? dissect(frame.bytes, frame.originalBytes) : undefined;
      if (packet?.destQpn !== undefined) rates.add(qpName(packet), sincePs, frame.originalBytes);
      if (lines.length < LINES_MAX) lines.push(lineOf(frame, sincePs, packet));
    }
  } catch (error) {
    trouble = error instanceof Error ? error.message : String(error);
    // A file of another kind has no frames, so there is nothing to report.
    if (lines.length === 0) throw error;
  }
  return { lines, rates, trouble, last };
}

function lineOf({ originalBytes, linkType }: CaptureFrame, sincePs: number, packet: Packet | undefined): FrameLine {
  const text = packet === undefined ? `link type ${linkType}: not dissected here` : describe(packet);
  return { sincePs, lenBytes: originalBytes, linkType, text };
}

function qpName({ ip, destQpn = 0 }: Packet): string {
  if (ip === undefined) return nameOfQp('?', '?', destQpn);
  return nameOfQp(formatIpAddress(ip.source), formatIpAddress(ip.destination), destQpn);
}

/** @param flows connections; without any, frames are only counted per stream. */
function replayed(file: File, flows: readonly Flow[]): Promise<ReplayReport> {
  return replay(readCaptureBatches(file.stream()), {
    parameters: dcqcnSigcomm15({ lineRateBps: LINE_RATE_BPS }),
    flows,
    engine: { backend: 'wasm' },
  });
}

/** @param listed the flow, for the name of its connection. */
function engineLine({ rateLine }: ReplayReport['flows'][number], listed: Flow | undefined): EngineLine[] {
  if (rateLine === undefined || listed === undefined) return [];
  const { senderAddress, peerAddress, peerQpn } = listed;
  const { sliceDurationPs, meanRatesBps } = rateLine;
  const timesPs = Float64Array.from(meanRatesBps, (_, slice) => (slice + 1) * sliceDurationPs);
  return [{ name: nameOfQp(senderAddress, peerAddress, peerQpn), timesPs, rateBps: Float64Array.from(meanRatesBps) }];
}

async function detailsOf(index: number): Promise<FrameDetails> {
  let at = 0;
  if (held === undefined) throw new Error('There is no capture yet.');
  for await (const frame of readCapture(held.stream())) {
    if (at++ < index) continue;
    const packet = createDissector()(frame.bytes, frame.originalBytes);
    const layers = packet.layers.map(({ kind, offset, lenBytes }) => ({ kind, offset, lenBytes }));
    return { tree: describeTree(packet), bytes: frame.bytes.slice(), layers };
  }
  throw new Error(`The capture has no frame ${index}.`);
}
