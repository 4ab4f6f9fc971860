/**
 * Encodes the whole experiment in the address: `#1.` and a deflated JSON text in base64url. The number is the format's
 * version; older versions stay readable.
 */
import type { View } from '../lab.js';

export interface SharedState {
  /** Text of the scenario of A. */
  readonly a: string;
  readonly b?: string;
  /** Code of the custom algorithm that B runs. */
  readonly code?: string;
  readonly view: View;
  /** Hashes of the results of A and B; empty if they were not run. */
  readonly hash: string;
}

const VERSION = '1';
/** Maximum characters of a decoded link. */
const TEXT_MAX = 4_000_000;

export async function linkOf(state: SharedState): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(state));
  const packed = await through(bytes, new CompressionStream('deflate-raw'));
  return `#${VERSION}.${toBase64Url(packed)}`;
}

/** @throws Error describing what is wrong with the link. @returns undefined if there is no link. */
export async function readLink(hash: string): Promise<SharedState | undefined> {
  if (hash.length < 2) return undefined;
  const [version = '', data] = hash.slice(1).split('.');
  if (version !== VERSION || data === undefined) {
    throw new Error(`The link has format ${version}; this lab reads format ${VERSION}.`);
  }
  try {
    const bytes = await through(fromBase64Url(data), new DecompressionStream('deflate-raw'));
    return checked(JSON.parse(new TextDecoder().decode(bytes)));
  } catch (cause) {
    throw new Error('The link is damaged: not all of it was copied, or something was added.', { cause });
  }
}

function checked(data: unknown): SharedState {
  const { a, b, code, view, hash } = data as Readonly<Record<keyof SharedState, unknown>>;
  const { port = '', flow = -1, timePs = -1 } = (view ?? {}) as Partial<Record<keyof View, unknown>>;
  if (typeof a !== 'string') throw new Error('no scenario');
  return {
    a,
    ...(typeof b === 'string' && { b }),
    ...(typeof code === 'string' && { code }),
    view: { port: String(port), flow: Number(flow), timePs: Number(timePs) },
    hash: typeof hash === 'string' ? hash : '',
  };
}

async function through(bytes: Uint8Array, stream: CompressionStream | DecompressionStream): Promise<Uint8Array> {
  const readable = new Blob([new Uint8Array(bytes)]).stream().pipeThrough(stream);
  const all = new Uint8Array(await new Response(readable).arrayBuffer());
  if (all.length > TEXT_MAX) throw new Error('too long');
  return all;
}

function toBase64Url(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

function fromBase64Url(text: string): Uint8Array {
  return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0));
}
