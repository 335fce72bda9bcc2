import { Controller, Get, Options, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Settings } from '../../kernel/settings/settings.js';
import { Protocol } from '../../api/operation/operation.decorator.js';
import { Registry } from '../../api/operation/registry.js';
import { GRANT_TYPES } from './application.entity.js';
import { CLIENT_AUTH_METHODS, ROUTES, SECRET_METHODS } from './doors.js';
import { apiResource, toolResource } from './resources.js';

const SERVER = '.well-known/oauth-authorization-server';
const API = '.well-known/oauth-protected-resource';
const TOOLS = '.well-known/oauth-protected-resource/mcp';
/** Pages of anybody may read it: it is what an application in a browser begins with. */
const HEADERS = { 'Cache-Control': 'public, max-age=300', 'Access-Control-Allow-Origin': '*' };

/**
 * What programs read to find their way. The authorization server has a document of its own, but that one names doors of
 * OpenID Connect, too, which are not there.
 */
@Controller()
export class MetadataController {
  constructor(
    private readonly settings: Settings,
    private readonly registry: Registry,
  ) {}

  @Protocol('RFC 8414: where the doors are, and what they take.')
  @Get(SERVER)
  server(@Res() reply: FastifyReply): void {
    const { publicUrl } = this.settings;
    send(reply, {
      issuer: publicUrl,
      authorization_endpoint: publicUrl + ROUTES.authorization,
      token_endpoint: publicUrl + ROUTES.token,
      revocation_endpoint: publicUrl + ROUTES.revocation,
      introspection_endpoint: publicUrl + ROUTES.introspection,
      grant_types_supported: [...GRANT_TYPES, 'refresh_token'],
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      code_challenge_methods_supported: ['S256'],
      scopes_supported: this.registry.scopes,
      token_endpoint_auth_methods_supported: CLIENT_AUTH_METHODS,
      revocation_endpoint_auth_methods_supported: CLIENT_AUTH_METHODS,
      introspection_endpoint_auth_methods_supported: SECRET_METHODS,
      authorization_response_iss_parameter_supported: true,
      service_documentation: `${publicUrl}/docs`,
    });
  }

  @Protocol('RFC 9728: who gives tokens for the API, and for what.')
  @Get(API)
  api(@Res() reply: FastifyReply): void {
    this.sendResource(reply, apiResource(this.settings));
  }

  @Protocol('RFC 9728, of the tool server.')
  @Get(TOOLS)
  tools(@Res() reply: FastifyReply): void {
    this.sendResource(reply, toolResource(this.settings));
  }

  @Protocol('Browsers ask before they send a page’s request elsewhere.')
  @Options([SERVER, API, TOOLS])
  preflight(@Res() reply: FastifyReply): void {
    void reply
      .status(204)
      .headers({ ...HEADERS, 'Access-Control-Allow-Methods': 'GET', 'Access-Control-Allow-Headers': '*' })
      .send();
  }

  private sendResource(reply: FastifyReply, resource: string): void {
    const { publicUrl } = this.settings;
    send(reply, {
      resource,
      authorization_servers: [publicUrl],
      scopes_supported: this.registry.scopes,
      bearer_methods_supported: ['header'],
      resource_name: 'Claims API',
      resource_documentation: `${publicUrl}/docs`,
    });
  }
}

function send(reply: FastifyReply, document: object): void {
  void reply.headers(HEADERS).send(document);
}
