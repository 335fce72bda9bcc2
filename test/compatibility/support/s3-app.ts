import type { Extension } from '../../../src/extension.js';
import { startApp } from '../../support/app.js';
import { createDatabase, rowsOf } from '../../support/database.js';
import { migrateDatabase } from '../../support/migrated.js';
import { startWithRecipes } from '../../support/recipes-app.js';
import { openReports, REPORTS, rule } from '../../support/reports.js';
import { startS3 } from './s3.js';

/** The application with all recipes, whose files are in a real S3-compatible server. */
export async function startWithS3(settings: Record<string, string>) {
  const s3 = await startS3();
  const started = await startWithRecipes({ ...s3.env, ...settings });
  const { app } = started;
  const { default: acme } = await started.load<{ default: Extension }>('acme/extension.ts');
  const acmeSettings = app.app.get<{ s3NewFiles: boolean; s3SecretAccessKey: string }>(acme.settings!, { strict: false });

  /** What was started besides, the first one first. */
  const toClose: (() => Promise<void>)[] = [];

  /** The keys of the objects of an organization. */
  const keysOf = async (organizationId: string) => (await s3.keys()).filter((key) => key.startsWith(organizationId));
  const rowsIn = (organizationId: string) =>
    rowsOf<{ kind: string; status: string }>(
      app.databaseUrl,
      'SELECT kind, status FROM stored_files WHERE organization_id = $1 ORDER BY id',
      [organizationId],
    );
  /** What Postgres has of an organization's files, a row for each part. */
  const inPostgres = (organizationId: string) =>
    rowsOf(
      app.databaseUrl,
      `SELECT 'statement_originals' AS found FROM statement_originals WHERE organization_id = $1
        UNION ALL SELECT 'claim_report_files' FROM claim_report_files WHERE organization_id = $1`,
      [organizationId],
    );
  /** An organization that can run reports with two files. */
  const opened = async () => {
    const reports = await openReports(app);
    await reports.category('TRAVEL', [rule('Ticket')]);
    const { id: reportConfigurationId } = await reports.configuration({ outputOptions: { formats: ['json', 'csv'], detail: 'lines' } });
    const download = (id: string, format = 'json') => reports.api.get(`${REPORTS}/${id}/outputs/${format}`);
    const [report, queued] = [() => reports.run({ reportConfigurationId }), () => reports.queue({ reportConfigurationId })];
    return { ...reports, download, report, queued };
  };
  /** A process of the same installation, with other settings or extensions. */
  const another = async (env: Record<string, string>, extensions: readonly Extension[] = [acme]) => {
    const own = await startApp({ DATABASE_URL: app.databaseUrl, ...s3.env, ...env }, undefined, extensions);
    toClose.push(() => own.close());
    return own;
  };
  /** An installation with a database of its own, and the same bucket. */
  const anotherInstallation = async (env: Record<string, string>) => {
    const database = await createDatabase();
    await migrateDatabase(database.url, [acme]);
    toClose.push(database.drop);
    return another({ DATABASE_URL: database.url, ROLE: 'all', ...env });
  };
  const close = async (): Promise<void> => {
    for (const end of toClose.reverse()) await end();
    await started.close();
    await s3.remove();
  };
  return { app, s3, acmeSettings, keysOf, rowsIn, inPostgres, opened, another, anotherInstallation, close };
}
