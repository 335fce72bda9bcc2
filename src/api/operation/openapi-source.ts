import type { OpenAPIObject } from '@nestjs/swagger';

/** A port: whoever publishes the OpenAPI document gives it to those who make something of it. */
export abstract class OpenApiSource {
  abstract readonly document: OpenAPIObject;
}
