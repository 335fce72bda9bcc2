import { afterEach } from 'vitest';
import { takeUnscoped } from './tenant-statements.js';

afterEach(() => {
  const forgetful = takeUnscoped();
  if (forgetful.length === 0) return;
  const what =
    'Statements on rows of tenants that do not ask whose they are (organization_id). Where that is right, test/support/tenant-statements.ts says why.';
  throw new Error([what, ...forgetful].join('\n'));
});
