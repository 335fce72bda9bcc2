// @ts-check
import { createReadStream, existsSync } from 'node:fs';
import { open, readFile, rename, writeFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { AuditChainError, Claims, verifyAuditChain } from '@claims-api/client';

/** @typedef {import('@claims-api/client').AuditEvent} AuditEvent */
/** @typedef {import('node:fs/promises').FileHandle} FileHandle */

/** More than the longest line. */
const END_BYTES = 1024 * 1024;

/**
 * The last event of the file: where the export continues. Half a line, which a crash has left, is cut off.
 *
 * @param {FileHandle} file
 * @returns {Promise<AuditEvent | undefined>}
 */
async function lastEvent(file) {
  const { size } = await file.stat();
  const start = Math.max(0, size - END_BYTES);
  const end = Buffer.alloc(size - start);
  await file.read(end, 0, end.length, start);
  const whole = end.subarray(0, end.lastIndexOf('\n') + 1);
  if (start > 0 && whole.length === 0) throw new Error('The end of the file is no export.');
  await file.truncate(start + whole.length);
  const line = whole.toString().trimEnd().split('\n').at(-1);
  return line ? JSON.parse(line) : undefined;
}

/**
 * Adds the events that are new.
 *
 * @param {Claims} claims
 * @param {string} path
 */
async function appendNew(claims, path) {
  const file = await open(path, existsSync(path) ? 'r+' : 'w+');
  try {
    const last = await lastEvent(file);
    let { size: position } = await file.stat();
    let count = 0;
    const after = last && { cursorCreatedAt: last.createdAt, cursorId: last.id };
    for await (const event of claims.audit.export({ after: after ?? null })) {
      const { bytesWritten } = await file.write(`${JSON.stringify(event)}\n`, position);
      position += bytesWritten;
      count += 1;
    }
    await file.sync();
    return count;
  } finally {
    await file.close();
  }
}

/**
 * Checks the whole file against the head of the last time, and keeps its new one.
 *
 * @param {string} path
 * @param {string} headPath
 */
async function verify(path, headPath) {
  const known = existsSync(headPath) ? (await readFile(headPath, 'utf8')).trim() : undefined;
  const { sequence, hash } = await verifyAuditChain(createInterface({ input: createReadStream(path) }), known);
  // Renamed, because a crash must not leave half a head.
  await writeFile(`${headPath}.new`, `${sequence}:${hash}\n`);
  await rename(`${headPath}.new`, headPath);
  return `${sequence}:${hash}`;
}

const [, , path = 'events.jsonl', headPath = 'head.txt'] = process.argv;
const claims = new Claims({ apiKey: process.env.CLAIMS_API_KEY, baseUrl: process.env.CLAIMS_BASE_URL });
try {
  const count = await appendNew(claims, path);
  console.log(`${count} new events, unchanged up to ${await verify(path, headPath)}`);
} catch (error) {
  if (!(error instanceof AuditChainError)) throw error;
  console.error(`${path} is not the log as it was written: ${error.message}`);
  process.exitCode = 1;
}
