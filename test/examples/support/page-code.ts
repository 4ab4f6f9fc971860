/** The code of a page, as a reader runs it: files written, commands and programs run, in the order of the page. */
import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from '../../cli/support/run.js';
import { pageBlocks, type PageBlock } from '../../docs/support/page-blocks.js';

const REPOSITORY = fileURLToPath(new URL('../../../', import.meta.url));
/** Languages whose blocks a reader would run. */
const CODE = new Set(['js', 'ts', 'sh']);
/** How pages call the command line. */
const COMMAND = /^(?:npx roce-cc|roce-cc|npm start --) (.*)$/;
/** The line after a block: why no test runs it, or which one does. */
const MARK = /^<!-- (not run|run by): .+ -->$/;
const FILE = /^[\w./-]+\.(json|jsonl|txt|cm|goal|csv|pcap|svg|html|mjs)$/;
/** Folders that commands write. */
const FOLDERS = new Set(['captures', 'out', 'results']);

export interface CodeBlock extends PageBlock {
  /** Why it is not run here; empty when it is. */
  readonly mark: string;
}

/** All blocks of a page, with the text that follows them. */
export function codeBlocks(page: string): CodeBlock[] {
  const lines = page.split('\n');
  return pageBlocks(page).map((block) => {
    const behind = lines[block.line + block.text.split('\n').length] ?? '';
    return { ...block, mark: MARK.test(behind) ? behind : '' };
  });
}

export const isCode = ({ language }: PageBlock): boolean => CODE.has(language);

/** The outcome of a block: the exit code of each command, and all that was printed. */
export interface Outcome {
  readonly exitCodes: readonly (number | null)[];
  readonly output: string;
  readonly faults: string;
}

/** Runs a block in a folder. */
export async function followBlock(block: PageBlock, folder: string): Promise<Outcome> {
  if (block.language === 'js') return runModule(block.text);
  const all = { exitCodes: [] as number[], output: '', faults: '' };
  for (const line of block.text.trimEnd().split('\n')) {
    const { exitCode, stdout, stderr } = await run(argsOf(line, folder));
    all.exitCodes.push(exitCode);
    all.output += stdout;
    all.faults += stderr;
  }
  return all;
}

export function writeBlock({ file, text }: PageBlock, folder: string): void {
  writeFileSync(path.join(folder, file), text);
}

function runModule(code: string): Outcome {
  const args = ['--input-type=module', '--eval', code];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: REPOSITORY, encoding: 'utf8' });
  return { exitCodes: [status], output: stdout, faults: stderr };
}

/** The words of a command; files and folders that the repository does not have are placed in the folder. */
function argsOf(line: string, folder: string): string[] {
  const words = COMMAND.exec(line)?.[1]?.split(' #')[0]?.trim().split(/\s+/);
  if (words === undefined) throw new Error(`nothing that a test can run: ${line}`);
  return words.map((word) => {
    const isFile = FILE.test(word) || FOLDERS.has(word);
    return isFile && !existsSync(path.join(REPOSITORY, word)) ? path.join(folder, word) : word;
  });
}
