import { callNamed, listTools, toolServer, type MakeServer } from '../../../../src/modules/mcp/server/tool-server.js';
import { CONTENT_TOOLS } from './content.js';
import type { FixtureTool } from './fixture-tool.js';
import { addPrompts } from './prompts.js';
import { addResources } from './resources.js';
import { ROUND_TOOLS } from './rounds.js';

const FIXTURES: Readonly<Record<string, FixtureTool>> = { ...CONTENT_TOOLS, ...ROUND_TOOLS };
const LISTED = Object.keys(FIXTURES).map((name) => ({
  name,
  description: 'For the conformance suite',
  inputSchema: { type: 'object' as const },
}));

/** The server of the service, plus the tools, resources and prompts that the conformance suite needs. */
export const fixtureServer: MakeServer = (tools, access) => {
  const server = toolServer(tools, access);
  server.registerCapabilities({ logging: {} });
  server.setRequestHandler('tools/list', async () => ({ tools: [...LISTED, ...(await listTools(tools, access))] }));
  server.setRequestHandler(
    'tools/call',
    async ({ params }, context) => FIXTURES[params.name]?.(context) ?? callNamed(tools, params, access, context),
  );
  addResources(server);
  addPrompts(server);
  return server;
};
