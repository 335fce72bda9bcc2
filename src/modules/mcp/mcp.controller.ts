import { Controller, Delete, Get, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Protocol } from '../../api/operation/operation.decorator.js';
import { McpEndpoint } from './mcp.endpoint.js';

@Controller('mcp')
export class McpController {
  constructor(private readonly endpoint: McpEndpoint) {}

  @Protocol('MCP: tools for language models, over Streamable HTTP.')
  @Post()
  post(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.endpoint.handle(request, reply);
  }

  @Protocol('MCP: sessions, of which there are none; the protocol says how that is answered.')
  @Get()
  get(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.endpoint.handle(request, reply);
  }

  @Protocol('MCP: sessions, of which there are none; the protocol says how that is answered.')
  @Delete()
  delete(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.endpoint.handle(request, reply);
  }
}
