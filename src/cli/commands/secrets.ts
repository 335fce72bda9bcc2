import type { Command } from 'commander';
import { jsonCommand, type JsonOption, print, withServices } from '../command.js';

export function addSecrets(program: Command): void {
  const secrets = program.command('secrets').description('Retire encryption keys.');

  jsonCommand(
    secrets,
    'reencrypt',
    'Encrypt all stored secrets under the first ENCRYPTION_KEY. Can be repeated. Exits with 1 if any is left under another key.',
  ).action(async (options: JsonOption) => {
    const columns = await withServices(({ reencryption }) => reencryption.run());
    const left = columns.reduce((sum, column) => sum + column.left, 0);
    const lines = columns.map(({ what, moved, left: rest, unreadable }) => {
      const why = unreadable > 0 ? `, ${unreadable} of them under a key that ENCRYPTION_KEY does not have` : '';
      return `${what.padEnd(34)}  moved ${moved}  left ${rest}${why}`;
    });
    const sum = left === 0 ? 'Everything is under the first key.' : `${left} are left: run this command again, with all keys set.`;
    print(options, { ok: left === 0, columns }, [...lines, sum]);
    if (left > 0) process.exitCode = 1;
  });
}
