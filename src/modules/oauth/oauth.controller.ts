import { Controller, Get, Options, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Protocol } from '../../api/operation/operation.decorator.js';
import { AuthorizationServer } from './provider/authorization-server.js';

const WHY = 'OAuth 2: its RFCs define requests and answers.';

/** Hands requests over to the authorization server. */
@Controller()
export class OAuthController {
  constructor(private readonly server: AuthorizationServer) {}

  @Protocol(WHY)
  @Get(['oauth/authorize', 'oauth/authorize/:uid'])
  authorize(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.server.handle(request, reply);
  }

  @Protocol(WHY)
  @Post(['oauth/token', 'oauth/revoke', 'oauth/introspect'])
  post(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.server.handle(request, reply);
  }

  @Protocol('CORS preflight.')
  @Options(['oauth/token', 'oauth/revoke', 'oauth/introspect'])
  preflight(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.server.handle(request, reply);
  }
}
