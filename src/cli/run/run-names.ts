/** Names of runs: for headings, and for the files of each. */
import path from 'node:path';

/** The names, with a number behind those that were there before: `incast`, `incast (2)`. */
export function uniqueNames(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    let unique = name;
    for (let number = 2; taken.has(unique); number++) unique = `${name} (${number})`;
    taken.add(unique);
    return unique;
  });
}

/** A name as part of a file's name: letters, digits, dots, dashes. */
export function fileNamePart(name: string): string {
  const part = name.replace(/[^\p{L}\p{N}._-]+/gu, '-').replace(/^[-.]+|-+$/g, '');
  return part === '' ? 'run' : part;
}

/** `out.json` of the only run; of one among several `out-NAME.json`. */
export function fileOfRun(file: string, runName: string, runCount: number): string {
  if (runCount === 1) return file;
  const { dir, name, ext } = path.parse(file);
  return path.join(dir, `${name}-${fileNamePart(runName)}${ext}`);
}

/** `DIR` of the only run; of one among several `DIR/NAME`. */
export function folderOfRun(folder: string, runName: string, runCount: number): string {
  return runCount === 1 ? folder : path.join(folder, fileNamePart(runName));
}
