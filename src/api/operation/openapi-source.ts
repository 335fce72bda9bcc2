import type { OpenAPIObject } from '@nestjs/swagger';

/** A port: gives the OpenAPI document to modules that generate something from it, such as the tools. */
export abstract class OpenApiSource {
  abstract readonly document: OpenAPIObject;
}
