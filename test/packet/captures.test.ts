import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readCapture, type CaptureFrame } from '../../src/capture/index.js';
import { build, createDissector, type DissectOptions } from '../../src/packet/index.js';
import { formatIpAddress, parseIpAddress } from '../../src/wire/ip/ip-address.js';
import { CAPTURE_FILES, CAPTURES, readTruth, type FrameTruth } from '../support/captures.js';
import { columnsOf, sortedNodes } from './support/columns.js';

const ALTERNATIVE_TYPES = { optionType1: 0x92, optionType2: 0x96 };
/** Frames that end before a complete UDP header, which may be "other" as well as "malformed". */
const MAY_BE_OTHER = /^(trunc-wire-(eth|vlan|ip4|ip6|dstopt|udp|pfc)|vlan-no-type|empty|ipver|ihl|iplen-abs|ip6-plen0)/;

async function readFrames(name: string): Promise<CaptureFrame[]> {
  const frames: CaptureFrame[] = [];
  for await (const frame of readCapture(new Uint8Array(readFileSync(CAPTURES + name)))) frames.push(frame);
  return frames;
}

/** The row of the CSV in the dissector's notation. */
function expected(row: FrameTruth): FrameTruth {
  const addresses = ['src', 'dst', 'fastcnp_orig_dst'].map((
    key,
  ) => [key, row[key] ? formatIpAddress(parseIpAddress(row[key])) : '']);
  return {
    ...row,
    ...Object.fromEntries(addresses),
    ioam_nodes_json: sortedNodes(row['ioam_nodes_json'] ?? ''),
  } as FrameTruth;
}

/** Nanoseconds since the epoch, as in the CSV. */
function timestamp({ hasTime, epochSeconds, picoseconds }: CaptureFrame): string {
  return hasTime ? String(BigInt(epochSeconds) * 1_000_000_000n + BigInt(Math.floor(picoseconds / 1000))) : '';
}

describe.each(CAPTURE_FILES)('%s, dissected', (capture, csv) => {
  const types = capture.startsWith('alt_types') ? ALTERNATIVE_TYPES : {};
  const dissectorOf = (linkType: number, options: DissectOptions = {}) =>
    createDissector({ linkType, optionTypes: types, ...options });

  it('has the values of its CSV, which describes the outermost packets', async () => {
    const [frames, rows] = [await readFrames(capture), readTruth(csv)];
    expect(frames).toHaveLength(rows.length);
    const wrong: string[] = [];
    let compared = 0;
    frames.forEach((frame, index) => {
      const row = expected(rows[index]!);
      const packet = dissectorOf(frame.linkType, { tunnels: 'outside' })(frame.bytes, frame.originalBytes);
      const columns = { ...columnsOf(packet, types), ts_ns: timestamp(frame) } as FrameTruth;
      for (const key of comparedColumns(row, columns)) {
        compared += 1;
        if (columns[key] !== row[key]) {
          wrong.push(`frame ${row['frame']} ${row['kind']} ${row['reason']}: ${key} ${row[key]}, got ${columns[key]}`);
        }
      }
    });
    expect(wrong.slice(0, 20)).toEqual([]);
    expect(compared).toBeGreaterThan(rows.length * 3);
  });

  it('is rebuilt byte for byte', async () => {
    for (const frame of await readFrames(capture)) {
      const { layers } = dissectorOf(frame.linkType)(frame.bytes, frame.originalBytes);
      expect(Buffer.from(build(layers)).equals(frame.bytes)).toBe(true);
    }
  });

  it('has the ICRC of its CSV under the two other policies', async () => {
    const [frames, rows] = [await readFrames(capture), readTruth(csv)];
    frames.forEach((frame, index) => {
      const row = rows[index]!;
      if (!row['icrc_b_hex'] || row['icrc_ok'] !== '1') return;
      for (const [icrcPolicy, column] of [['omit', 'icrc_b_hex'], ['normalise', 'icrc_c_hex']] as const) {
        const { layers } = dissectorOf(frame.linkType)(frame.bytes, frame.originalBytes);
        const computed = build(layers.map((layer) => (layer.kind === 'icrc' ? { kind: 'icrc' } : layer)), {
          icrcPolicy,
        });
        const at = layers.find(({ kind }) => kind === 'icrc')!.offset;
        expect(Buffer.from(computed.subarray(at, at + 4)).toString('hex'), `frame ${row['frame']}`).toBe(row[column]);
      }
    });
  });
});

/** The columns that both have, except those that the row leaves open. */
function comparedColumns(row: FrameTruth, columns: FrameTruth): string[] {
  const lengths = ['ts_ns', 'caplen', 'len'];
  if (row['class'] === 'ambiguous') return lengths;
  if (row['class'] === 'malformed') {
    const isTolerated = columns['class'] === 'other' && MAY_BE_OTHER.test(row['reason'] ?? '');
    return isTolerated ? lengths : [...lengths, 'class'];
  }
  return Object.keys(columns).filter((key) => key in row);
}
