/** Integrates typedoc's pages into the site: its content policy, its choice of theme, and a link back. */
import { appendFileSync, cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { CONTENT_POLICY } from './layout.js';

/** The only inline script in typedoc's pages, which the content policy would block. */
const INLINE_SCRIPT = /<script>(document\.documentElement[^<]*)<\/script>/;
const SCRIPT_FILE = 'theme-before.js';
const TOOLBAR = '<div id="tsd-toolbar-links">';
/** typedoc decompresses its index of names from a data URL, and its script inserts styles. */
const API_POLICY = CONTENT_POLICY.replace("connect-src 'self'", "connect-src 'self' data:")
  .replace("style-src 'self'", "style-src 'self' 'unsafe-inline'");
/** Breaks long names on a phone, which would make the page wider than the screen. */
const STYLE = '\nh1, h2, h3, h4, .tsd-signature, .tsd-member-summary-name { overflow-wrap: anywhere; min-width: 0; }\n';

/** @param from output folder of `npm run api-docs`. @throws Error if typedoc's pages have an unexpected structure. */
export function copyApiReference(from: string, to: string): void {
  cpSync(from, to, { recursive: true });
  appendFileSync(path.join(to, 'assets', 'style.css'), STYLE);
  for (const file of readdirSync(to, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.html')) continue;
    const up = '../'.repeat(file.split(path.sep).length - 1);
    const full = path.join(to, file);
    writeFileSync(full, adapted(readFileSync(full, 'utf8'), up, path.join(to, 'assets')));
  }
}

function adapted(html: string, up: string, assets: string): string {
  const script = INLINE_SCRIPT.exec(html)?.[1];
  if (script === undefined || !html.includes(TOOLBAR))
    throw new Error("typedoc's pages have another shape than expected.");
  writeFileSync(path.join(assets, SCRIPT_FILE), script);
  const policy = `<meta http-equiv="Content-Security-Policy" content="${API_POLICY}"><link rel="icon" href="data:,">`;
  return html.replace('<meta charset="utf-8"/>', `<meta charset="utf-8"/>${policy}`)
    .replace(INLINE_SCRIPT, `<script src="${up}assets/${SCRIPT_FILE}"></script>`)
    .replace(TOOLBAR, `${TOOLBAR}<a href="${up}../index.html">Site</a>`);
}
