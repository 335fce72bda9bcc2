import type { INestApplication } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';
import { Registry } from '../../api/operation/registry.js';
import { GUIDES_PATH } from './guides.js';

/**
 * Adds a tag for each capability, with what its controller says of it, and where the service answers with its guide; and the way to
 * all guides.
 */
export function addTags(document: OpenAPIObject, app: INestApplication, baseUrl: string): void {
  document.externalDocs = { description: 'Guides', url: baseUrl + GUIDES_PATH };
  document.tags = app.get(Registry).descriptions.map(([name, { about, guide }]) => ({
    name,
    description: about,
    ...(guide && { externalDocs: { description: 'Guide', url: baseUrl + guide.replace(/^docs/, GUIDES_PATH).replace(/\.md$/, '') } }),
  }));
}
