import type { serveTools as serve } from './server/stdio.js';

export { McpModule } from './mcp.module.js';

/** Loaded by the command that needs it: no other process of the service needs the library of the protocol for it. */
export const serveTools: typeof serve = async (...given) => (await import('./server/stdio.js')).serveTools(...given);
