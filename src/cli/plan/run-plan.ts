/** Runs `roce-cc headroom` and `roce-cc plan`. */
import { recommendedPath } from '../../qos/recommended.js';
import { Failures, type Output, writeOutOr } from '../output.js';
import { formatBytes, formatCount, formatDuration, formatRate } from '../../view/format.js';
import { keepUnshown, writeOrKeep, requireWritable } from '../write-file.js';
import { printableJson } from '../printable.js';
import { inLocale, textStyle, heading, wrap, type TextStyle } from '../terminal.js';
import { table } from '../text-table.js';
import { type HeadroomFlags, type PlanFlags, computeHeadroom, computePlan, recommendedOptionsOf, type Headroom,
  type Plan } from './plan-numbers.js';

const INDENT = 2;

/**
 * Prints the headroom of a link.
 * @throws RoceError naming the number that is out of range.
 */
export async function runHeadroom(flags: HeadroomFlags, output: Output): Promise<number> {
  const headroom = computeHeadroom(flags);
  const lines = flags.json === true ? undefined : headroomLines(headroom, textStyle(output));
  return show(headroom, lines, 'headroom', output);
}

/**
 * Prints the plan of a network, or writes the plan or a path for `lint` as JSON.
 * @throws RoceError naming the number that is out of range; system errors for the file.
 */
export async function runPlan(flags: PlanFlags, output: Output): Promise<number> {
  const { profile, path, json } = flags;
  const plan = computePlan(flags);
  const data = path === undefined ? plan : { profile, hops: recommendedPath(path, recommendedOptionsOf(flags)) };
  if (json === undefined) return show(data, planLines(plan, textStyle(output)), 'plan', output);
  if (json === true || json === '-') return show(data, undefined, 'plan', output);
  requireWritable(json);
  const failures = new Failures();
  const written = writeOrKeep(json, jsonText(data), failures.add);
  if (written !== undefined) {
    const shown = inLocale(`${wrap(`Written: ${written}`, textStyle(output), 0).join('\n')}\n`, output.env);
    await writeOutOr(output.stdout, shown, () => undefined);
  }
  return failures.report(output);
}

/** @param lines undefined to print `data` as JSON. */
async function show(data: object, lines: readonly string[] | undefined, name: string, output: Output): Promise<number> {
  const text = lines === undefined ? printableJson(jsonText(data)) : inLocale(`${lines.join('\n')}\n`, output.env);
  const failures = new Failures();
  await writeOutOr(output.stdout, text, (error) => {
    keepUnshown(error, `${name}.${lines === undefined ? 'json' : 'txt'}`, text, failures.add);
  });
  return failures.report(output);
}

function jsonText(data: object): string {
  return `${JSON.stringify(data, undefined, INDENT)}\n`;
}

function headroomLines(headroom: Headroom, style: TextStyle): string[] {
  const { rateBps, linkDelayPs, terms, totalBytes, room } = headroom;
  const link = `${formatRate(rateBps)}, ${formatDuration(linkDelayPs)} one way`;
  const [, ...title] = heading(`roce-cc headroom: ${link}`, style);
  return [
    ...title,
    ...table([{ head: 'Term', align: 'left' }, { head: 'Headroom' }, { head: 'Source', align: 'left' }], [
      ...terms.map(({ what, bytes, source }) => [what, `${formatCount(bytes)} bytes`, source]),
      ['Headroom', `${formatCount(totalBytes)} bytes`, ''],
    ], style.tableColumns),
    ...leftOutLines(headroom, style),
    ...(room === null ? [] : [
      ...heading('Between Kmax and xoff', style),
      ...wrap(
        `There are ${formatCount(room.roomBytes)} bytes, and one control loop needs ${
          formatCount(room.neededBytes)
        }: ` +
          (room.suffices ?
            'ECN acts before PFC does.' :
            'PFC pauses before marks take effect. Raise xoff, or lower Kmax.'),
        style,
      ),
    ]),
    ...heading('Set by', style),
    ...wrap('SONiC: xoff of BUFFER_PROFILE, which is the space above the threshold, not the threshold itself.', style),
    ...wrap('NVIDIA adapters: mlnx_qos --buffer_size and --cable_len.', style),
  ];
}

/** What the headroom does not include, and what simulators reserve instead. */
function leftOutLines({ terms, simulator }: Headroom, style: TextStyle): string[] {
  const hasCells = terms.some(({ name }) => name === 'cells');
  return [
    ...heading('Not included', style),
    ...(hasCells ?
      [] :
      wrap(
        'Cells: packets occupy whole cells, so the buffer fills faster than bytes arrive. --cell BYTES adds this for the worst packet sizes.',
        style,
      )),
    ...wrap('Delays within the switch before it sends the pause, and retimers or gearboxes on the link.', style),
    ...wrap(
      `The simulator reserves ${formatCount(simulator.standardBytes)} bytes: 3 times the bytes in flight one way ` +
        `(${
          formatCount(simulator.hpccRuleBytes)
        } bytes, the rule of the HPCC simulator), 3 packets and 8 pause frames.`,
      style,
    ),
  ];
}

function planLines(plan: Plan, style: TextStyle): string[] {
  const { profile, rateBps, settings, convergence } = plan;
  const [, ...title] = heading(`roce-cc plan: ${profile}, ${formatRate(rateBps)}`, style);
  const columns = ['Setting', 'Value', 'SONiC', 'NVIDIA adapter'].map((head) => ({ head, align: 'left' }) as const);
  const chosen = convergence.chosen;
  return [
    ...title,
    ...table(columns, settings.map(({ what, value, sonic, nvidia }) => [what, value, sonic, nvidia]),
      style.tableColumns),
    ...sourceLines(plan, style),
    ...heading('Convergence of an incast', style),
    ...convergence.readings.filter(({ name }) => name === chosen.name).flatMap(({ equation, bufferEquation }) => [
      ...wrap(`Time: ${equation}`, style),
      ...wrap(`Buffer: ${bufferEquation}`, style),
    ]),
    ...wrap(`${chosen.reason} --json has the other readings of the source.`, style),
  ];
}

/** Source of the thresholds, if there are any. */
function sourceLines({ thresholds, settings, controlLoopBytes: loopBytes }: Plan, style: TextStyle): string[] {
  if (!settings.some(({ what }) => what === 'Kmax')) return [];
  const hasPause = settings.some(({ what }) => what.startsWith('Xoff'));
  return [
    ...heading('Sources', style),
    ...wrap(`ECN thresholds: ${thresholds.source}.`, style),
    ...(hasPause ?
      wrap(
        `${formatBytes(loopBytes)} arrive within a control loop: xoff is that far above Kmax, so that ECN acts first.`,
        style,
      ) :
      []),
  ];
}
