import type { INestApplication } from '@nestjs/common';
import type { SwaggerCustomOptions } from '@nestjs/swagger';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AddressLimiter } from '../../api/limits/address-limiter.js';
import { IDEMPOTENCY_KEY_EXAMPLE } from '../../api/operation/operation.js';
import { API_NAME } from '../../kernel/product.js';
import type { Settings } from '../../kernel/settings/settings.js';

/** Where an application sends users back to, so that it can be tried in Swagger UI. A page of the library. */
const SWAGGER_REDIRECT = '/docs/oauth2-redirect.html';

/** The library's own bar shows its name and nothing that we need. */
const STYLE = `
.swagger-ui .topbar{display:none}
.swagger-ui,.swagger-ui .info .title,.swagger-ui .opblock-tag,.swagger-ui .btn{font-family:system-ui,sans-serif}
.swagger-ui .info a,.swagger-ui .markdown a{color:#0b5cad}
.swagger-ui .btn.execute{background:#0b5cad;border-color:#0b5cad}
body{background:#fff!important}
`;

export function swaggerOptions(settings: Settings): SwaggerCustomOptions {
  return {
    raw: false,
    customSiteTitle: API_NAME,
    customfavIcon: '/favicon.ico',
    customCss: STYLE,
    swaggerOptions: {
      deepLinking: true,
      persistAuthorization: true,
      displayRequestDuration: true,
      tryItOutEnabled: true,
      tagsSorter: 'alpha',
      operationsSorter: 'alpha',
      requestInterceptor: newIdempotencyKey,
      // The address is known once the server listens, and asked for with the first page.
      get oauth2RedirectUrl() {
        return settings.publicUrl + SWAGGER_REDIRECT;
      },
      initOAuth: { usePkceWithAuthorizationCodeGrant: true },
    },
  };
}

/** The library serves its own routes, which no guard of ours sees. */
export function guardSwagger(app: INestApplication, limiter: AddressLimiter, settings: Settings): void {
  const fastify = app.getHttpAdapter().getInstance() as FastifyInstance;
  const guard = async ({ ip }: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const refusal = await limiter.findRefusal('documents', ip);
    if (refusal) throw refusal;
    reply.headers(swaggerHeaders(settings));
  };
  fastify.addHook('onRoute', (route) => {
    if (/^\/docs(?:-json|-yaml)?(?:\/|$)/.test(route.url)) route.onRequest = [route.onRequest ?? [], guard].flat();
  });
}

/**
 * The browser keeps keys for the page, so only scripts that are files of ours run there, and no other site can show it in a frame.
 * The library writes styles into the page. The page may be open at another address of the service than the one its calls go to.
 */
const swaggerHeaders = ({ publicUrl }: Settings) => ({
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    `connect-src 'self' ${new URL(publicUrl).origin}`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'same-origin',
});

/** A function that runs in the browser. The page of Swagger UI contains the source of each function among its options. */
const inBrowser = (source: string) => Object.assign(() => undefined, { toString: () => source });

/** Replaces the example of the Idempotency-Key by a new key with every call. Otherwise the second call would conflict with the first. */
const newIdempotencyKey = inBrowser(`(request) => {
  if (request.headers['Idempotency-Key'] === '${IDEMPOTENCY_KEY_EXAMPLE}') request.headers['Idempotency-Key'] = crypto.randomUUID();
  return request;
}`);
