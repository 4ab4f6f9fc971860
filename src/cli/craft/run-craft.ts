/** Runs `roce-cc craft`, which builds a capture file from a description. */
import { writeCapture } from '../../capture/writer.js';
import type { CaptureFrame } from '../../capture/index.js';
import { RoceError } from '../../errors.js';
import { build, completeStack } from '../../packet/build-stack.js';
import type { IcrcPolicy } from '../../wire/roce/icrc.js';
import { Failures, type Output, writeOutOr } from '../output.js';
import { describeError } from '../describe-error.js';
import { KeptFile, type Warn, requireWritable as requirePlace } from '../write-file.js';
import { printable } from '../printable.js';
import { readText } from '../read-text.js';
import { planCapture, requireWritable, type CapturePlan } from './capture-plan.js';
import { parseDescription, type DescribedPacket } from './description.js';

/** All options of the command. */
export interface CraftFlags {
  readonly output: string;
  readonly exactly?: boolean;
  readonly icrcPolicy: IcrcPolicy;
}

const STANDARD_INPUT = '-';

/**
 * Builds the packets of a description into a capture.
 * @throws RoceError and system errors. Nothing is written unless every packet can be built and fits into the file.
 */
export async function runCraft(file: string, flags: CraftFlags, output: Output): Promise<number> {
  requirePlace(flags.output);
  const isStandardInput = file === STANDARD_INPUT;
  const source = await readText(file);
  const packets = parseDescription(source, isStandardInput ? 'standard input' : file);
  const plan = planCapture(flags.output, packets);
  const frames = packets.map((packet) => buildFrame(packet, plan, flags));
  requireWritable(frames, plan, packets);
  const failures = new Failures();
  const place = await writeFrames(frames, plan, flags.output, failures.add);
  if (place !== undefined) {
    const shown = `${printable(place)}: ${frames.length} ${frames.length === 1 ? 'packet' : 'packets'}\n`;
    await writeOutOr(output.stdout, shown, (error) => {
      failures.add(`${describeError(error)}; the capture is in ${place}`);
    });
  }
  return failures.report(output);
}

/** Returns the path of the capture, if it was written. */
async function writeFrames(frames: readonly CaptureFrame[], { options }: CapturePlan, file: string,
  warn: Warn): Promise<string | undefined> {
  const target = new KeptFile(file, warn);
  for await (const chunk of writeCapture(frames, { ...options, gzip: file.endsWith('.gz') })) target.write(chunk);
  return target.finish();
}

function buildFrame(packet: DescribedPacket, { linkTypes }: CapturePlan,
  { exactly, icrcPolicy }: CraftFlags): CaptureFrame {
  const { layers, linkType, epochSeconds, picoseconds, where } = packet;
  const isComplete = exactly === true || packet.isInTrouble;
  const bytes = withPlace(where, () => build(isComplete ? layers : completeStack(layers), { icrcPolicy }));
  const originalBytes = Math.max(bytes.length, packet.originalBytes ?? 0);
  return {
    bytes,
    capturedBytes: bytes.length,
    originalBytes,
    linkType,
    interfaceId: linkTypes.indexOf(linkType),
    section: 0,
    hasTime: true,
    epochSeconds,
    picoseconds,
  };
}

/** Adds the packet's place in the description to errors. */
function withPlace<T>(where: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    if (!(error instanceof RoceError)) throw error;
    throw error.at(`${where}, ${error.where}`);
  }
}
