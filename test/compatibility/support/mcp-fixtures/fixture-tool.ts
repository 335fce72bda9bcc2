import type { CallToolResult, InputRequiredResult, ServerContext } from '@modelcontextprotocol/server';

export type FixtureResult = CallToolResult | InputRequiredResult;
export type FixtureTool = (context: ServerContext) => FixtureResult | Promise<FixtureResult>;
