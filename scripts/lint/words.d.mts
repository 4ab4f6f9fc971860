export function termsIn(page: string): { line: number; term: string; better: string }[];
export function termsInCode(code: string): { line: number; term: string; better: string }[];
