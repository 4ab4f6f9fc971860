// What zod finds as its settings in the browser's scripts: it compiles no checks from text, which a page's content policy may forbid. Trying it
// alone is reported as a violation of the policy.

export const zodSettings = { jitless: true };
