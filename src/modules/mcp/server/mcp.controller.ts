import { Controller, Delete, Get, Post, Req, Res, UseFilters, UseGuards } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AnyOrigin } from '../../../api/http/any-origin.decorator.js';
import { Protocol } from '../../../api/operation/operation.decorator.js';
import { McpFilter } from './mcp-refusal.js';
import { McpGuard } from './mcp.guard.js';
import { MCP_PATH } from '../tools/rest-call.js';
import { McpService } from './mcp.service.js';

@Controller(MCP_PATH)
@UseGuards(McpGuard)
@UseFilters(McpFilter)
export class McpController {
  constructor(private readonly mcp: McpService) {}

  @Protocol('MCP: tools for language models, over Streamable HTTP.', 'failures')
  @AnyOrigin()
  @Post()
  post(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.mcp.handle(request, reply);
  }

  @Protocol('MCP: would open the event stream of a session. There are no sessions; the protocol says how to answer.', 'failures')
  @AnyOrigin()
  @Get()
  get(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.mcp.handle(request, reply);
  }

  @Protocol('MCP: would end a session. There are no sessions; the protocol says how to answer.', 'failures')
  @AnyOrigin()
  @Delete()
  delete(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.mcp.handle(request, reply);
  }
}
