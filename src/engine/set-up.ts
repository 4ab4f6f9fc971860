/** Sets up a new backend: lays out its memory, and writes and applies the configuration. */
import { RoceError } from '../errors.js';
import { unsupportedTrace } from './engine-errors.js';
import type { BoundAlgorithms } from '../algorithm/bound.js';
import { flattenAccessList } from './access-ranges.js';
import { CAPACITY } from '../abi/records/engine-capacity.js';
import { CAPACITY_ADDRESS } from '../abi/layout.js';
import type { EngineAbi } from '../abi/engine-abi.js';
import { hopsNeeded, recordWith, tableBytesNeeded } from '../config/algorithms/registry.js';
import type { EngineConfig } from '../config/engine-config.js';
import { viewMemory, writeWords, type MemoryViews } from './memory-views.js';
import { featuresOf, writeAccessRanges, writeHashKeys, writeParameterSet, writeSettings } from './write-config.js';
import type { EngineParts } from './parts.js';

/** Backend to set up: of a separate engine, or of the one inside a simulator. */
interface Unset {
  readonly abi: Pick<EngineAbi, 'memory' | 'table' | 'initialise' | 'configure' | 'traceWritten'>;
}

export interface SetUp {
  readonly views: MemoryViews;
  /** Custom algorithms; undefined if no parameter set uses one. */
  readonly custom: BoundAlgorithms | undefined;
}

/**
 * @returns views of the backend's memory, which never moves from now on, and the custom algorithms.
 * @throws RoceError `capacity` if the memory cannot be allocated, `unsupported` for a trace in an engine without one.
 */
export function setUpBackend({ abi }: Unset, config: EngineConfig, parts: EngineParts): SetUp {
  const { algorithms } = parts;
  const tableBytes = tableBytesNeeded(config.parameterSets, algorithms);
  const { capacity, fastCnp } = config;
  if (config.traceRecords > 0 && !abi.traceWritten) throw unsupportedTrace();
  const ranges = flattenAccessList(fastCnp.accessList, fastCnp.defaultAction === 'allow');
  writeWords(abi.memory.buffer, CAPACITY_ADDRESS, CAPACITY.index, {
    ...capacity,
    accessRanges: ranges.length,
    features: featuresOf(config, algorithms),
    hops: hopsNeeded(config.parameterSets, algorithms),
    tableBytes: tableBytes + (parts.portBytesNeeded?.(config.telemetry) ?? 0),
    traceRecords: config.traceRecords,
    moduleBytes: parts.moduleBytesNeeded?.(config.parameterSets) ?? 0,
  });
  if (!abi.initialise()) {
    const allowed = 'a size that fits in 4 GiB of WebAssembly memory and in this machine';
    throw new RoceError('capacity', { what: 'the capacity', got: capacity, allowed, where: 'capacity' });
  }
  const views = viewMemory(abi);
  config.parameterSets.forEach((parameterSet, index) => {
    writeParameterSet(views, index, recordWith(algorithms, parameterSet));
  });
  writeAccessRanges(views, ranges);
  writeHashKeys(views, config.hashSeed);
  writeSettings(views, config, ranges.length);
  parts.writeTelemetry?.(views, config.telemetry, tableBytes);
  const custom = parts.bindAlgorithms?.(abi, config.parameterSets, config.telemetry);
  abi.configure();
  return { views, custom };
}
