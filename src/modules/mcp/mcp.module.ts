import { Module } from '@nestjs/common';
import { McpController } from './server/mcp.controller.js';
import { McpChannel, McpResource } from './server/mcp.resource.js';
import { McpService } from './server/mcp.service.js';
import { ToolDoor } from './server/tool-door.js';

/** The API as tools for language models. */
@Module({ controllers: [McpController], providers: [McpService, ToolDoor, McpResource, McpChannel] })
export class McpModule {}
