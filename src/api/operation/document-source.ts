import type { OpenAPIObject } from '@nestjs/swagger';

export interface PublishedGuide {
  readonly name: string;
  readonly title: string;
  readonly about: string;
  /** In Markdown. */
  readonly text: string;
}

/** A port: what the service publishes about itself, for modules that make something of it, such as the tools. */
export abstract class DocumentSource {
  abstract readonly document: OpenAPIObject;
  abstract guides(): Promise<readonly PublishedGuide[]>;
}
