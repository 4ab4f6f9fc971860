/** The network configurations in runs. `npm run study` prints the page and writes docs/studies/configurations-study.md. */
import { configurationsPage } from './configurations/page.js';
import { writeStudy } from './study-page.js';

writeStudy('configurations', configurationsPage());
