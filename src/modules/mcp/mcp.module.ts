import { Module } from '@nestjs/common';
import { HttpModule } from '../../api/http/http.module.js';
import { McpController } from './server/mcp.controller.js';
import { McpChannel, McpResource, McpGuard, McpService, ToolDoor } from './server/mcp.service.js';

@Module({ imports: [HttpModule], controllers: [McpController], providers: [McpService, McpGuard, ToolDoor, McpResource, McpChannel] })
export class McpModule {}
