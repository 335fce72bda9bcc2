// @ts-check
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { AlreadyExistsError, Claims, ClaimsError, ValidationFailedError } from '@claims-api/client';
import { rowsOf } from './csv.js';

/** @typedef {import('@claims-api/client').ClaimProject} ClaimProject */
/** @typedef {import('@claims-api/client').CreateClaimProject} CreateClaimProject */
/** @typedef {ClaimProject['status']} Status */

/** What is wrong with one row. */
class RowError extends Error {}

const claims = new Claims({ apiKey: process.env.CLAIMS_API_KEY, baseUrl: process.env.CLAIMS_BASE_URL });
const COLUMNS = ['reference', 'name', 'period_start', 'period_end', 'status'];

/**
 * All projects of the service, by their reference.
 *
 * @returns {Promise<Map<string | null, ClaimProject[]>>}
 */
async function knownProjects() {
  const known = new Map();
  for await (const project of claims.projects.list({ page_size: 200 })) {
    const { clientReference } = project;
    known.set(clientReference, [...(known.get(clientReference) ?? []), project]);
  }
  return known;
}

/**
 * The project that a row describes.
 *
 * @param {string[]} header
 * @param {string[]} fields
 */
function wantedOf(header, fields) {
  if (fields.length !== header.length) throw new RowError(`it has ${fields.length} fields, and the header has ${header.length}`);
  const valueOf = (/** @type {string} */ column) => fields[header.indexOf(column)] ?? '';
  const missing = COLUMNS.filter((column) => valueOf(column) === '');
  if (missing.length > 0) throw new RowError(`${missing.join(', ')} is missing`);
  const [clientReference, name, periodStart, periodEnd, status] = /** @type {[string, string, string, string, Status]} */ (
    COLUMNS.map(valueOf)
  );
  // The service checks the values.
  return { clientReference, name, periodStart, periodEnd, status };
}

/**
 * A key made of what shall be done: when the program is started again after a crash, the same row has the same key, and is not carried
 * out twice, even if the answer was lost.
 *
 * @param {unknown} content
 */
const keyOf = (content) => `month-end-sync-${createHash('sha256').update(JSON.stringify(content)).digest('hex')}`;

/**
 * @param {CreateClaimProject} wanted
 * @param {ClaimProject[] | undefined} known those with its reference
 * @returns {Promise<'created' | 'updated' | 'unchanged'>}
 */
async function sync(wanted, [project, ...others] = []) {
  if (others.length > 0) throw new RowError(`there are ${others.length + 1} projects with its reference`);
  if (!project) {
    await claims.projects.create(wanted, { idempotencyKey: keyOf(wanted) });
    return 'created';
  }
  const changes = Object.fromEntries(Object.entries(wanted).filter(([field, value]) => Reflect.get(project, field) !== value));
  if (Object.keys(changes).length === 0) return 'unchanged';
  // A later change back to the same values is another one, so the key has the version that is changed.
  await claims.projects.update(project.id, changes, { idempotencyKey: keyOf([project.id, project.updatedAt, changes]) });
  return 'updated';
}

/** @param {string} path */
async function main(path) {
  const [header, ...rows] = rowsOf(await readFile(path, 'utf8'));
  const known = await knownProjects();
  const count = { created: 0, updated: 0, unchanged: 0, refused: 0 };
  const lines = new Map();
  for (const { line, fields } of rows) {
    try {
      const wanted = wantedOf(header?.fields ?? [], fields);
      const reference = wanted.clientReference;
      if (lines.has(reference)) throw new RowError(`${reference} is in line ${lines.get(reference)} already`);
      lines.set(reference, line);
      const done = await sync(wanted, known.get(reference));
      count[done] += 1;
      if (done !== 'unchanged') console.log(`${done} ${wanted.name} (${reference})`);
    } catch (error) {
      if (!isOfRow(error)) throw error;
      count.refused += 1;
      console.error(`${path}:${line}: ${reasonOf(error)}`);
    }
  }
  const sums = Object.entries(count).map(([what, number]) => `${number} ${what}`);
  console.log(sums.join(', '));
  process.exitCode = count.refused > 0 ? 1 : 0;
}

/**
 * Whether only this row is wrong. After other errors, such as of the credential, the next rows would fail as well.
 *
 * @param {unknown} error
 * @returns {error is Error}
 */
const isOfRow = (error) => error instanceof RowError || error instanceof ValidationFailedError || error instanceof AlreadyExistsError;

/** @param {Error} error */
function reasonOf(error) {
  const errors = error instanceof ClaimsError ? error.errors : [];
  return errors.length > 0 ? errors.map(({ field, message }) => `${field} ${message}`).join('; ') : error.message;
}

const [, , path] = process.argv;
if (path) await main(path);
else {
  console.error('Usage: node sync.js projects.csv');
  process.exitCode = 2;
}
