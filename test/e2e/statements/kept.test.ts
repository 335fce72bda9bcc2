import { expect, it } from 'vitest';
import { rowsOf } from '../../support/database.js';
import { openStatements, startWorking } from '../../support/statements.js';

it('keeps the original, encrypted, with STATEMENT_KEEP_ORIGINAL', async () => {
  const app = await startWorking({ STATEMENT_KEEP_ORIGINAL: 'true' });
  const { taken } = await openStatements(app);
  const { id, redactionStatus } = await taken();
  const [part] = await rowsOf<{ content: Buffer }>(app.databaseUrl, 'SELECT content FROM statement_originals WHERE statement_id = $1', [
    id,
  ]);
  expect([redactionStatus, part!.content.includes('Coffee')]).toEqual(['succeeded', false]);
  await app.close();
});
