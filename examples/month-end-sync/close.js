// @ts-check
import { writeFile } from 'node:fs/promises';
import { Claims, ClaimsError } from '@claims-api/client';

const baseUrl = process.env.CLAIMS_BASE_URL;
const preparer = new Claims({ apiKey: process.env.CLAIMS_API_KEY, baseUrl });
/** Another person approves: a key that somebody else has made. */
const approver = new Claims({ apiKey: process.env.CLAIMS_APPROVER_KEY, baseUrl });

/** @param {string} reference */
async function reportOf(reference) {
  const { data } = await preparer.projects.list({ client_reference: reference }).page();
  for (const { id } of data) for await (const report of preparer.reports.list({ project_id: id, status: 'succeeded' })) return report;
  console.error(`There is no report of a project with the reference ${reference}. Make it with claim.js.`);
  process.exit(1);
}

/**
 * Closes the claim of the newest report of a project, and saves its signed evidence pack. Started again, it goes on where it was.
 *
 * @param {string} reference
 */
async function main(reference) {
  const { id: reportId } = await reportOf(reference);
  const { data } = await preparer.closings.list({ report_id: reportId }).page();
  const taken = data.map(({ state }) => state);
  for (const state of /** @type {const} */ (['reviewed', 'approved', 'final'])) {
    if (taken.includes(state)) continue;
    const by = state === 'approved' ? approver : preparer;
    const step = await by.closings.create({ reportId, state }, { idempotencyKey: `${state}-${reportId}` });
    console.log(`${state} by ${step.by.name}`);
  }
  const name = `${reference}.zip`;
  const { body } = await preparer.reports.download(reportId, 'evidence');
  if (body) await writeFile(name, body);
  console.log(`The signed evidence pack is ${name}. Check it: claims report verify ${name}`);
}

const [, , reference] = process.argv;
if (reference) {
  try {
    await main(reference);
  } catch (error) {
    if (!(error instanceof ClaimsError)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
} else {
  console.error('Usage: node close.js CLIENT-1042');
  process.exitCode = 2;
}
