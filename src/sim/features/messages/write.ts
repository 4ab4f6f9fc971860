/** Writes messages that share flow records: sizes, ports, and patterns. */
import { SIM_MESSAGES, SIM_PATTERNS } from '../../../abi/sim-regions.js';
import type { NetworkPlan } from '../../plan.js';
import type { MessageLayout } from './layout.js';
import { recordAt, type SimAbi } from '../../kernel/sim-abi.js';
import type { KernelPart } from '../../kernel/kernel-part.js';
import { writeFields } from '../../../abi/records/fields.js';
import { MESSAGE, PATTERN } from '../../../abi/records/messages.js';

export const MESSAGES_MEMORY: KernelPart = {
  capacity: ({ flows, jobs }, { messages }) => ({
    messages: messages === undefined ? 0 : flows.length,
    patterns: messages?.firstOf.length ?? 0,
    messageJobs: jobs?.length ?? 0,
  }),
};

/** Writes all messages. @param writePattern writes a message as a flow at an address. */
export function writeMessages(abi: SimAbi, { flows, jobs = [] }: NetworkPlan, { patternOf, firstOf }: MessageLayout,
  writePattern: (message: number, at: number) => void): void {
  const view = new DataView(abi.memory.buffer);
  firstOf.forEach((message, pattern) => {
    const at = recordAt(abi, SIM_PATTERNS, PATTERN, pattern);
    writePattern(message, at + PATTERN.at.flow);
    const job = jobs.findIndex(({ firstFlow, flows: count }) => message < firstFlow + count);
    writeFields(view, at, PATTERN, { parameterSet: flows.parameterSet[message], job });
  });
  for (let message = 0; message < flows.length; message++) {
    writeFields(view, recordAt(abi, SIM_MESSAGES, MESSAGE, message), MESSAGE, {
      sizeBytes: flows.sizeBytes[message],
      pattern: patternOf[message],
      udpPorts: (flows.udpSourcePort[message] << 16) | flows.udpDestinationPort[message],
    });
  }
}
