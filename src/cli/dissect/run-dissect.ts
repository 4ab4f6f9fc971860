/** Runs `roce-cc dissect`, which prints a line for each frame of a capture. */
import type { CaptureFrame, CaptureTime } from '../../capture/index.js';
import { linkTypeName } from '../../capture/link-types.js';
import { openCaptureFile } from '../../capture/node-file.js';
import { readCapture } from '../../capture/reader.js';
import { describeTree } from '../../packet/describe-tree.js';
import { describe } from '../../packet/describe.js';
import { createDissector, type Packet } from '../../packet/dissect.js';
import { packetToJson, toJson, type Json } from '../../packet/layer-json.js';
import { isDissected, type DissectOptions } from '../../packet/rules.js';
import { PS_PER_NS, PS_PER_SECOND } from '../../units.js';
import type { FastCnpOptionTypes } from '../../wire/roce/fast-cnp-option.js';
import { describeError, isExpected } from '../describe-error.js';
import { Failures, type Environment, type Output } from '../output.js';
import { LineOutput } from '../write-file.js';
import { mrcOptionsOf, type MrcFlags } from '../mrc-options.js';
import { printableJson, printableLines } from '../printable.js';
import { inputFile } from '../shipped-files.js';
import { inLocale } from '../terminal.js';
import { passes, type FilterFlags } from './frame-filter.js';

/** All options of the command. */
export interface DissectFlags extends FilterFlags, MrcFlags {
  readonly tree?: boolean;
  readonly json?: boolean;
  readonly limit?: number;
  readonly parser?: 'fast-cnp-domain' | 'strict-a17';
  readonly optionTypes?: readonly [number, number];
  readonly icrcPolicy?: 'literal' | 'omit' | 'normalise';
  readonly arnPort?: number;
  readonly uetPort?: number;
}

const STANDARD_INPUT = '-';

type Dissector = (bytes: Uint8Array, originalBytes?: number) => Packet;

/**
 * Prints the frames of a capture.
 *
 * @param file the capture; `-` = standard input.
 * @returns the exit code: a damaged capture is shown as far as it goes, then reported as an error.
 * @throws system errors before anything is printed.
 */
export async function runDissect(file: string, flags: DissectFlags, output: Output): Promise<number> {
  const source = file === STANDARD_INPUT ? process.stdin : (await openCaptureFile(inputFile(file))).chunks;
  const failures = new Failures();
  const lines = new LineOutput(output.stdout, `dissection.${flags.json === true ? 'jsonl' : 'txt'}`, failures.add);
  try {
    await printFrames(readCapture(source), flags, lines, output.env);
  } catch (error) {
    if (!isExpected(error)) throw error;
    failures.add(describeError(error, file));
  } finally {
    lines.finish();
  }
  return failures.report(output);
}

async function printFrames(frames: AsyncIterable<CaptureFrame>, flags: DissectFlags, lines: LineOutput,
  env: Environment | undefined): Promise<void> {
  const dissectorOf = dissectorsByLinkType(flags);
  let number = 0;
  let shown = 0;
  let first: CaptureFrame | undefined;
  for await (const frame of frames) {
    number += 1;
    first ??= frame.hasTime ? frame : undefined;
    const packet = dissectorOf(frame.linkType)?.(frame.bytes, frame.originalBytes);
    if (packet ? !passes(packet, flags) : isFiltered(flags)) continue;
    const text = frameText(number, frame, first, packet, flags);
    await lines.write(`${flags.json === true ? printableJson(text) : inLocale(printableLines(text), env)}\n`);
    if (lines.isReaderGone) return;
    shown += 1;
    if (shown === flags.limit) return;
  }
}

/** One dissector for each link type of the file; undefined for unknown types. */
function dissectorsByLinkType(flags: DissectFlags): (linkType: number) => Dissector | undefined {
  const dissectors = new Map<number, Dissector | undefined>();
  return (linkType) => {
    if (!dissectors.has(linkType)) dissectors.set(linkType, makeDissector(linkType, flags));
    return dissectors.get(linkType);
  };
}

