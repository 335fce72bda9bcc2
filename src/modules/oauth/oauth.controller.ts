import { Controller, Get, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AnyOrigin } from '../../api/http/any-origin.decorator.js';
import { Protocol } from '../../api/operation/operation.decorator.js';
import { AuthorizationServer } from './provider/authorization-server.js';

const WHY = 'OAuth 2: its RFCs define requests and answers.';

@Controller()
export class OAuthController {
  constructor(private readonly server: AuthorizationServer) {}

  @Protocol(WHY, 'authorize')
  @Get('oauth/authorize')
  authorize(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.server.handle(request, reply);
  }

  /** An authorization that goes on, and where a user enters the code of a device. */
  @Protocol(WHY, 'pages')
  @Get(['oauth/authorize/:uid', 'oauth/device', 'oauth/device/:uid'])
  show(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.server.handle(request, reply);
  }

  @Protocol(WHY, 'failures')
  @AnyOrigin()
  @Post(['oauth/token', 'oauth/revoke'])
  token(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.server.handle(request, reply);
  }

  @Protocol(WHY, 'pushed')
  @AnyOrigin()
  @Post('oauth/par')
  push(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.server.handle(request, reply);
  }

  /** Stores a row for ten minutes. */
  @Protocol(WHY, 'authorize')
  @Post('oauth/device_authorization')
  startDevice(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.server.handle(request, reply);
  }

  @Protocol(WHY, 'userCodes')
  @Post('oauth/device')
  useCode(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.server.handle(request, reply);
  }

  /** Only for applications with a secret, which no page can keep. */
  @Protocol(WHY, 'failures')
  @Post('oauth/introspect')
  introspect(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.server.handle(request, reply);
  }
}
