/** `roce-cc craft`: from a description to a capture file. */
import type { CaptureFrame } from '../../capture/index.js';
import { writeCaptureFile } from '../../capture/node-file.js';
import { RoceError } from '../../errors.js';
import { build, completeStack } from '../../packet/index.js';
import type { IcrcPolicy } from '../../wire/roce/icrc.js';
import { EXIT_OK, type Output } from '../output.js';
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
 * @throws RoceError and errors of the system; nothing is written unless every packet can be built, and fits into the file.
 */
export async function runCraft(file: string, flags: CraftFlags, { stdout }: Output): Promise<number> {
  const isStandardInput = file === STANDARD_INPUT;
  const source = await readText(file);
  const packets = parseDescription(source, isStandardInput ? 'standard input' : file);
  const plan = planCapture(flags.output, packets);
  const frames = packets.map((packet) => buildFrame(packet, plan, flags));
  requireWritable(frames, plan, packets);
  await writeCaptureFile(flags.output, frames, plan.options);
  stdout.write(`${flags.output}: ${frames.length} ${frames.length === 1 ? 'packet' : 'packets'}\n`);
  return EXIT_OK;
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

/** The same error, with the packet's place in the description. */
function withPlace<T>(where: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    if (!(error instanceof RoceError)) throw error;
    throw error.at(`${where}, ${error.where}`);
  }
}
