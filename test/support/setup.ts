import { afterEach } from 'vitest';
import { takeUnscoped } from './tenant-statements.js';

afterEach(() => {
  const unscoped = takeUnscoped();
  if (unscoped.length === 0) return;
  const what =
    'Statements on rows of tenants without a condition on organization_id. ' +
    'If that is correct, declare it by acrossTenants, with the reason.';
  throw new Error([what, ...unscoped].join('\n'));
});
