export { McpModule } from './mcp.module.js';
export { serveTools } from './stdio.js';
