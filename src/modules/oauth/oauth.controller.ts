import { Controller, Get, Options, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Protocol } from '../../api/operation/operation.decorator.js';
import { AuthorizationServer } from './authorization-server.js';

const WHY = 'OAuth 2: its own RFCs say what is asked and answered.';

/** The doors of the authorization server. */
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

  @Protocol('Browsers ask before they send a page’s request elsewhere.')
  @Options(['oauth/token', 'oauth/revoke', 'oauth/introspect'])
  preflight(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.server.handle(request, reply);
  }
}
