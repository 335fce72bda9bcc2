import { createInterface } from 'node:readline/promises';
import type { Command } from 'commander';
import type { ErasureProof } from '../../modules/organization-data/index.js';
import { OPERATOR } from '../../kernel/context.js';
import { StartError } from '../../kernel/start-error.js';
import { print, withJson } from '../options.js';
import { withServices } from '../command-context.js';

interface Named {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
}

export function addOrgErase(org: Command): void {
  withJson(org.command('erase <org>').description('Erase an organization with everything that it has, for good. Can be repeated.'))
    .option('--confirm <id>', 'id, slug or name of the organization; without it, the command asks')
    .action(async (named: string, options: { confirm?: string; json?: boolean }) => {
      const proof = await withServices(async ({ erasures }) => {
        const found = await erasures.find(named);
        if (!found) return erasures.proof(named);
        requireConfirmed(found, options.confirm ?? (await ask(found)));
        return erasures.erase(OPERATOR, found.id);
      });
      print(options, proof, linesOf(proof));
    });

  withJson(org.command('erasures').description('List the organizations that were erased, or are being erased.')).action(
    async (options: { json?: boolean }) => {
      const proofs = await withServices(({ erasures }) => erasures.proofs());
      print(options, proofs, proofs.flatMap(linesOf));
    },
  );
}

async function ask({ id, slug, name }: Named): Promise<string> {
  if (!process.stdin.isTTY) throw new StartError(`Erasing cannot be undone: confirm it with --confirm ${id}.`);
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await terminal.question(`This erases ${name} (${slug}, ${id}) for good. Type its id, slug or name to confirm: `);
  } finally {
    terminal.close();
  }
}

function requireConfirmed({ id, slug, name }: Named, confirmation: string): void {
  if (![id, slug, name].includes(confirmation.trim()))
    throw new StartError('Nothing was erased: the confirmation is not the id, slug or name of this organization.');
}

function linesOf({ organizationId, begunAt, finishedAt, actor, auditHead }: ErasureProof): string[] {
  const head = auditHead ? `  audit log ${auditHead.sequence}:${auditHead.hash}` : '';
  return [`${organizationId}  ${finishedAt ? `erased ${finishedAt}` : `being erased since ${begunAt}`} by ${actor}${head}`];
}
