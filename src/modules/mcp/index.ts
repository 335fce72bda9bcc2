export { McpModule } from './mcp.module.js';
export { serveTools } from './server/stdio.js';
