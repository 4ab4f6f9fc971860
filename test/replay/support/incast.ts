import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { BUNDLED_CAPTURE, BUNDLED_FLOWS, BUNDLED_SWITCH } from '../../../src/cli/shipped-files.js';
import { dcqcnSigcomm15, gbps } from '../../../src/index.js';
import { readCaptureBatches, type CaptureSource } from '../../../src/capture/index.js';
import { parseFlows, replay, type Flow, type ReplayOptions, type ReplayReport } from '../../../src/replay/index.js';

const here = (path: string): URL => new URL(path, import.meta.url);

export const capture = (): Uint8Array => readFileSync(BUNDLED_CAPTURE);
export const flows = parseFlows(readFileSync(BUNDLED_FLOWS, 'utf8'), 'incast-flows.csv');

/** The options of the main job. */
export const options = {
  parameters: dcqcnSigcomm15({ lineRateBps: gbps(100) }),
  engine: { fastCnp: { enabled: true, accessList: [{ prefix: BUNDLED_SWITCH, action: 'allow' }] } },
} as const satisfies ReplayOptions;

export const replayCapture = (source: CaptureSource, list: readonly Flow[],
  given: ReplayOptions): Promise<ReplayReport> => replay(readCaptureBatches(source), { ...given, flows: list });

/** The values that the generator of the capture recorded per flow. */
export interface Expected {
  readonly flow: string;
  readonly dataFrames: number;
  readonly markedFrames: number;
  readonly cnps: number;
  readonly fastCnps: number;
}

export const expected: Expected[] = rows(here('../../data/cli/incast-expected.csv')).map((row) => ({
  flow: row.flow,
  dataFrames: Number(row.data_frames),
  markedFrames: Number(row.marked_frames),
  cnps: Number(row.cnps),
  fastCnps: Number(row.fast_cnps),
}));

function rows(url: URL): Record<string, string>[] {
  return parse(readFileSync(url), { columns: true });
}
