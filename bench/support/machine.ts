/** Properties that affect the figures: processor, cores, Node, compiler. No date, no host name. */
import { cpus, totalmem } from 'node:os';
import { loadNative } from './native-addon.js';

export function machineLines(): readonly string[] {
  const processors = cpus();
  const { build } = loadNative();
  return [
    `processor: ${processors[0]?.model.trim() ?? 'unknown'}, ${processors.length} logical cores, ${
      Math.round(totalmem() / 2 ** 30)
    } GiB of memory`,
    `system: ${process.platform} ${process.arch}, Node ${process.versions.node}, V8 ${process.versions.v8}`,
    `native: ${build.compiler}`,
    ...build.notes,
  ];
}
