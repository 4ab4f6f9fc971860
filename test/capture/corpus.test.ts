import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { readCapture, viewFrame, type CaptureFrame } from '../../src/capture/index.js';
import { readCaptureFile, readCaptureFileBatches } from '../../src/capture/node-file.js';
import { expectedFrames, CORPUS_FILES, LOCAL_FILES, localBytes, type CorpusFile,
  type ExpectedFrame } from './support/corpus.js';
import { readGood } from './support/read.js';

const CORPUS = [...LOCAL_FILES, ...CORPUS_FILES];

function summary(frame: CaptureFrame): ExpectedFrame {
  const timeNs = BigInt(frame.epochSeconds) * 1_000_000_000n + BigInt(frame.picoseconds) / 1000n;
  expect(frame.picoseconds % 1000).toBe(0);
  return {
    timeNs: frame.hasTime ? timeNs : undefined,
    capturedBytes: frame.capturedBytes,
    originalBytes: frame.originalBytes,
  };
}

function rowsOf(file: CorpusFile): ExpectedFrame[] {
  const stored = readFileSync(file.csvPath);
  return expectedFrames((file.csvPath.endsWith('.gz') ? gunzipSync(stored) : stored).toString());
}

describe('the reader returns the lengths and times in the CSV of each corpus file', () => {
  it.each(CORPUS)('$name', async (file) => {
    const got: ExpectedFrame[] = [];
    for await (const batch of readCaptureFileBatches(file.path)) {
      for (let i = 0; i < batch.count; i++) {
        const frame = viewFrame(batch, i);
        expect(frame.linkType).toBe(file.linkType);
        expect(frame.bytes.length).toBe(frame.capturedBytes);
        got.push(summary(frame));
      }
    }
    expect(got).toEqual(rowsOf(file));
  });
});

describe('the same frames in different containers', () => {
  it('are equal in pcap, pcapng and gzip', async () => {
    const pcap = await readGood(localBytes('mixed_50.pcap'));
    expect(await readGood(localBytes('mixed_50.pcapng'))).toEqual(pcap);
    expect(await readGood(localBytes('mixed_50.pcap.gz'))).toEqual(pcap);
  });

  it('are equal in a big-endian pcap in microseconds, except that times are truncated to a microsecond', async () => {
    const nanoseconds = await readGood(localBytes('mixed_50.pcap'));
    const microseconds = await readGood(localBytes('mixed_be_us_50.pcap'));
    const cut = nanoseconds.map((frame) => ({ ...frame, picoseconds: frame.picoseconds - (frame.picoseconds % 1e6) }));
    expect(microseconds).toEqual(cut);
  });

  it('are equal when read one by one and in batches', async () => {
    const singly: CaptureFrame[] = [];
    for await (const frame of readCapture(localBytes('mixed_odd.pcapng'))) singly.push(frame);
    expect(singly).toEqual(await readGood(localBytes('mixed_odd.pcapng')));
  });

  it('are equal when read from a path and from memory', async () => {
    const fromPath: CaptureFrame[] = [];
    for await (const frame of readCaptureFile(LOCAL_FILES[0]!.path)) fromPath.push(frame);
    expect(fromPath).toEqual(await readGood(localBytes('mixed_50.pcap')));
  });
});

describe('a file of two sections', () => {
  it('numbers the sections, and the interfaces within each', async () => {
    const frames = await readGood(localBytes('mixed_odd.pcapng'));
    const seen = new Set(
      frames.map((frame) => `section ${String(frame.section)} interface ${String(frame.interfaceId)}`),
    );
    expect([...seen].sort()).toEqual([
      'section 0 interface 0',
      'section 0 interface 1',
      'section 1 interface 0',
      'section 1 interface 1',
    ]);
  });
});
