// A plugin of typedoc: modules have the name by which they are imported, such as roce-cc/sim.

import { readFileSync } from 'node:fs';
import { Converter, ReflectionKind } from 'typedoc';

const { exports, name } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
/** By their source files below src/. */
const IMPORTS = new Map(
  Object.entries(exports).filter(([, { types }]) => types !== undefined).map(([entry, { types }]) => [
    types.replace(/^\.\/dist\//, '').replace(/\.d\.ts$/, '.ts'),
    entry.replace(/^\./, name),
  ]),
);

export function load({ converter }) {
  converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    for (const module of project.getReflectionsByKind(ReflectionKind.Module)) {
      const file = module.sources?.[0]?.fileName ?? '';
      const imported = IMPORTS.get(file.replace(/^src\//, ''));
      if (imported === undefined) throw new Error(`${file} is no entry of package.json.`);
      module.name = imported;
    }
  });
}
