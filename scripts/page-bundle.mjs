// What bundles for pages have in common: the files of dist/browser and the script and styles of reports.

/** Browsers of 2023 and later. */
const TARGET = ['es2022', 'chrome110', 'firefox110', 'safari16'];

/** Options of esbuild. */
export const PAGE_BUNDLE = {
  bundle: true,
  minify: true,
  target: TARGET,
  charset: 'utf8',
  legalComments: 'none',
  logLevel: 'warning',
};
