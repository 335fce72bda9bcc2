import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TestApp } from '../../support/app.js';
import { rowsOf } from '../../support/database.js';
import { openStatements, sendStatement, startWorking } from '../../support/statements.js';
import { samples } from '../../statements/corpus.js';

let app: TestApp;
beforeAll(async () => {
  app = await startWorking();
});
afterAll(() => app.close());

const AT_ONCE = 8;

/** All that is known of a statement but when it was read, and which one it is. */
async function resultOf({ get }: Awaited<ReturnType<typeof openStatements>>, id: string) {
  const { id: _id, environment: _environment, createdAt: _created, updatedAt: _updated, redaction, ...said } = await get(id);
  const lines = await rowsOf(
    app.databaseUrl,
    'SELECT line_number, booked_on, amount, currency, description, counterparty FROM statement_lines WHERE statement_id = $1 ORDER BY 1',
    [id],
  );
  // Each organization has tokens of its own.
  return JSON.stringify({ ...said, counts: redaction?.counts, lines }).replace(/\b([A-Z]+)-[0-9A-Z]{12}\b/g, '$1');
}

it('every file of the corpus is read by the API as by the command', { timeout: 600_000 }, async () => {
  const statements = await openStatements(app);
  const byCommand = await openStatements(app);
  const all = await samples();
  expect(all.length).toBeGreaterThan(200);
  const differing: unknown[] = [];
  const compare = async (sample: (typeof all)[number]): Promise<void> => {
    const { name, bytes: file } = sample;
    const fileName = name.split('/').at(-1)!;
    const { status, body } = await sendStatement(app, statements.key, { file, fileName });
    expect(status, name).toBe(201);
    const command = await byCommand.taken({ file, fileName });
    await statements.settled(body.id);
    const [ofApi, ofCommand] = [await resultOf(statements, body.id), await resultOf(byCommand, command.id)];
    if (ofApi !== ofCommand) differing.push({ name, ofApi, ofCommand });
  };
  const queue = [...all];
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let next = queue.shift(); next; next = queue.shift()) await compare(next);
    }),
  );
  expect(differing).toEqual([]);
});
