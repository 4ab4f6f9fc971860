/** The entries and scenarios that each runtime loads; entries are the package's exports, so new ones are included. */
import manifest from '../../package.json' with { type: 'json' };

const names = Object.keys(manifest.exports).map((name) => `roce-cc${name.slice(1)}`);
const isCode = (name: string) => !/\.(wasm|json)$/.test(name);
const isOfNode = (name: string) => name.endsWith('/node') || name === 'roce-cc/live';

export const plan = {
  entries: names.filter((name) => isCode(name) && !isOfNode(name)),
  /** Entries that use files or sockets, which a page cannot. */
  nodeEntries: names.filter(isOfNode),
  modules: names.filter((name) => name.endsWith('.wasm')),
  /** Small scenarios with different algorithms and topologies; bench/hashes.txt has the expected hashes. */
  scenarios: ['incast-16-hpcc.json', 'leaf-spine-websearch.json', 'fat-tree-k4-200-flows.json'],
};
