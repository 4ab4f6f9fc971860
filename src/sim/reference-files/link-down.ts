/**
 * `LINK_DOWN time a b` of a config file: the link between nodes a and b goes down permanently, `time` microseconds after 2 s,
 * which is when flows begin in the reference simulator's samples. Time 0: never.
 */
import type { ReferenceConfig } from './config-file.js';
import { rejectText } from './reference-text.js';

/** The instant from which the simulator counts this time. */
const BASE_US = 2_000_000;

/** A link that goes down. */
export interface LinkDown {
  readonly fromUs: number;
  readonly a: number;
  readonly b: number;
}

/** @throws RoceError `invalid-scenario`, naming file, line and key. */
export function linkDownOf(config: ReferenceConfig): LinkDown | undefined {
  const [time, a, b] = config.words('LINK_DOWN').map(({ text, place }) => {
    if (/^\d{1,10}$/.test(text)) return Number(text);
    const allowed = 'microseconds and two nodes, all whole numbers';
    return rejectText({ what: 'LINK_DOWN', got: text, allowed, where: place });
  });
  return time === 0 ? undefined : { fromUs: BASE_US + time, a, b };
}

/** @throws RoceError `invalid-scenario`, always. */
export function rejectLinkDown(config: ReferenceConfig, { a, b }: LinkDown): never {
  const problem = 'names two nodes without a link between them';
  return rejectText({ what: 'LINK_DOWN', problem, got: [a, b], where: config.word('LINK_DOWN').place });
}
