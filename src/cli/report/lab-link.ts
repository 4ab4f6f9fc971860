/**
 * Links from a report into the lab, in the lab's own format: `LAB#1.` and a deflated JSON text in base64url. The number
 * is the format's version.
 */
import { deflateRawSync } from 'node:zlib';
import { InvalidArgumentError } from 'commander';
import type { SimResult } from '../../sim/result.js';

const VERSION = '1';
/** Maximum length of a link: browsers and mail programs cut longer ones. */
const CHARACTERS_MAX = 64 * 1024;
const WEB_PATTERN = /^(?:https?:\/\/[^\s#]+|\.{0,2}\/[^\s#:]*|[\w.-]+(?:\/[^\s#:]*)?)$/;

/**
 * Parses the address of a lab: http, https, or a path relative to the report.
 *
 * @throws InvalidArgumentError, of commander.
 */
export function parseLab(text: string): string {
  if (WEB_PATTERN.test(text)) return text;
  throw new InvalidArgumentError(
    'Allowed: the address of a lab, such as https://example.org/lab/ or ../lab/index.html.',
  );
}

/**
 * The link that opens one run, or two side by side.
 * @returns undefined if the link would be too long, as for scenarios with thousands of flows.
 */
export function labLink(lab: string, results: readonly SimResult[]): string | undefined {
  const [a, b] = results.map(({ scenario }) => JSON.stringify(scenario, undefined, 2));
  if (a === undefined) return undefined;
  const state = {
    a,
    ...(b === undefined ? {} : { b }),
    view: { port: '', flow: -1, timePs: -1 },
    hash: results.slice(0, 2).map(({ hash }) => hash).join(' '),
  };
  const link = `${lab}#${VERSION}.${deflateRawSync(JSON.stringify(state), { level: 9 }).toString('base64url')}`;
  return link.length > CHARACTERS_MAX ? undefined : link;
}
