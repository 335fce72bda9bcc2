import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Claims, StatementFailedError } from '../../client/src/index.js';
import { MockClaims } from '../../client/src/mock/index.js';
import type { TestApp } from '../support/app.js';
import { aTenant } from '../support/builders.js';
import { JANUARY, startWorking } from '../support/statements.js';

let app: TestApp;
beforeAll(async () => {
  app = await startWorking();
});
afterAll(() => app.close());

const aClient = async (): Promise<Claims> => new Claims({ apiKey: (await aTenant(app)).key, baseUrl: app.url });
const january = (text = JANUARY): File => new File([text], 'january.csv');

describe('a statement', () => {
  it('is imported from a file and waited for; the same file is the same statement', async () => {
    const claims = await aClient();
    const { id: projectId } = await claims.projects.create({ name: 'Berlin', periodStart: '2026-01-01', periodEnd: '2026-12-31' });
    const statement = await claims.statements.createAndWait({ file: january(), projectId, isInverted: false });
    expect(statement).toMatchObject({ redactionStatus: 'succeeded', lineCount: 5, fileName: 'january.csv', projectId });
    expect((await claims.statements.createFromFile({ file: january(), projectId })).id).toBe(statement.id);
  });

  it('is imported from a feed', async () => {
    const claims = await aClient();
    const lines = [{ bookedOn: '2026-01-12', amount: '-12.40', description: 'Coffee' }];
    const statement = await claims.statements.createAndWait({ currency: 'EUR', openingBalance: '12.40', closingBalance: '0.00', lines });
    expect(statement).toMatchObject({ format: 'feed', certainty: 'proven' });
  });

  it('that cannot be read is an error of its own, with the statement', async () => {
    const claims = await aClient();
    const failed = claims.statements.createAndWait({ file: january(JANUARY.replace('-12.40', 'twelve')) });
    await expect(failed).rejects.toBeInstanceOf(StatementFailedError);
    await expect(failed).rejects.toMatchObject({ code: 'statement_failed', statement: { failure: { code: 'invalid_amount' } } });
  });

  it('is a record of the mock, from a file as from a feed, and wrong fields are refused as by the service', async () => {
    const mock = new MockClaims();
    const claims = new Claims({ apiKey: mock.apiKey, fetch: mock.fetch });
    expect(await claims.statements.createFromFile({ file: january() })).toMatchObject({
      fileName: 'january.csv',
      redactionStatus: 'pending',
    });
    const wrong = { file: january(), projectId: 'x' };
    const [ofMock, ofService] = await Promise.all(
      [claims, await aClient()].map((client) => client.statements.createFromFile(wrong).catch((error: { errors: object }) => error.errors)),
    );
    expect(ofMock).toEqual(ofService);
  });
});
