/**
 * Verifies the audit log of every organization with `claims audit verify`, and prints the head and a signed checkpoint of each: either,
 * kept elsewhere, proves later that no row up to it was changed or removed. Ends with 1 if a log is not as it was sealed, or could not be
 * read, after all have been looked at.
 *
 *   node verify-audit-logs.mjs [--some]
 *
 * It runs in the folder of the program, with its settings. With --some, no organization at all is a failure, too: an empty backup.
 */
import { execFile } from 'node:child_process';

/** Names of organizations and of tables are short; this is for a list of all organizations. */
const MAX_OUTPUT = 2 ** 28;

const claims = (...args) =>
  new Promise((resolve) => {
    execFile(process.execPath, ['bin/claims.js', ...args, '--json'], { maxBuffer: MAX_OUTPUT }, (error, stdout, stderr) =>
      resolve({ ok: error === null, stdout, stderr: stderr.trim() || (error?.message ?? '') }),
    );
  });

const listed = await claims('org', 'list');
if (!listed.ok) {
  console.error(`The organizations cannot be listed: ${listed.stderr}`);
  process.exit(1);
}
const organizations = JSON.parse(listed.stdout);
let bad = 0;
for (const { id, slug } of organizations) {
  const { ok, stdout, stderr } = await claims('audit', 'verify', '--org', id);
  const verified = stdout === '' ? undefined : JSON.parse(stdout);
  const head = verified ? `${verified.head.sequence}:${verified.head.hash}` : '-';
  console.log(`${ok ? 'ok ' : 'BAD'} ${id} ${slug} head ${head}`);
  if (ok) continue;
  bad += 1;
  console.error(`${slug}: ${verified?.fault?.message ?? stderr}`);
}
console.log(`${organizations.length} audit logs, ${bad} bad`);
if (organizations.length === 0 && process.argv.includes('--some')) {
  console.error('There is no organization.');
  bad += 1;
} else if (!process.argv.includes('--some')) {
  // What was just verified, signed: a line for each, for where the log of this job is kept. A copy of the database signs nothing.
  const { ok, stdout, stderr } = await claims('audit', 'checkpoint', '--all');
  if (ok) for (const checkpoint of JSON.parse(stdout)) console.log(`checkpoint ${JSON.stringify(checkpoint)}`);
  else console.error(`No checkpoints: ${stderr}`);
  if (!ok) bad += 1;
}
process.exitCode = bad === 0 ? 0 : 1;
