/** Writes messages that share the records of flows: sizes, ports, and the patterns that they follow. */
import * as layout from '../../abi/message-layout.js';
import { SIM_MESSAGES, SIM_PATTERNS } from '../../abi/sim-regions.js';
import type { NetworkPlan } from '../plan.js';
import type { MessageLayout } from './message-layout.js';
import type { SimAbi } from './sim-abi.js';

/** @param writePattern writes a message as a flow at an address. */
export function writeMessages(abi: SimAbi, { flows, jobs = [] }: NetworkPlan, { patternOf, firstOf }: MessageLayout,
  writePattern: (message: number, at: number) => void): void {
  const view = new DataView(abi.memory.buffer);
  const patternsAt = abi.simRegion(SIM_PATTERNS) >>> 0;
  firstOf.forEach((message, pattern) => {
    const at = patternsAt + pattern * layout.PATTERN_BYTES;
    writePattern(message, at);
    view.setUint32(at + layout.PATTERN_PARAMETER_SET, flows.parameterSet[message], true);
    view.setUint32(at + layout.PATTERN_JOB, jobs.findIndex((job) => message < job.firstFlow + job.flows), true);
  });
  const messagesAt = abi.simRegion(SIM_MESSAGES) >>> 0;
  for (let message = 0; message < flows.length; message++) {
    const at = messagesAt + message * layout.MESSAGE_BYTES;
    view.setFloat64(at, flows.sizeBytes[message], true);
    view.setUint32(at + layout.MESSAGE_PATTERN, patternOf[message], true);
    view.setUint16(at + layout.MESSAGE_PORTS, flows.udpDestinationPort[message], true);
    view.setUint16(at + layout.MESSAGE_PORTS + 2, flows.udpSourcePort[message], true);
  }
}
