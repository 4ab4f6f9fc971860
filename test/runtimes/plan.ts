/** What each runtime is to load and run; from the package's own list of entries, so that a new one is not forgotten. */
import manifest from '../../package.json' with { type: 'json' };

const names = Object.keys(manifest.exports).map((name) => `roce-cc${name.slice(1)}`);
const isCode = (name: string) => !/\.(wasm|json)$/.test(name);
const isOfNode = (name: string) => name.endsWith('/node') || name === 'roce-cc/live';

export const plan = {
  entries: names.filter((name) => isCode(name) && !isOfNode(name)),
  /** Those that read files or sockets, which a page can't. */
  nodeEntries: names.filter(isOfNode),
  modules: names.filter((name) => name.endsWith('.wasm')),
  /** Small ones of each algorithm and topology; bench/hashes.txt has the expected hashes. */
  scenarios: ['incast-16-hpcc.json', 'leaf-spine-websearch.json', 'fat-tree-k4-200-flows.json'],
};
