import type { Command } from 'commander';
import { pick } from '../../kernel/changes.js';
import type { Environment } from '../../kernel/context.js';
import { type Plan, PLANS } from '../../kernel/plans.js';
import type { ConnectionRule } from '../../modules/oauth/index.js';
import type { OrganizationDto } from '../../modules/organization/index.js';
import type { ErasureProof } from '../../modules/organization-data/index.js';
import type { CounterpartyDecision } from '../../modules/statements/index.js';
import { columns, confirmErasing, inEnvironments, inOneOrBoth, jsonCommand, type JsonOption, oneOf } from '../command.js';
import { operator, organizationCommand, type OrgOption, parsePlan, print, printList, withOrganization, withServices } from '../command.js';
import { addOrgMove } from './org-move.js';
import { writeWholeFile } from '../write-whole-file.js';

interface Chosen extends OrgOption {
  environment?: Environment;
  as?: CounterpartyDecision['decidedAs'];
}

function addOrgCounterparties(org: Command): void {
  const counterparties = org
    .command('counterparties')
    .description('Say which counterparties of bank statements are companies or people, for statements that are redacted later.');

  chosen(counterparties, 'add <name>', 'Say what a counterparty is: by its name, or by its token in redacted lines.')
    .requiredOption('--as <kind>', 'company: its name stays readable; person: it is replaced by a token', oneOf(['company', 'person']))
    .action((name: string, options: Chosen) =>
      show(options, (tenant, { counterpartyDecisions }) => counterpartyDecisions.decide(operator(), tenant, name, options.as!)),
    );

  chosen(counterparties, 'remove <name>', 'Remove a decision. Later statements are redacted as if there had been none.').action(
    (name: string, options: Chosen) =>
      show(options, (tenant, { counterpartyDecisions }) => counterpartyDecisions.remove(operator(), tenant, name)),
  );

  chosen(counterparties, 'list', 'List the decisions, without the names.').action((options: Chosen) =>
    show(options, (tenant, { counterpartyDecisions }) => counterpartyDecisions.list(tenant)),
  );
}

const chosen = (parent: Command, name: string, about: string): Command => inOneOrBoth(organizationCommand(parent, name, about));

/** The name of a counterparty is in no output: it is not stored. */
async function show(options: Chosen, of: Parameters<typeof inEnvironments<CounterpartyDecision>>[1]): Promise<void> {
  const all = (await inEnvironments(options, of)).map((one) => pick(one, ['environment', 'digest', 'decidedAs', 'decidedAt']));
  const lineOf = ({ environment, digest, decidedAs, decidedAt }: (typeof all)[number]): string =>
    `${environment.padEnd(4)}  ${digest}  ${decidedAs.padEnd(7)}  ${decidedAt}`;
  print(options, all, all.map(lineOf));
}

// Listed here again because importing them from the module would load the application for a command's help.
const CONNECTION_RULES: readonly ConnectionRule[] = ['all', 'listed', 'none'];
const PLAN_CHOICES = `${PLANS.join(', ')}, or one that the setting PLANS adds`;

type Shown = Pick<OrganizationDto, 'id' | 'slug' | 'name' | 'plan' | 'status'>;

interface Changed {
  name?: string;
  plan?: Plan;
  status?: 'active' | 'suspended';
  redactCounterparties?: 'on' | 'off';
  country?: string;
  timeZone?: string;
  billingAnchor?: string;
  applications?: ConnectionRule;
  passwords?: 'on';
  forgetting?: 'on';
  json?: boolean;
}

const line = ({ id, slug, plan, status, name }: Shown): string =>
  `${id}  ${slug.padEnd(20)} ${plan.padEnd(10)} ${status.padEnd(9)} ${name}`;

export function addOrg(program: Command): void {
  const org = program.command('org').description('Organizations: create, change, list, export, move, erase; their counterparties.');

  jsonCommand(org, 'create', 'Create an organization.')
    .requiredOption('--name <name>', 'name of the organization')
    .option('--plan <plan>', PLAN_CHOICES, parsePlan, 'starter')
    .option('--slug <slug>', 'short name; default: made from the name')
    .action(async (options: { name: string; plan: Plan; slug?: string; json?: boolean }) => {
      const made = await withServices(({ newOrganizations }) => newOrganizations.create(operator(), options));
      print(options, made, [line(made)]);
    });

  addSet(org);

  jsonCommand(org, 'list', 'List the organizations.').action(async (options: JsonOption) => {
    const all = await withServices(({ organizations }) => organizations.all());
    printList(options, all, all, columns('id', 'slug', 'plan', 'status', 'name'));
  });
  addOrgCounterparties(org);
  addOrgExport(org);
  addOrgErase(org);
  addOrgMove(org);
}

