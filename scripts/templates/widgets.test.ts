import { afterAll } from 'vitest';
import { describeResource } from '../../support/describe-resource.js';
import { startDocumentedApp } from '../../support/documented-app.js';

const app = await startDocumentedApp();
afterAll(() => app.close());

describeResource('sample widgets', app, {
  path: '/v1/sample-widgets',
  create: { name: 'First', status: 'archived' },
  change: { name: 'Second', status: 'active' },
  defaults: { status: 'active' },
  nullable: [],
  filters: { status: ['active', 'archived'] },
  search: ['name'],
});
