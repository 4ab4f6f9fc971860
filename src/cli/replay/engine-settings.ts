/** Converts command-line options to the engine's configuration. */
import type { AlgorithmParameters } from '../../config/algorithms/registry.js';
import type { AccessRule } from '../../config/fast-cnp.js';
import type { SettingsNote } from '../../config/importers/index.js';
import { requireShallowText } from '../../config/json-limits.js';
import type { NotificationPointOptions } from '../../config/notification-point.js';
import { telemetry, type TelemetrySettings } from '../../config/telemetry.js';
import { RoceError } from '../../errors.js';
import type { ReplayOptions } from '../../replay/index.js';
import { readText, SETTINGS_BYTES_MAX } from '../read-text.js';
import { presetParameters, type EngineFlags } from './engine-options.js';
import { readVendorSettings } from './vendor-settings.js';

export interface EngineSettings {
  readonly parameters: AlgorithmParameters;
  readonly engine: NonNullable<ReplayOptions['engine']>;
  /** Name of the parameters' source: a preset or a settings file. */
  readonly origin: string;
  readonly notes: readonly SettingsNote[];
  readonly warnings: readonly SettingsNote[];
}

/**
 * @throws RoceError naming the setting or option; system errors for the settings file.
 */
export async function engineSettings(flags: EngineFlags): Promise<EngineSettings> {
  const path = { lineRateBps: flags.lineRate, mssBytes: flags.mss, rttPs: flags.rtt };
  if (flags.settings === undefined) {
    const parameters = presetParameters(flags.preset, path);
    const telemetry = flags.telemetry === undefined ? undefined : await readTelemetryFile(flags.telemetry);
    return {
      parameters,
      engine: { ...(await engineOptions(flags, {})), ...given({ telemetry }) },
      origin: flags.preset,
      notes: [],
      warnings: [],
    };
  }
  const imported = await readVendorSettings(flags.settings, { ...path, kind: flags.settingsKind });
  const { parameters, notificationPoint, notes, warnings } = imported;
  const engine = await engineOptions(flags, notificationPoint);
  return { parameters, engine, origin: flags.settings, notes, warnings };
}

/** `base`: the notification point of the vendor's settings, which options override. */
async function engineOptions(flags: EngineFlags,
  base: NotificationPointOptions): Promise<NonNullable<ReplayOptions['engine']>> {
  const { npScope, npWindow, cnpInterval, fastCnp = false, parser, icrc, icrcPolicy, backend, late } = flags;
  const js = backend === 'js' ? await import('../../reference/index.js') : undefined;
  return {
    ...given({ backend: js?.referenceBackend, lateEvents: late }),
    notificationPoint: { ...base, ...given({ scope: npScope, window: npWindow, minTimeBetweenCnpsPs: cnpInterval }) },
    fastCnp: {
      enabled: fastCnp,
      accessList: accessList(flags),
      ...given({ optionType1: flags.optionTypes?.[0], optionType2: flags.optionTypes?.[1] }),
    },
    parser: given({ mode: parser, icrc, icrcWithExtensionHeaders: icrcPolicy }),
  };
}

function accessList({ allow, deny }: EngineFlags): AccessRule[] {
  return [
    ...allow.map((prefix): AccessRule => ({ prefix, action: 'allow' })),
    ...deny.map((prefix): AccessRule => ({ prefix, action: 'deny' })),
  ];
}

type Given<Fields> = { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> };

/** Drops the fields that are undefined. */
function given<Fields extends object>(fields: Fields): Given<Fields> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Given<Fields>;
}

/**
 * Reads the offsets of HPCC++'s data in IOAM traces from a JSON file: the engine's `telemetry` option.
 *
 * @throws RoceError `invalid-settings` for invalid JSON, `invalid-config` naming the field; system errors.
 */
async function readTelemetryFile(path: string): Promise<TelemetrySettings> {
  return telemetry(parseJson(await readText(path, SETTINGS_BYTES_MAX), path) as Partial<TelemetrySettings>, path);
}

function parseJson(text: string, path: string): unknown {
  requireShallowText(text, 'invalid-settings', path);
  try {
    return JSON.parse(text);
  } catch (error) {
    const hint = 'An example is { "namespaceId": 1, "defaultLineRateBps": 400e9 }';
    const problem = 'is not JSON';
    throw new RoceError('invalid-settings', { what: 'the telemetry', problem, cause: error, where: path, hint });
  }
}
