import type { INestApplication, Type } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { documentController } from '../../api/operation/documentation.js';
import { Registry } from '../../api/operation/registry.js';
import { documentFields } from '../../api/validation/document-fields.js';

/** Tells @nestjs/swagger the operations and the fields of their classes, with what extensions add. */
export function documentOperations(app: INestApplication): void {
  documentFields();
  const registry = app.get(Registry);
  for (const { metatype } of app.get(DiscoveryService).getControllers())
    documentController(metatype as Type<unknown>, (handler) => registry.operationOf(handler));
}
