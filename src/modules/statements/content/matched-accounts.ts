import { Injectable } from '@nestjs/common';
import type { Tenant } from '../../../kernel/context.js';
import type { BankStatement } from '../statement.entity.js';
import { LinesRepository, type AccountMatch } from './lines.repository.js';

/** Fewer equal days and amounts may be chance. */
const FEWEST_LINES = 5;
/** Some lines of the last day may be missing in the earlier file. */
const SHARE = 0.9;

@Injectable()
export class MatchedAccounts {
  constructor(private readonly lines: LinesRepository) {}

  /** By statement: the account that has the same days and amounts, if there is only one such. */
  async find(tenant: Tenant, statements: readonly BankStatement[]): Promise<ReadonlyMap<string, string>> {
    const unnamed = statements.filter(({ balances = [] }) => balances.every(({ account }) => account === null)).map(({ id }) => id);
    if (unnamed.length === 0) return new Map();
    const written = await this.lines.writtenAccounts(tenant, unnamed);
    const found = new Map(written.map(({ statementId, account }) => [statementId, account]));
    const open = unnamed.filter((id) => !found.has(id));
    const named = statements.map(({ id }) => id).filter((id) => !open.includes(id));
    if (open.length === 0 || named.length === 0) return found;
    const matches = (await this.lines.accountMatches(tenant, open, named)).filter(isConvincing);
    const keys = keysOf(statements);
    for (const id of open) {
      const tokens = matches.filter(({ statementId }) => statementId === id).map(({ account }) => account);
      if (new Set(tokens.map((token) => keys.get(token) ?? token)).size === 1) found.set(id, tokens[0]!);
    }
    return found;
  }
}

/** Files write an account in several ways: the tokens with the same key are one account. */
function keysOf(statements: readonly BankStatement[]): ReadonlyMap<string, string> {
  const all = statements.flatMap(({ balances = [] }) => balances);
  return new Map(all.flatMap(({ account, key }) => (account !== null && key ? [[account, key] as const] : [])));
}

const isConvincing = ({ lines, matched }: AccountMatch): boolean => matched >= FEWEST_LINES && matched >= lines * SHARE;
