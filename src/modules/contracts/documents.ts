import { Injectable, type INestApplication } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';
import { API_NAME } from '../../kernel/product.js';
import type { Settings } from '../../kernel/settings/settings.js';
import { OpenApiSource } from '../../api/operation/openapi-source.js';
import { Implements } from '../../store/discovery/ports.js';

interface PageRequest {
  headers: Record<string, string>;
}

/**
 * Runs in the page, so it stands on nothing around it: the example of the Idempotency-Key becomes a new one with each call,
 * else the second thing that someone tries would be a conflict with the first.
 */
function newKey(request: PageRequest): PageRequest {
  if (request.headers['Idempotency-Key'] === '5e0c2a51-1f7e-4f0f-9a53-2f2d9a6a8b10')
    request.headers['Idempotency-Key'] = crypto.randomUUID();
  return request;
}

/** The published contracts, made when first asked for: a process that starts need not wait for them. */
@Implements(OpenApiSource)
@Injectable()
export class Documents implements OpenApiSource {
  private make: () => OpenAPIObject;
  private makeAsync: () => object;
  private text: string | undefined;
  private asyncText: string | undefined;

  /** Also serves the Swagger UI. Called once the application is put together; its address is known only once it listens. */
  async serve(app: INestApplication, settings: Settings): Promise<void> {
    // Loaded here, so that a process without HTTP need not wait for the library.
    const [{ SwaggerModule }, { openApiDocument }, { asyncApiDocument }] = await Promise.all([
      import('@nestjs/swagger'),
      import('./openapi.js'),
      import('./asyncapi.js'),
    ]);
    let made: OpenAPIObject | undefined;
    this.make = () => (made ??= openApiDocument(app, settings.publicUrl));
    this.makeAsync = () => asyncApiDocument(app);
    SwaggerModule.setup('docs', app, () => this.make(), {
      raw: false,
      customSiteTitle: API_NAME,
      swaggerOptions: {
        persistAuthorization: true,
        displayRequestDuration: true,
        tryItOutEnabled: true,
        tagsSorter: 'alpha',
        operationsSorter: 'alpha',
        requestInterceptor: newKey,
      },
    });
  }

  get document(): OpenAPIObject {
    return this.make();
  }

  get openapi(): string {
    return (this.text ??= JSON.stringify(this.make(), null, 2));
  }

  get asyncapi(): string {
    return (this.asyncText ??= JSON.stringify(this.makeAsync(), null, 2));
  }
}
