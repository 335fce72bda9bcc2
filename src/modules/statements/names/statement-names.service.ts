import { Injectable } from '@nestjs/common';
import type { Tenant } from '../../../kernel/context.js';
import { Job } from '../../../store/jobs/job.decorator.js';
import { OrganizationService } from '../../organization/index.js';
import { CounterpartyDecisionsRepository } from '../content/statement-content.repository.js';
import { type DoubtfulName, MAX_TOKENS, StatementNamesRepository } from './statement-names.repository.js';

export type { DoubtfulName };

export interface KeyListEntry {
  readonly token: string;
  /** null if it was not kept. */
  readonly name: string | null;
  readonly lines: number;
}

export interface KeyList {
  readonly entries: readonly KeyListEntry[];
  /** Whether more people are in the lines than a list has. */
  readonly isCut: boolean;
}

/** The names behind tokens, for organizations that have chosen to keep them. Without that there are none, and none are found. */
@Injectable()
export class StatementNamesService {
  constructor(
    private readonly names: StatementNamesRepository,
    private readonly organizations: OrganizationService,
    private readonly decisions: CounterpartyDecisionsRepository,
  ) {}

  async areKept({ organizationId }: Tenant): Promise<boolean> {
    return (await this.organizations.byId(organizationId)).keepNames;
  }

  async findDoubtful(tenant: Tenant): Promise<DoubtfulName[]> {
    if (!(await this.areKept(tenant))) return [];
    const decided = new Set((await this.decisions.list(tenant)).map(({ digest }) => digest));
    return (await this.names.doubtful(tenant)).filter(({ token }) => !decided.has(token));
  }

  async makeKeyList(tenant: Tenant, of: Parameters<StatementNamesRepository['people']>[1]): Promise<KeyList> {
    const people = await this.names.people(tenant, of);
    const listed = people.slice(0, MAX_TOKENS);
    const tokens = new Set(listed.map(({ token }) => token));
    const names = (await this.areKept(tenant)) ? await this.names.findNames(tenant, of.statementIds, tokens) : new Map<string, string>();
    return {
      entries: listed.map(({ token, lines }) => ({ token, name: names.get(token) ?? null, lines })),
      isCut: people.length > MAX_TOKENS,
    };
  }

  @Job({ id: 'statements.forget_names', summary: 'Removes the names of organizations that keep none any more.', everyMs: 60_000 })
  async forget(): Promise<void> {
    while ((await this.names.forget()) > 0);
  }
}
