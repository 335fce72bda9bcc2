import type { Command } from 'commander';
import type { ShownDecision } from '../../modules/statements/index.js';
import { ENVIRONMENTS, OPERATOR, type Environment, type Tenant } from '../../kernel/context.js';
import { withServices } from '../command-context.js';
import { oneOf, parseEnvironment, print, withJson } from '../options.js';
import type { Services } from '../open-services.js';

interface Chosen {
  org: string;
  environment?: Environment;
  as?: ShownDecision['decidedAs'];
  json?: boolean;
}

type Shown = ShownDecision & { readonly environment: Environment };

/** The name of a counterparty is in no output. */
const line = ({ environment, digest, decidedAs, decidedAt }: Shown): string =>
  `${environment.padEnd(4)}  ${digest}  ${decidedAs.padEnd(7)}  ${decidedAt}`;

export function addOrgCounterparties(org: Command): void {
  const counterparties = org
    .command('counterparties')
    .description('Say which counterparties of bank statements are companies or people, for statements that are redacted later.');

  chosen(counterparties.command('add <name>').description('Say what a counterparty is: by its name, or by its token in redacted lines.'))
    .requiredOption('--as <kind>', 'company: its name stays readable; person: it is replaced by a token', oneOf(['company', 'person']))
    .action((name: string, options: Chosen) =>
      show(options, (tenant, { counterpartyDecisions }) => counterpartyDecisions.decide(OPERATOR, tenant, name, options.as!)),
    );

  chosen(
    counterparties.command('remove <name>').description('Remove a decision. Later statements are redacted as if there had been none.'),
  ).action((name: string, options: Chosen) =>
    show(options, (tenant, { counterpartyDecisions }) => counterpartyDecisions.remove(OPERATOR, tenant, name)),
  );

  chosen(counterparties.command('list').description('List the decisions, without the names.')).action((options: Chosen) =>
    show(options, (tenant, { counterpartyDecisions }) => counterpartyDecisions.list(tenant)),
  );
}

const chosen = (command: Command): Command =>
  withJson(command)
    .requiredOption('--org <org>', 'organization: id or slug')
    .option('--environment <environment>', 'test or live; default: both', parseEnvironment);

type Found = ShownDecision | readonly ShownDecision[] | undefined;

/** Each environment has decisions of its own, as it has tokens of its own. */
async function show({ org, environment, json }: Chosen, of: (tenant: Tenant, services: Services) => Promise<Found>): Promise<void> {
  const all = await withServices(async (services) => {
    const { id: organizationId } = await services.organizations.named(org);
    const decisions: Shown[] = [];
    for (const one of environment ? [environment] : ENVIRONMENTS) {
      const found = (await of({ organizationId, environment: one }, services)) ?? [];
      decisions.push(...[found].flat().map((decision) => ({ environment: one, ...decision })));
    }
    return decisions;
  });
  print({ json }, all, all.map(line));
}
