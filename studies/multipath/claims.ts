/** Ends the script where the numbers do not bear out what the page says of them. */
export function requireClaims(title: string, ...isTrue: readonly boolean[]): void {
  const wrong = isTrue.indexOf(false);
  if (wrong >= 0) throw new Error(`The numbers do not bear out claim ${wrong + 1} of "${title}".`);
}
