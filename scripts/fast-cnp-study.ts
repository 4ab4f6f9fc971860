/**
 * Where Fast CNPs help, and where they don't: the same traffic with CNPs of the receiver and with Fast CNPs of the congested switch,
 * over numbers of switches and distances. `npm run study` prints the tables and writes docs/studies/fast-cnp-study.md.
 */
import { fastCnpPage } from './fast-cnp/page.js';
import { writeStudy } from './study-page.js';

writeStudy('fast-cnp', fastCnpPage());
