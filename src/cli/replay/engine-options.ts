/** Engine options shared by `replay` and `live watch`. */
import { addMrcOptions } from '../mrc-options.js';
import { Option, type Command } from 'commander';
import { gbps } from '../../units.js';
import { collectPrefix, parseCount, parseDuration, parseOptionTypes, parseRate,
  addCoalescingOptions } from '../option-values.js';
import type { EngineFlags } from './engine-settings.js';
import { DEFAULT_PRESET, HPCC_PP_PRESET, PRESETS } from './presets.js';
import { SETTINGS_KINDS } from './settings-kinds.js';

const DEFAULT_LINE_RATE_BPS = gbps(100);

export function addReactionOptions(command: Command): void {
  command
    .addOption(
      new Option('--preset <name>', 'parameters of DCQCN, or of HPCC++ (hpcc-pp)').choices(PRESETS).default(
        DEFAULT_PRESET,
      ),
    )
    .addOption(
      new Option('--line-rate <rate>', 'rate of the ports, with its unit').argParser(parseRate).default(
        DEFAULT_LINE_RATE_BPS,
        '100G',
      ),
    )
    .addOption(
      new Option('--settings <path>', 'parameters from vendor settings, a file or a folder ecn').conflicts('preset'),
    )
    .addOption(
      new Option('--settings-kind <kind>', 'kind of settings (default: detected from their names)').choices(
        SETTINGS_KINDS,
      ),
    )
    .addOption(new Option('--mss <bytes>', 'irdma only: path MTU').argParser(parseCount))
    .addOption(
      new Option('--rtt <time>', 'irdma and hpcc-pp only: round-trip time, such as 10us').argParser(parseDuration),
    )
    .option('--telemetry <file>', 'hpcc-pp only: offsets of its data in IOAM traces, JSON')
    .addOption(
      new Option('--late <policy>', 'treatment of events older than the last one of their QP (default: clamp)').choices(
        [
          'clamp',
          'reject',
        ],
      ),
    )
    .addOption(new Option('--backend <name>', 'implementation of the engine (default: wasm)').choices(['wasm', 'js']));
}

export function addNotificationOptions(command: Command): void {
  addCoalescingOptions(command)
    .option('--fast-cnp', 'accept Fast CNPs from the allowed sources')
    .option('--no-fast-cnp', 'reject all Fast CNPs (default)')
    .addOption(
      new Option('--allow <prefix>', 'IPv6 source of Fast CNPs; may be repeated').argParser(collectPrefix).default([],
        'none'),
    )
    .addOption(
      new Option('--deny <prefix>', 'exception from --allow; may be repeated').argParser(collectPrefix).default([],
        'none'),
    )
    .addOption(
      new Option('--option-types <types>', 'IPv6 option types of Fast CNP options 1 and 2 (default: 0x9e,0x9e)')
        .argParser(parseOptionTypes),
    );
}

export function addParserOptions(command: Command): void {
  addMrcOptions(command)
    .addOption(new Option('--parser <mode>', 'which headers are parsed (default: fast-cnp-domain)').choices([
      'fast-cnp-domain',
      'strict-a17',
    ]))
    .addOption(
      new Option('--icrc <what>', 'check ICRCs: wrong ones are counted and rejected (default: ignore)').choices([
        'ignore',
        'check',
      ]),
    )
    .addOption(
      new Option('--icrc-policy <policy>', 'what an ICRC covers with extension headers (default: literal)').choices([
        'literal',
        'omit',
        'normalise',
      ]),
    );
}

/** Ends with a usage error: `option` has no effect without `other`. */
export function withoutEffect(command: Command, option: string, other: string): void {
  command.error(`error: option '${option}' has no effect without '${other}'`);
}

/** Rejects options that would have no effect. */
export function checkTogether(command: Command, flags: EngineFlags): void {
  const needs = (option: string, other: string): void => {
    withoutEffect(command, option, other);
  };
  if (flags.allow.length + flags.deny.length > 0 && flags.fastCnp !== true) {
    needs(flags.allow.length > 0 ? '--allow' : '--deny', '--fast-cnp');
  }
  if (flags.icrcPolicy !== undefined && flags.icrc !== 'check') needs('--icrc-policy', '--icrc check');
  if (flags.settingsKind !== undefined && flags.settings === undefined) needs('--settings-kind', '--settings');
  checkPath(command, flags);
}

/** Rejects options that the chosen preset does not use. */
function checkPath(command: Command, { preset, settings, mss, rtt, telemetry }: EngineFlags): void {
  const isPlus = preset === HPCC_PP_PRESET;
  const mayBeIrdma = preset === 'irdma' || settings !== undefined;
  if (telemetry !== undefined && !isPlus) withoutEffect(command, '--telemetry', `--preset ${HPCC_PP_PRESET}`);
  if (mss !== undefined && !mayBeIrdma) withoutEffect(command, '--mss', '--preset irdma');
  if (rtt !== undefined && !mayBeIrdma && !isPlus) {
    withoutEffect(command, '--rtt', `--preset irdma' or '--preset ${HPCC_PP_PRESET}`);
  }
}