function makeDissector(linkType: number, flags: DissectFlags): Dissector | undefined {
  if (!isDissected(linkType)) return undefined;
  const { parser, icrcPolicy, arnPort, uetPort, mrcDscps } = flags;
  const options: DissectOptions = {
    linkType,
    optionTypes: optionTypesOf(flags),
    mrc: mrcOptionsOf(flags),
    uet: {
      ...(uetPort === undefined ? {} : { port: uetPort }),
      ...(mrcDscps === undefined ? {} : { dscps: mrcDscps }),
    },
    ...(parser === undefined ? {} : { mode: parser }),
    ...(icrcPolicy === undefined ? {} : { icrcPolicy }),
    ...(arnPort === undefined ? {} : { arnPort }),
  };
  return createDissector(options);
}

function optionTypesOf({ optionTypes }: DissectFlags): FastCnpOptionTypes {
  return optionTypes ? { optionType1: optionTypes[0], optionType2: optionTypes[1] } : {};
}

function isFiltered({ class: classes, qpn, address }: DissectFlags): boolean {
  return classes !== undefined || qpn.length + address.length > 0;
}

/** A frame that was not dissected: all bytes in one layer, from which `craft` can rebuild it. */
function undissectedToJson(
  { linkType, bytes, capturedBytes, originalBytes }: CaptureFrame,
): Readonly<Record<string, Json>> {
  const layers = capturedBytes === 0 ?
    [] :
    [{ kind: 'undecoded', offset: 0, lenBytes: capturedBytes, bytes: toJson(bytes) }];
  return { error: `${linkTypeName(linkType)} is not dissected`, capturedBytes, originalBytes, layers };
}

function frameText(number: number, frame: CaptureFrame, first: CaptureFrame | undefined, packet: Packet | undefined,
  flags: DissectFlags): string {
  const sinceFirst = secondsSince(frame, first);
  if (flags.json === true) {
    const { linkType, hasTime } = frame;
    const time = hasTime ? formatExactTime(frame) : null;
    const body = packet ? packetToJson(packet, optionTypesOf(flags)) : undissectedToJson(frame);
    return JSON.stringify({ frame: number, time, linkType, ...body });
  }
  const start = `${String(number).padStart(7)}  ${sinceFirst.padStart(14)}`;
  if (packet === undefined) return `${start}  ${linkTypeName(frame.linkType)}, not dissected`;
  return flags.tree === true ?
    `${start}\n${describeTree(packet, optionTypesOf(flags))}\n` :
    `${start}  ${describe(packet)}`;
}

const DIGITS = 9;
const EXACT_DIGITS = 12;

/**
 * Seconds since the epoch with nine decimals, or with twelve if there are picoseconds; exact, because captures have more
 * digits than a JavaScript number can hold.
 */
function formatExactTime({ epochSeconds, picoseconds }: CaptureTime): string {
  if (picoseconds % PS_PER_NS === 0) return formatTime(epochSeconds, picoseconds);
  return `${epochSeconds}.${String(picoseconds).padStart(EXACT_DIGITS, '0')}`;
}

/** Formats to nine decimals, truncating picoseconds. */
function formatTime(epochSeconds: number, picoseconds: number): string {
  return `${epochSeconds}.${String(Math.floor(picoseconds / PS_PER_NS)).padStart(DIGITS, '0')}`;
}

/** Seconds since the first frame with a timestamp, to nine decimals; `-` if the frame has none. */
function secondsSince(time: CaptureTime, first: CaptureTime | undefined): string {
  if (!time.hasTime || first === undefined) return '-';
  return isEarlier(time, first) ? `-${difference(first, time)}` : difference(time, first);
}

function isEarlier(a: CaptureTime, b: CaptureTime): boolean {
  return a.epochSeconds < b.epochSeconds || (a.epochSeconds === b.epochSeconds && a.picoseconds < b.picoseconds);
}

/** Time difference, computed without numbers too large to be exact. */
function difference(later: CaptureTime, earlier: CaptureTime): string {
  const borrows = later.picoseconds < earlier.picoseconds;
  const picoseconds = later.picoseconds - earlier.picoseconds + (borrows ? PS_PER_SECOND : 0);
  const epochSeconds = later.epochSeconds - earlier.epochSeconds - (borrows ? 1 : 0);
  return formatTime(epochSeconds, picoseconds);
}
