/** Exports files of a finished run. */
import { flowsCsvParts, PortCapture, portsToCsv, resultJsonParts, resultToPerfetto,
  seriesToCsv } from '../../src/sim/index.js';
import type { ExportKind } from '../protocol/run-protocol.js';
import { RunJob, type FinishedRun } from './run-job.js';

interface ExportedFile {
  readonly name: string;
  readonly blob: Blob;
}

/** @param port to capture. @throws RoceError. */
export async function exportedFile(run: FinishedRun, kind: ExportKind, port: string): Promise<ExportedFile> {
  const base = (run.result.scenario.name ?? 'scenario').replaceAll(/[^\w.-]+/g, '-');
  const { result } = run;
  if (kind === 'json') return file(`${base}.result.json`, [...resultJsonParts(result)], 'application/json');
  if (kind === 'flows-csv') return file(`${base}.flows.csv`, [...flowsCsvParts(result)], 'text/csv');
  if (kind === 'ports-csv') return file(`${base}.ports.csv`, [portsToCsv(result)], 'text/csv');
  if (kind === 'series-csv') return file(`${base}.series.csv`, [seriesToCsv(result)], 'text/csv');
  if (kind === 'perfetto') return file(`${base}.perfetto.json`, [resultToPerfetto(result)], 'application/json');
  return file(`${base}.${port.replaceAll(/[^\w.-]+/g, '-')}.pcap`, await capture(run, port, kind === 'link-pcap'),
    'application/vnd.tcpdump.pcap');
}

function file(name: string, parts: BlobPart[], type: string): ExportedFile {
  return { name, blob: new Blob(parts, { type }) };
}

/**
 * Repeats the run to capture packets of a port, or of both directions of its link. It is the same run, to the
 * picosecond.
 */
async function capture({ compiled }: FinishedRun, portName: string, isBothWays: boolean): Promise<BlobPart[]> {
  const port = Math.max(0, compiled.portNames.indexOf(portName));
  const ports = isBothWays ? [port, compiled.plan.ports[port]?.peerPort ?? port] : [port];
  const maker = new PortCapture(compiled.plan);
  const parts: BlobPart[] = [];
  const onPackets = (
    records: Parameters<NonNullable<ConstructorParameters<typeof RunJob>[1]['onPackets']>>[0],
  ): void => {
    for (const record of records) maker.add(record);
    parts.push(...maker.drain().map((bytes) => new Uint8Array(bytes)));
  };
  await new RunJob(compiled, { onSamples: () => undefined, onPackets }, ports).run();
  return [...parts, new Uint8Array(maker.finish())];
}
