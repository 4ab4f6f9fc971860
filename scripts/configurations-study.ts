/** The network configurations in runs. `npm run study` prints the page and writes docs/configurations-study.md. */
import { writeFileSync } from 'node:fs';
import { configurationsPage } from './configurations/page.js';
import { withRepositoryLinks } from './repository-links.js';

const page = configurationsPage();
process.stdout.write(page);
if (process.argv.includes('--write'))
  writeFileSync(new URL('../docs/configurations-study.md', import.meta.url), withRepositoryLinks(page));
