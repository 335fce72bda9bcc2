import { Injectable, type INestApplication } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AddressLimiter } from '../../api/limits/address-limiter.js';
import { API_NAME } from '../../kernel/product.js';
import type { Settings } from '../../kernel/settings/settings.js';
import { IDEMPOTENCY_KEY_EXAMPLE } from '../../api/operation/operation.js';
import { OpenApiSource } from '../../api/operation/openapi-source.js';
import { compressDocuments } from './compressed.js';
import { Implements } from '../../store/discovery/ports.js';

/** Where an application sends users back to, so that it can be tried in Swagger UI. A page of the library. */
const SWAGGER_REDIRECT = '/docs/oauth2-redirect.html';

/** The published documents. Each is made when it is first asked for: starting a process need not wait for them. */
@Implements(OpenApiSource)
@Injectable()
export class Documents implements OpenApiSource {
  private openApiObject: () => OpenAPIObject;
  private openApiText: () => string;
  private asyncApiText: () => string;

  /** Serves Swagger UI, and makes the documents available. Called once all routes are known. */
  async serve(app: INestApplication, settings: Settings): Promise<void> {
    compressDocuments(app.getHttpAdapter().getInstance() as FastifyInstance, [
      '/docs',
      '/openapi.json',
      '/asyncapi.json',
      '/llms.txt',
      '/favicon.ico',
    ]);
    // Loaded here, so that a process without HTTP does not wait for the library.
    const [{ SwaggerModule }, { openApiDocument }, { asyncApiDocument }] = await Promise.all([
      import('@nestjs/swagger'),
      import('./openapi.js'),
      import('./asyncapi.js'),
    ]);
    this.openApiObject = once(() => openApiDocument(app, settings.publicUrl));
    this.openApiText = once(() => JSON.stringify(this.document, null, 2));
    this.asyncApiText = once(() => JSON.stringify(asyncApiDocument(app), null, 2));
    limitSwagger(app, app.get(AddressLimiter));
    SwaggerModule.setup('docs', app, () => this.document, {
      raw: false,
      customSiteTitle: API_NAME,
      swaggerOptions: {
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
    });
  }

  get document(): OpenAPIObject {
    return this.openApiObject();
  }

  get openapi(): string {
    return this.openApiText();
  }

  get asyncapi(): string {
    return this.asyncApiText();
  }
}

/** The library serves its own routes, which no guard of ours sees. */
function limitSwagger(app: INestApplication, limiter: AddressLimiter): void {
  const fastify = app.getHttpAdapter().getInstance() as FastifyInstance;
  const limit = async ({ ip }: FastifyRequest): Promise<void> => {
    const refusal = await limiter.refusalOf('documents', ip);
    if (refusal) throw refusal;
  };
  fastify.addHook('onRoute', (route) => {
    if (/^\/docs(?:-json|-yaml)?(?:\/|$)/.test(route.url)) route.onRequest = [route.onRequest ?? [], limit].flat();
  });
}

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

/** A function that runs in the browser. The page of Swagger UI contains the source of each function among its options. */
const inBrowser = (source: string) => Object.assign(() => undefined, { toString: () => source });

/** Replaces the example of the Idempotency-Key by a new key with every call. Otherwise the second call would conflict with the first. */
const newIdempotencyKey = inBrowser(`(request) => {
  if (request.headers['Idempotency-Key'] === '${IDEMPOTENCY_KEY_EXAMPLE}') request.headers['Idempotency-Key'] = crypto.randomUUID();
  return request;
}`);
