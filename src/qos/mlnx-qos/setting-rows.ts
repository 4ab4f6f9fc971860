/** Lists a port's settings by the options of mlnx_qos that set them. */
import { fillMap, IDENTITY_MAP, PRIORITY_COUNT } from '../qos-map.js';
import type { MlnxQosOutput } from './read-output.js';

/** One setting, as named by mlnx_qos. */
export interface MlnxQosSetting {
  /** Name of the option that sets the value: `--pfc`. */
  readonly name: string;
  /** Value as the option takes it, except for the DSCP map: `0,0,0,1,0,0,0,0`. */
  readonly value: string;
}

/** The traffic class of each priority; equal to the priority if the output has none. */
export function classMap({ classes }: MlnxQosOutput): readonly number[] {
  const map = [...IDENTITY_MAP];
  for (const [number, { priorities }] of classes) for (const priority of priorities) map[priority] = number;
  return map;
}

/** Returns the settings present in the output, in its order. */
export function settingsOf(output: MlnxQosOutput): readonly MlnxQosSetting[] {
  const classes = fillMap(PRIORITY_COUNT, (index) => output.classes.get(index));
  const rows: readonly [string, string | undefined][] = [
    ['--trust', output.trust ?? undefined],
    ['--dscp2prio', mappingText(output)],
    ['--defltprio', output.defaultPriority === null ? undefined : String(output.defaultPriority)],
    ['--pfc', output.pfcEnabled?.join()],
    ['--prio2buffer', output.priorityToBuffer?.join()],
    ['--buffer_size', output.bufferSizes?.join()],
    ['--cable_len', output.cableLength === null ? undefined : String(output.cableLength)],
    ['--prio_tc', output.classes.size === 0 ? undefined : classMap(output).join()],
    ['--tsa', output.classes.size === 0 ? undefined : classes.map((own) => own?.tsa ?? '-').join()],
    ['--tcbw', output.classes.size === 0 ? undefined : classes.map((own) => own?.weightPercent ?? 0).join()],
  ];
  return rows.flatMap(([name, value]) => (value === undefined ? [] : [{ name, value }]));
}

/** Formats the DSCP map: `0: 0 to 23, 32 to 63; 3: 24 to 31`. */
function mappingText({ dscpToPriority }: MlnxQosOutput): string | undefined {
  if (dscpToPriority.size === 0) return undefined;
  const priorities = [...new Set(dscpToPriority.values())].sort((a, b) => a - b);
  return priorities.map((priority) => {
    const dscps = [...dscpToPriority].flatMap(([dscp, own]) => (own === priority ? [dscp] : []));
    return `${priority}: ${runsOf(dscps)}`;
  }).join('; ');
}

function runsOf(numbers: readonly number[]): string {
  const runs: [first: number, last: number][] = [];
  for (const number of numbers.toSorted((a, b) => a - b)) {
    const last = runs.at(-1);
    if (last?.[1] === number - 1) last[1] = number;
    else runs.push([number, number]);
  }
  return runs.map(([first, last]) => (first === last ? String(first) : `${first} to ${last}`)).join(', ');
}
