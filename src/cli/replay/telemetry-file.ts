/** Reads the offsets of HPCC++'s data in IOAM traces from a JSON file: the engine's `telemetry` option. */
import { telemetry, type TelemetrySettings } from '../../config/telemetry.js';
import { requireShallowText } from '../../config/json-limits.js';
import { RoceError } from '../../errors.js';
import { readText, SETTINGS_BYTES_MAX } from '../read-text.js';

/**
 * @throws RoceError `invalid-settings` for invalid JSON, `invalid-config` naming the field; system errors.
 */
export async function readTelemetryFile(path: string): Promise<TelemetrySettings> {
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
