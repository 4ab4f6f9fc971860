/** Sets a fresh backend up: memory laid out, configuration written and taken over. */
import { RoceError } from '../errors.js';
import { unsupportedTrace } from './engine-errors.js';
import { flattenAccessList } from './access-ranges.js';
import type { Backend } from '../abi/backend.js';
import { hopsNeeded, tableBytesNeeded } from '../config/algorithms/registry.js';
import type { EngineConfig } from '../config/engine-config.js';
import { viewMemory, type MemoryViews } from './memory-views.js';
import { featuresOf, writeAccessRanges, writeHashKeys, writeParameterSet, writeSettings } from './write-config.js';
import { portBytesNeeded, writeTelemetry } from './write-telemetry.js';

/**
 * @returns views on the backend's memory, which stays where it is from now on.
 * @throws RoceError `capacity` when the system refuses the memory, `unsupported` for a trace in an engine without one.
 */
export function setUpBackend({ abi }: Pick<Backend, 'abi'>, config: EngineConfig): MemoryViews {
  const { capacity, fastCnp } = config;
  if (config.traceRecords > 0 && !abi.traceWritten) throw unsupportedTrace();
  const ranges = flattenAccessList(fastCnp.accessList, fastCnp.defaultAction === 'allow');
  const laidOut = abi.initialise(capacity.qps, capacity.endpoints, capacity.addresses, capacity.events,
    capacity.packets, capacity.frameBytes, ranges.length, featuresOf(config), hopsNeeded(config.parameterSets),
    tableBytesNeeded(config.parameterSets) + portBytesNeeded(config.telemetry), config.traceRecords);
  if (!laidOut) {
    throw new RoceError('capacity', 'memory for this capacity', {
      got: capacity,
      allowed: 'what fits into 4 GiB of WebAssembly memory and into this machine',
      where: 'capacity',
    });
  }
  const views = viewMemory(abi);
  config.parameterSets.forEach((parameterSet, index) => {
    writeParameterSet(views, index, parameterSet);
  });
  writeAccessRanges(views, ranges);
  writeHashKeys(views, config.hashSeed);
  writeSettings(views, config, ranges.length);
  writeTelemetry(views, config.telemetry, tableBytesNeeded(config.parameterSets));
  abi.configure();
  return views;
}
