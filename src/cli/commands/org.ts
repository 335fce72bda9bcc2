import type { Command } from 'commander';
import type { ConnectionRule } from '../../modules/oauth/index.js';
import { OPERATOR } from '../../kernel/context.js';
import { PLANS, type Plan } from '../../kernel/plans.js';
import { oneOf, parsePlan, print, withJson } from '../options.js';
import { withServices } from '../command-context.js';
import { addOrgCounterparties } from './org-counterparties.js';
import { addOrgErase } from './org-erase.js';
import { addOrgExport } from './org-export.js';

// Listed here again because importing them from the module would load the application for a command's help.
const CONNECTION_RULES: readonly ConnectionRule[] = ['all', 'listed', 'none'];

const PLAN_CHOICES = `${PLANS.join(', ')}, or one that the setting PLANS adds`;

interface Shown {
  id: string;
  slug: string;
  name: string;
  plan: Plan;
  status: 'active' | 'suspended';
}

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
  json?: boolean;
}

const line = ({ id, slug, plan, status, name }: Shown): string =>
  `${id}  ${slug.padEnd(20)} ${plan.padEnd(10)} ${status.padEnd(9)} ${name}`;

export function addOrg(program: Command): void {
  const org = program.command('org').description('Organizations: create, change, list, export, erase; their counterparties.');

  withJson(org.command('create').description('Create an organization.'))
    .requiredOption('--name <name>', 'name of the organization')
    .option('--plan <plan>', PLAN_CHOICES, parsePlan, 'starter')
    .option('--slug <slug>', 'short name; default: made from the name')
    .action(async (options: { name: string; plan: Plan; slug?: string; json?: boolean }) => {
      const made = await withServices(({ newOrganizations }) => newOrganizations.create(OPERATOR, options));
      print(options, made, [line(made)]);
    });

  addSet(org);

  withJson(org.command('list').description('List the organizations.')).action(async (options: { json?: boolean }) => {
    const all = await withServices(({ organizations }) => organizations.all());
    print(options, all, all.map(line));
  });
  addOrgCounterparties(org);
  addOrgExport(org);
  addOrgErase(org);
}

function addSet(org: Command): void {
  withJson(org.command('set <org>').description('Change an organization (id or slug). It takes effect everywhere within a second.'))
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
    .option('--passwords <on>', 'on: users sign in with passwords again, where owners have switched them off', oneOf(['on']))
    .action(async (named: string, options: Changed) => {
      const changed = await withServices(async ({ organizations, connectionRules, identityProviders }) => {
        const { id } = await organizations.named(named);
        const { name, plan, status, country, timeZone, billingAnchor, redactCounterparties: wanted, applications } = options;
        if (applications) await connectionRules.setRule(OPERATOR, id, applications);
        if (options.passwords) await identityProviders.switchPasswordsOn(OPERATOR, id);
        return organizations.change(OPERATOR, id, {
          name,
          plan,
          status,
          country: country === 'none' ? null : country,
          timeZone,
          billingCycleAnchor: billingAnchor,
          redactCounterparties: wanted === undefined ? undefined : wanted === 'on',
        });
      });
      print(options, changed, [line(changed)]);
    });
}
