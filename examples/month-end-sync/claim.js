// @ts-check
import { readFile, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { Claims, ClaimsError } from '@claims-api/client';

const claims = new Claims({ apiKey: process.env.CLAIMS_API_KEY, baseUrl: process.env.CLAIMS_BASE_URL });

/** @param {string} reference */
async function projectOf(reference) {
  const { data } = await claims.projects.list({ client_reference: reference }).page();
  const [project, ...others] = data;
  if (!project || others.length > 0) {
    console.error(`There are ${data.length} projects with the reference ${reference}.`);
    process.exit(1);
  }
  return project;
}

const NAME = 'Month-end';

/**
 * How its reports are made: over the period of the project, with a PDF and an evidence pack.
 *
 * @param {import('@claims-api/client').ClaimProject} project
 */
async function configurationOf({ id: projectId, periodStart, periodEnd }) {
  for await (const { id, name } of claims.configurations.list({ project_id: projectId })) if (name === NAME) return id;
  const created = await claims.configurations.create(
    { name: NAME, projectId, periodStart, periodEnd, outputOptions: { formats: ['pdf', 'evidence'] } },
    { idempotencyKey: `month-end-${projectId}` },
  );
  return created.id;
}

/**
 * Imports files of a bank into a project, and makes its claim. Started again, it imports nothing twice.
 *
 * @param {string} reference
 * @param {string[]} paths
 */
async function main(reference, paths) {
  const project = await projectOf(reference);
  for (const path of paths) {
    const file = new File([await readFile(path)], basename(path));
    const { lineCount, certainty, warnings } = await claims.statements.createAndWait({ file, projectId: project.id });
    console.log(`${path}: ${lineCount} lines, ${certainty}`);
    for (const { message } of warnings) console.log(`  ${message}`);
  }
  const report = await claims.reports.createAndWait({
    projectId: project.id,
    reportConfigurationId: await configurationOf(project),
  });
  const { totals, currency } = report.result ?? {};
  console.log(`${project.name}: ${totals?.claimable} ${currency} can be claimed.`);
  const name = `${reference}.pdf`;
  const { body } = await claims.reports.download(report.id, 'pdf');
  if (body) await writeFile(name, body);
  console.log(`The report is ${name}.`);
}

const [, , reference, ...paths] = process.argv;
if (reference && paths.length > 0) {
  try {
    await main(reference, paths);
  } catch (error) {
    if (!(error instanceof ClaimsError)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
} else {
  console.error('Usage: node claim.js CLIENT-1042 january.csv …');
  process.exitCode = 2;
}
