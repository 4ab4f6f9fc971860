/** The program and arguments that run npm: the copy that started this process, if any. */
export function npmCommand(args: readonly string[]): readonly [string, ...string[]] {
  const cli = process.env.npm_execpath;
  const quiet = [...args, '--no-audit', '--no-fund', '--loglevel=error'];
  return cli?.endsWith('npm-cli.js') ? [process.execPath, cli, ...quiet] : ['npm', ...quiet];
}
