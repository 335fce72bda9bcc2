import { All, Controller, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Protocol } from '../../platform/operation/operation.decorator.js';
import { McpEndpoint } from './mcp.endpoint.js';

@ApiExcludeController()
@Controller('mcp')
export class McpController {
  constructor(private readonly endpoint: McpEndpoint) {}

  @Protocol('MCP: tools for language models, over Streamable HTTP.')
  @All()
  handle(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.endpoint.handle(request, reply);
  }
}
