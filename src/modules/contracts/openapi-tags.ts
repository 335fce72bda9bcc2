import type { INestApplication } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { CapabilityDeclaration } from '../../api/operation/operation.js';
import { Registry } from '../../api/operation/registry.js';

/** Adds a tag for each capability, with what its controller says of it. */
export function addTags(document: OpenAPIObject, app: INestApplication): void {
  document.tags = app.get(Registry).descriptions.map(([name, description]) => ({ name, description: textOf(description) }));
}

const textOf = ({ about, guide }: CapabilityDeclaration): string => (guide ? `${about} Guide: \`${guide}\`.` : about);
