/**
 * Converts the editor's text to a module that a worker can import: checks syntax, strips TypeScript's types, and cuts
 * out the specifiers of `roce-cc/algorithm`, for which the worker inserts an address. Line numbers do not change.
 */
import { parse, type Program } from 'acorn';
import { CodePlaces } from './code-places.js';

const MODULE = 'roce-cc/algorithm';

export interface PreparedCode {
  /** The module, split at its `roce-cc/algorithm` specifiers. */
  readonly parts: readonly string[];
  readonly places: CodePlaces;
}

/** An error of the code. */
export class CodeError extends Error {
  /** Line number, from 1. */
  readonly line: number;

  constructor(message: string, line: number) {
    super(message);
    this.line = line;
  }
}

/** Rejects with a CodeError. */
export async function prepareCode(text: string): Promise<PreparedCode> {
  const { code, program } = await parsed(text);
  const cuts = program.body.flatMap((statement) => {
    const source = 'source' in statement ? statement.source : undefined;
    if (source === undefined || source === null) return [];
    if (source.value === MODULE) return [source];
    throw new CodeError(`Only '${MODULE}' can be imported in the lab, not '${String(source.value)}'.`,
      source.loc?.start.line ?? 1);
  });
  const starts = [0, ...cuts.map(({ end }) => end)];
  const ends = [...cuts.map(({ start }) => start), code.length];
  return { parts: starts.map((start, index) => code.slice(start, ends[index])), places: new CodePlaces(program) };
}

interface ParsedCode {
  readonly code: string;
  readonly program: Program;
}

/** Parses JavaScript; if that fails, TypeScript. */
async function parsed(text: string): Promise<ParsedCode> {
  try {
    return { code: text, program: programOf(text) };
  } catch {
    const code = await withoutTypes(text);
    try {
      return { code, program: programOf(code) };
    } catch (error) {
      throw codeErrorOf(error);
    }
  }
}

const programOf = (code: string): Program =>
  parse(code, { ecmaVersion: 'latest', sourceType: 'module', locations: true });

async function withoutTypes(text: string): Promise<string> {
  const { stripTypes } = await import('./strip-types.js');
  try {
    return stripTypes(text);
  } catch (error) {
    throw codeErrorOf(error);
  }
}

const PLACE = / ?\((\d+):\d+\)/;

/** Both parsers put the location into the message: `Unexpected token (3:14)`. */
function codeErrorOf(error: unknown): CodeError {
  const { message } = error as Error;
  const line = Number(PLACE.exec(message)?.[1] ?? 1);
  return new CodeError(message.replace(PLACE, '').replace(/^(?:Error transforming [^:]*: |SyntaxError: )+/, ''), line);
}
