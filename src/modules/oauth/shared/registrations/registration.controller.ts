import { Controller, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AnyOrigin, Protocol } from '../../../../api/operation/operation.decorator.js';
import { collect, parseJson, requireObject } from '../../../../api/validation/read-request.js';
import { Problem } from '../../../../kernel/problems.js';
import { Settings } from '../../../../kernel/settings/settings.js';
import { ROUTES } from '../../routes.js';
import { ClientMetadataRefused } from '../shared-client.js';
import { RegistrationsService } from './registrations.service.js';

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
    if (!this.settings.clientRegistration) throw new Problem('route_not_found');
    try {
      const { clientId, name, redirectUris, createdAt } = await this.registrations.register(await readMetadata(request));
      await send(reply, 201, {
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
      await send(reply, 400, { error: error.code, error_description: error.message });
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

const send = (reply: FastifyReply, status: number, body: object): Promise<void> =>
  Promise.resolve(reply.status(status).header('Cache-Control', 'no-store').send(body)).then(() => undefined);