function addSet(org: Command): void {
  jsonCommand(org, 'set <org>', 'Change an organization (id or slug). It takes effect everywhere within a second.')
    .option('--name <name>', 'name of the organization')
    .option('--plan <plan>', PLAN_CHOICES, parsePlan)
    .option('--status <status>', 'active or suspended', oneOf(['active', 'suspended']))
    .option('--country <code>', 'country of two letters (ISO 3166-1), or none')
    .option('--time-zone <name>', 'time zone (IANA), such as Europe/Berlin')
    .option('--billing-anchor <date>', 'billing periods start on the day of the month of this date')
    .option(
      '--redact-counterparties <on|off>',
      'on: counterparties of statements are tokens unless recognised as organisations; off: only if recognised as people',
      oneOf(['on', 'off']),
    )
    .option(
      '--applications <rule>',
      'which applications that serve every organization its users may connect: all, listed (those allowed by claims app allow, an owner ' +
        'or an admin), or none',
      oneOf(CONNECTION_RULES),
    )
    .option('--forgetting <on>', 'on: the audit log is such that people can be erased, from now on and for good', oneOf(['on']))
    .option('--passwords <on>', 'on: users sign in with passwords again, where owners have switched them off', oneOf(['on']))
    .action(async (named: string, options: Changed) => {
      const changed = await withOrganization(named, async (id, { organizations, connectionRules, identityProviders }) => {
        const { name, plan, status, country, timeZone, billingAnchor, redactCounterparties: wanted, applications } = options;
        if (applications) await connectionRules.setRule(operator(), id, applications);
        if (options.passwords) await identityProviders.switchPasswordsOn(operator(), id);
        return organizations.change(operator(), id, {
          name,
          plan,
          status,
          country: country === 'none' ? null : country,
          timeZone,
          billingCycleAnchor: billingAnchor,
          redactCounterparties: wanted === undefined ? undefined : wanted === 'on',
          forgetsPeople: options.forgetting && true,
        });
      });
      print(options, changed, [line(changed)]);
    });
}

function addOrgErase(org: Command): void {
  jsonCommand(org, 'erase <org>', 'Erase an organization with everything that it has, for good. Can be repeated.')
    .option('--confirm <id>', 'id, slug or name of the organization; without it, the command asks')
    .action(async (named: string, options: { confirm?: string; json?: boolean }) => {
      const proof = await withServices(async ({ erasures, organizations }) => {
        const found = await organizations.find(named);
        if (!found) return erasures.proof(named);
        const { id, slug, name } = found;
        const question = `This erases ${name} (${slug}, ${id}) for good. Type its id, slug or name to confirm: `;
        await confirmErasing([id, slug, name], options.confirm, question, 'is not the id, slug or name of this organization');
        return erasures.erase(operator(), id);
      });
      print(options, proof, linesOf(proof));
    });

  jsonCommand(org, 'erasures', 'List the organizations that were erased, or are being erased.').action(async (options: JsonOption) => {
    const proofs = await withServices(({ erasures }) => erasures.proofs());
    print(options, proofs, proofs.flatMap(linesOf));
  });
}

function linesOf({ organizationId, begunAt, finishedAt, actor, auditHead }: ErasureProof): string[] {
  const head = auditHead ? `  audit log ${auditHead.sequence}:${auditHead.hash}` : '';
  return [`${organizationId}  ${finishedAt ? `erased ${finishedAt}` : `being erased since ${begunAt}`} by ${actor}${head}`];
}

function addOrgExport(org: Command): void {
  jsonCommand(org, 'export <org>', 'Save everything that an organization has, except secrets, as lines of JSON.')
    .requiredOption('--out <file>', 'path to write the file to')
    .action(async (named: string, { out, json }: { out: string; json?: boolean }) => {
      const exported = await withOrganization(named, async (id, { exports }) => {
        return { id, file: out, bytes: await writeWholeFile(out, exports.export(operator(), id)) };
      });
      print({ json }, exported, [`${out}  ${exported.bytes} bytes`]);
    });
}
