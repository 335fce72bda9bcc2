import { type INestApplication } from '@nestjs/common';
import type { OpenAPIObject, SwaggerCustomOptions } from '@nestjs/swagger';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { headersOfPage } from '../../api/http/answer-headers.js';
import { AddressLimiter } from '../../api/limits/rate-limiter.js';
import { DocumentSource, type PublishedGuide } from '../../api/operation/document-source.js';
import { IDEMPOTENCY_KEY_EXAMPLE } from '../../api/operation/operation.js';
import { API_NAME } from '../../kernel/product.js';
import type { Settings } from '../../kernel/settings/settings.js';
import { Implements } from '../../store/discovery/ports.js';
import { compressDocuments } from './compressed.js';
import { guides, GUIDES_PATH } from './guides.js';
import { withRecordIds, type RecordIds } from './openapi-schemas.js';

/** The published documents. Each is made when it is first asked for: starting a process need not wait for them. */
@Implements(DocumentSource)
export class Documents implements DocumentSource {
  openapi: () => string;
  asyncapi: () => string;
  collection: () => string;
  private openApiObject: () => OpenAPIObject;
  private recordIds: RecordIds = {};

  /** Serves Swagger UI, and makes the documents available. Called once all routes are known. */
  async serve(app: INestApplication, settings: Settings): Promise<void> {
    compressDocuments(app.getHttpAdapter().getInstance() as FastifyInstance, [
      '/docs',
      '/openapi.json',
      '/asyncapi.json',
      '/collection.json',
      '/collection-environment.json',
      GUIDES_PATH,
      '/llms.txt',
      '/favicon.ico',
    ]);
    // Loaded here, so that a process without HTTP does not wait for the library.
    const [{ SwaggerModule }, { openApiDocument }, { asyncApiDocument }, { collectionOf }] = await Promise.all([
      import('@nestjs/swagger'),
      import('./openapi.js'),
      import('./asyncapi.js'),
      import('./collection.js'),
    ]);
    this.openApiObject = once(() => withRecordIds(openApiDocument(app, settings.publicUrl), this.recordIds));
    this.openapi = once(() => JSON.stringify(this.document, null, 2));
    this.asyncapi = once(() => JSON.stringify(asyncApiDocument(app, settings.publicUrl), null, 2));
    this.collection = once(() => JSON.stringify(collectionOf(this.document), null, 2));
    guardSwagger(app, app.get(AddressLimiter), settings);
    SwaggerModule.setup('docs', app, () => this.document, swaggerOptions(settings));
  }

  /** Lets the examples name records that exist. To be called before anybody asks for the documents. */
  useRecords(ids: RecordIds): void {
    this.recordIds = ids;
  }

  guides(): Promise<readonly PublishedGuide[]> {
    return guides();
  }

  get document(): OpenAPIObject {
    return this.openApiObject();
  }
}

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

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

function swaggerOptions(settings: Settings): SwaggerCustomOptions {
  return {
    raw: false,
    customSiteTitle: API_NAME,
    customfavIcon: '/favicon.ico',
    customCss: STYLE,
    swaggerOptions: {
      deepLinking: true,
      persistAuthorization: false,
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
function guardSwagger(app: INestApplication, limiter: AddressLimiter, settings: Settings): void {
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
 * People enter keys into the page, so only scripts that are files of ours run there, and no other site can show it in a frame.
 * The library writes styles into the page. The page may be open at another address of the service than the one its calls go to.
 */
const swaggerHeaders = ({ publicUrl }: Settings) =>
  headersOfPage({
    'script-src': "'self'",
    'style-src': "'self' 'unsafe-inline'",
    'img-src': "'self' data:",
    'connect-src': `'self' ${new URL(publicUrl).origin}`,
    'form-action': "'self'",
  });

/** A function that runs in the browser. The page of Swagger UI contains the source of each function among its options. */
const inBrowser = (source: string) => Object.assign(() => undefined, { toString: () => source });

/** Replaces the example of the Idempotency-Key by a new key with every call. Otherwise the second call would conflict with the first. */
const newIdempotencyKey = inBrowser(`(request) => {
  if (request.headers['Idempotency-Key'] === '${IDEMPOTENCY_KEY_EXAMPLE}') request.headers['Idempotency-Key'] = crypto.randomUUID();
  return request;
}`);
