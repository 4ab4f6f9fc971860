/** One number per row, in an array that sorts fast. */
export function float64ArrayOf<Row>(rows: readonly Row[], valueOf: (row: Row) => number): Float64Array {
  const numbers = new Float64Array(rows.length);
  for (let index = 0; index < rows.length; index++) numbers[index] = valueOf(rows[index]);
  return numbers;
}
