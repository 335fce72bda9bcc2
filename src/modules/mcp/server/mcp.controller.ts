import { Controller, Delete, Get, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AnyOrigin, Protocol } from '../../../api/operation/operation.decorator.js';
import { RestDoor } from '../../../api/http/rest-door.js';
import { MCP_PATH } from '../tools/tool.js';
import { McpService } from './mcp.service.js';

@Controller(MCP_PATH)
export class McpController {
  constructor(
    private readonly mcp: McpService,
    door: RestDoor,
  ) {
    // A tool call costs little more than its operation. Nest's router would be a good part of that.
    door.serveDirectly(`POST ${MCP_PATH}`, mcp.serve.bind(mcp));
  }

  @Protocol('MCP: tools for language models, over Streamable HTTP.', 'failures')
  @AnyOrigin()
  @Post()
  post(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.mcp.serve(request, reply);
  }

  @Protocol('MCP: would open the event stream of a session. There are no sessions; the protocol says how to answer.', 'failures')
  @AnyOrigin()
  @Get()
  get(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.mcp.serve(request, reply);
  }

  @Protocol('MCP: would end a session. There are no sessions; the protocol says how to answer.', 'failures')
  @AnyOrigin()
  @Delete()
  delete(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.mcp.serve(request, reply);
  }
}
