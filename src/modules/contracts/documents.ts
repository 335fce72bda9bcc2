import { Injectable, type INestApplication } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { FastifyInstance } from 'fastify';
import { AddressLimiter } from '../../api/limits/address-limiter.js';
import type { Settings } from '../../kernel/settings/settings.js';
import { DocumentSource, type PublishedGuide } from '../../api/operation/document-source.js';
import { compressDocuments } from './compressed.js';
import { guides, GUIDES_PATH } from './guides.js';
import { withRecordIds, type RecordIds } from './openapi-examples.js';
import { guardSwagger, swaggerOptions } from './swagger.js';
import { Implements } from '../../store/discovery/ports.js';

/** The published documents. Each is made when it is first asked for: starting a process need not wait for them. */
@Implements(DocumentSource)
@Injectable()
export class Documents implements DocumentSource {
  private openApiObject: () => OpenAPIObject;
  private openApiText: () => string;
  private asyncApiText: () => string;
  private collectionText: () => string;
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
    this.openApiText = once(() => JSON.stringify(this.document, null, 2));
    this.asyncApiText = once(() => JSON.stringify(asyncApiDocument(app, settings.publicUrl), null, 2));
    this.collectionText = once(() => JSON.stringify(collectionOf(this.document), null, 2));
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

  get openapi(): string {
    return this.openApiText();
  }

  get collection(): string {
    return this.collectionText();
  }

  get asyncapi(): string {
    return this.asyncApiText();
  }
}

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}
