/** The Markdown files that the package ships, by `files` of package.json. */
import { readFileSync, readdirSync, statSync } from 'node:fs';

const ROOT = new URL('../', import.meta.url);

/** Their paths in the repository, sorted. */
export function shippedPages(): readonly string[] {
  const { files } = JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8')) as { files: readonly string[] };
  const sources = files.filter((name) => name !== 'dist' && !name.startsWith('!'));
  return sources.flatMap(filesIn).filter((file) => file.endsWith('.md')).sort();
}

function filesIn(name: string): readonly string[] {
  const url = new URL(name, ROOT);
  if (!statSync(url).isDirectory()) return [name];
  return readdirSync(url, { recursive: true, encoding: 'utf8' }).map((file) => `${name}/${file.replaceAll('\\', '/')}`);
}
