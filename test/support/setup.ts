import { afterEach } from 'vitest';
import { takeExchanges } from './exchanges.js';
import { takeUnscoped } from './tenant-statements.js';

/** What a test that fails has sent last, and what was answered. */
afterEach(({ task }) => {
  const exchanges = takeExchanges();
  if (task.result?.state === 'fail' && exchanges !== '') console.error(`The last calls of “${task.name}”:\n${exchanges}`);
});

afterEach(() => {
  const unscoped = takeUnscoped();
  if (unscoped.length === 0) return;
  const what =
    'Statements on rows of tenants without a condition on organization_id. ' +
    'If that is correct, declare it by acrossTenants, with the reason.';
  throw new Error([what, ...unscoped].join('\n'));
});
