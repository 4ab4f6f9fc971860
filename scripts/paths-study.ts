/**
 * Many paths: balancers and transports over the same traffic, and detours on Fast CNPs. `npm run study` prints the tables and writes
 * docs/studies/paths-study.md.
 */
import { pathsPage } from './paths/page.js';
import { writeStudy } from './study-page.js';

writeStudy('paths', pathsPage());
