export function termsIn(page: string): { line: number; term: string; better: string }[];
