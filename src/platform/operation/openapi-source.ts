import { Injectable } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';

/** A port: who publishes the OpenAPI document gives it here to those who make something of it. */
@Injectable()
export class OpenApiSource {
  private make: () => OpenAPIObject;

  provide(make: () => OpenAPIObject): void {
    this.make = make;
  }

  get document(): OpenAPIObject {
    return this.make();
  }
}
