import { Controller, Get, Post, Req, Res, Param } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ANY_ORIGIN } from '../../api/http/answer-headers.js';
import { AnyOrigin, Protocol } from '../../api/operation/operation.decorator.js';
import { Registry } from '../../api/operation/registry.js';
import { collect, parseJson, requireObject } from '../../api/validation/read-request.js';
import { Problem } from '../../kernel/problems.js';
import { API_NAME } from '../../kernel/product.js';
import { Settings } from '../../kernel/settings/settings.js';
import { GRANT_NAMES } from './applications/application.entity.js';
import { ASSERTION_ALGORITHMS, DPOP_ALGORITHMS } from './proofs/dpop-proofs.js';
import { CLAIM_PROJECTS } from './provider/asked-projects.js';
import { PASSKEY_ACR } from './provider/asked-sign-in.js';
import { AuthorizationServer } from './provider/authorization-server.js';
import { Resources, CLIENT_AUTH_METHODS, CONFIDENTIAL_METHODS, RESOURCE_METADATA, ROUTES, SERVER_METADATA } from './resources.js';
import { RegistrationsService } from './shared/registrations/registrations.service.js';
import { ClientMetadataRefused } from './applications/client-metadata.js';

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

const OTHER_RESOURCE = `${RESOURCE_METADATA}/*`;
/** What a cache keeps must be readable for pages of any origin, even if no page asked first. */
const HEADERS = { 'Cache-Control': 'public, max-age=300', ...ANY_ORIGIN };

/** oidc-provider's own document of the server lists OpenID Connect endpoints that this service does not have. */
@Controller()
export class MetadataController {
  constructor(
    private readonly settings: Settings,
    private readonly registry: Registry,
    private readonly resources: Resources,
  ) {}

  @Protocol('RFC 8414: the endpoints of the authorization server and what they accept.')
  @AnyOrigin()
  @Get(SERVER_METADATA)
  server(@Res() reply: FastifyReply): void {
    const { publicUrl, clientDocuments, clientRegistration } = this.settings;
    send(reply, {
      issuer: publicUrl,
      authorization_endpoint: publicUrl + ROUTES.authorization,
      token_endpoint: publicUrl + ROUTES.token,
      revocation_endpoint: publicUrl + ROUTES.revocation,
      introspection_endpoint: publicUrl + ROUTES.introspection,
      ...(clientRegistration === 'true' && { registration_endpoint: publicUrl + ROUTES.registration }),
      client_id_metadata_document_supported: clientDocuments,
      device_authorization_endpoint: publicUrl + ROUTES.device_authorization,
      pushed_authorization_request_endpoint: publicUrl + ROUTES.pushed_authorization_request,
      grant_types_supported: [...Object.values(GRANT_NAMES), 'refresh_token'],
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      code_challenge_methods_supported: ['S256'],
      acr_values_supported: [PASSKEY_ACR],
      authorization_details_types_supported: [CLAIM_PROJECTS],
      scopes_supported: this.registry.scopes,
      token_endpoint_auth_methods_supported: CLIENT_AUTH_METHODS,
      token_endpoint_auth_signing_alg_values_supported: ASSERTION_ALGORITHMS,
      revocation_endpoint_auth_methods_supported: CLIENT_AUTH_METHODS,
      revocation_endpoint_auth_signing_alg_values_supported: ASSERTION_ALGORITHMS,
      introspection_endpoint_auth_methods_supported: CONFIDENTIAL_METHODS,
      introspection_endpoint_auth_signing_alg_values_supported: ASSERTION_ALGORITHMS,
      dpop_signing_alg_values_supported: DPOP_ALGORITHMS,
      authorization_response_iss_parameter_supported: true,
      service_documentation: `${publicUrl}/docs`,
    });
  }

  @Protocol('RFC 9728: who issues tokens for the API, and with which scopes.')
  @AnyOrigin()
  @Get(RESOURCE_METADATA)
  api(@Res() reply: FastifyReply): void {
    this.sendResource(reply, this.resources.api);
  }

  @Protocol('RFC 9728, for resources other than the API.')
  @AnyOrigin()
  @Get(OTHER_RESOURCE)
  other(@Res() reply: FastifyReply, @Param('*') path: string): void {
    const resource = this.resources.at(`/${path}`);
    if (resource === undefined) throw new Problem('route_not_found');
    this.sendResource(reply, resource);
  }

  private sendResource(reply: FastifyReply, resource: string): void {
    const { publicUrl } = this.settings;
    send(reply, {
      resource,
      authorization_servers: [publicUrl],
      scopes_supported: this.registry.scopes,
      authorization_details_types_supported: [CLAIM_PROJECTS],
      bearer_methods_supported: ['header'],
      dpop_signing_alg_values_supported: DPOP_ALGORITHMS,
      resource_name: API_NAME,
      resource_documentation: `${publicUrl}/docs`,
    });
  }
}

function send(reply: FastifyReply, document: object): void {
  void reply.headers(HEADERS).send(document);
}

const BODY_MAX_BYTES = 16 * 1024;

/**
 * RFC 7591, for clients that have no metadata document. Whatever was asked for, the application is public and uses codes with PKCE:
 * the answer says so, as the RFC allows. There is nothing to manage afterwards; an application that changes registers again.
 */
@Controller()
export class RegistrationController {
  constructor(
    private readonly registrations: RegistrationsService,
    private readonly settings: Settings,
  ) {}

  @Protocol('RFC 7591: applications register themselves.', 'registrations')
  @AnyOrigin()
  @Post(ROUTES.registration)
  async register(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    if (this.settings.clientRegistration !== 'true') throw new Problem('route_not_found');
    try {
      const { clientId, name, redirectUris, createdAt } = await this.registrations.register(await readMetadata(request));
      await answer(reply, 201, {
        client_id: clientId,
        client_id_issued_at: Math.floor(Date.parse(createdAt) / 1000),
        client_name: name,
        redirect_uris: redirectUris,
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
      });
    } catch (error) {
      if (!(error instanceof ClientMetadataRefused)) throw error;
      await answer(reply, 400, { error: error.code, error_description: error.message });
    }
  }
}

async function readMetadata({ headers, raw }: FastifyRequest): Promise<Record<string, unknown>> {
  if (!/^application\/json\s*(;|$)/i.test(headers['content-type'] ?? ''))
    throw new ClientMetadataRefused('invalid_client_metadata', 'the body must be application/json');
  const bytes = await collect(raw, BODY_MAX_BYTES);
  try {
    return requireObject(parseJson(bytes));
  } catch (error) {
    throw new ClientMetadataRefused('invalid_client_metadata', (error as Error).message);
  }
}

const answer = (reply: FastifyReply, status: number, body: object): Promise<void> =>
  Promise.resolve(reply.status(status).header('Cache-Control', 'no-store').send(body)).then(() => undefined);
