import { Module } from '@nestjs/common';
import { McpController } from './mcp.controller.js';
import { McpEndpoint } from './mcp.endpoint.js';
import { ToolServerResource } from './tool-server.resource.js';

/** The API as tools for language models. */
@Module({ controllers: [McpController], providers: [McpEndpoint, ToolServerResource] })
export class McpModule {}
