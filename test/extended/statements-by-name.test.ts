import { expect, it } from 'vitest';
import { declaredTwice } from '../../src/store/database/prepared-statements.js';
import { startApp } from '../support/app.js';

it('no two statements of the product have one name: one would be refused, or run instead of the other', async () => {
  const app = await startApp();
  await app.close();
  expect([...declaredTwice()]).toEqual([]);
});
