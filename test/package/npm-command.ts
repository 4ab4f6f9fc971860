/** npm, by the copy that runs this if one does: the program and its arguments. */
export function npmCommand(args: readonly string[]): readonly [string, ...string[]] {
  const cli = process.env.npm_execpath;
  const quiet = [...args, '--no-audit', '--no-fund', '--loglevel=error'];
  return cli?.endsWith('npm-cli.js') ? [process.execPath, cli, ...quiet] : ['npm', ...quiet];
}
