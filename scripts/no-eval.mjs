// What zod finds as its settings in whatever is bundled with it, instead of globalThis.__zod_globalConfig: in browsers it compiles no checks
// from text, which a page's content policy may forbid. Trying it alone is reported as a violation of the policy. Elsewhere compiled checks
// are twice as fast with lists of 100,000 flows. Settings of the caller's own zod have no part in it.

export const zodSettings = { jitless: 'document' in globalThis || 'WorkerGlobalScope' in globalThis };
