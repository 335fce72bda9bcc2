import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TEST_ENCRYPTION_KEY, type TestApp } from '../../support/app.js';
import { runCommand } from '../../support/command.js';
import { openReports, rule } from '../../support/reports.js';
import { CANARIES, startWorking } from '../../support/statements.js';

let app: TestApp;
beforeAll(async () => {
  app = await startWorking();
});
afterAll(() => app.close());

const claims = (...args: string[]) => runCommand(args, { DATABASE_URL: app.databaseUrl, ENCRYPTION_KEY: TEST_ENCRYPTION_KEY });

describe('a person who reviews a report', () => {
  it('sees where the money went that no rule claims, without a word of a line', async () => {
    const { taken, category, run } = await openReports(app);
    const { id: statementId } = await taken();
    await category('COFFEE', [rule('coffee')]);
    const { uncategorised } = (await run()).result!;
    expect(uncategorised).toMatchObject({
      count: 4,
      largest: [
        { statementId, lineNumber: 2, amount: '-1200.00', counterparty: expect.stringMatching(/^PERSON-/) as string },
        { statementId, lineNumber: 1, amount: '-89.90', counterparty: expect.stringMatching(/^COMPANY-/) as string },
        { statementId, lineNumber: 5, amount: '-50.00' },
        { statementId, lineNumber: 4, amount: '19.90' },
      ],
      counterparties: [
        { count: 2, net: '1250.00', example: { statementId, lineNumber: 2 } },
        { count: 2, net: '70.00', example: { statementId, lineNumber: 1 } },
      ],
    });
    const amounts = ['1200.00', '-89.90'];
    for (const canary of CANARIES.filter((each) => !amounts.includes(each))) expect(JSON.stringify(uncategorised)).not.toContain(canary);
  });

  it('sees what a new rule has changed', async () => {
    const { taken, category, run } = await openReports(app);
    await taken();
    const first = await run();
    await category('TRAVEL', [rule('ticket')]);
    const second = await run();
    const shown = await claims('report', 'diff', first.id, second.id);
    expect(shown).toMatchObject({ code: 0, stderr: '' });
    expect(shown.stdout).toContain('claimable  0.00 → 70.00  (+70.00)');
    expect(shown.stdout).toContain('category TRAVEL  none → 70.00  (+70.00)');
    expect(shown.stdout).toContain('- no_categories: No category takes part');
    const same = await claims('report', 'diff', second.id, (await run()).id, '--json');
    expect(JSON.parse(same.stdout)).toMatchObject({ sameInputs: true, categories: [] });
  });

  it('cannot compare runs of two organizations, or one without a result', async () => {
    const [one, other] = [await openReports(app), await openReports(app)];
    const [first, second] = [await one.run(), await other.run()];
    expect(await claims('report', 'diff', first.id, second.id)).toMatchObject({ code: 1, stdout: '' });
    await one
      .category('BROKEN', [rule('x')])
      .then((category) => one.storedBefore('expense_categories', 'source_mapping', category, { rules: 1 }));
    const failed = await one.run();
    const refused = await claims('report', 'diff', first.id, failed.id);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain(`Run ${failed.id} has no result: it is failed.`);
  });
});
