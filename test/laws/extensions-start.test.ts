import { expect, it } from 'vitest';
import { createDatabase } from '../support/database.js';
import { startProcess } from '../support/process.js';

// What the build makes of a class is not always what the tests make of it: a parameter whose type is also a value, for example.
it('the program that npm run build has made starts with all extensions', async () => {
  const database = await createDatabase();
  try {
    const service = await startProcess({ DATABASE_URL: database.url, ROLE: 'all' });
    expect((await service.stop()).code).toBe(0);
  } finally {
    await database.drop();
  }
});
