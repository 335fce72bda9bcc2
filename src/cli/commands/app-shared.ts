import type { Command } from 'commander';
import { OPERATOR } from '../../kernel/context.js';
import { print, withJson } from '../options.js';
import { withServices } from '../command-context.js';

interface Shared {
  readonly clientId: string;
  readonly name: string;
  readonly redirectUris: readonly string[];
}

const line = ({ clientId, name }: Shared): string => `${clientId}  ${name}`;
const shown = ({ clientId, name, redirectUris }: Shared) => ({ clientId, name, redirectUris });

/** Applications that every organization can connect, and what an organization allows of them. */
export function addShared(app: Command): void {
  addListed(app);
  addDecisions(app);
}

function addListed(app: Command): void {
  withJson(app.command('create-shared').description('Create a public application that every organization can connect. You vouch for it.'))
    .requiredOption('--name <name>', 'name that users see')
    .requiredOption('--redirect-uri <uri>', 'redirect URI; can be repeated', (uri: string, uris: string[] = []) => [...uris, uri])
    .action(async (options: { name: string; redirectUri: string[]; json?: boolean }) => {
      const made = await withServices(({ registrations }) => registrations.list(options.name, options.redirectUri));
      print(options, shown(made), [line(made)]);
    });

  withJson(app.command('list-shared').description('List the applications that you created for every organization.')).action(
    async (options: { json?: boolean }) => {
      const rows = await withServices(({ registrations }) => registrations.listed());
      print(options, rows.map(shown), rows.map(line));
    },
  );

  withJson(app.command('remove-shared <client>').description('Remove one of them. Nobody can connect it or refresh its tokens.')).action(
    async (clientId: string, options: { json?: boolean }) => {
      const removed = await withServices(({ registrations }) => registrations.remove(clientId));
      print(options, shown(removed), [line(removed)]);
    },
  );
}

function addDecisions(app: Command): void {
  for (const [name, isAllowed, about] of [
    ['allow', true, 'Let the users of an organization connect an application, by its client id.'],
    ['deny', false, 'Block an application in an organization, by its client id. Its tokens end within a second.'],
  ] as const) {
    withJson(app.command(`${name} <client>`).description(about))
      .requiredOption('--org <org>', 'organization: id or slug')
      .action(async (clientId: string, options: { org: string; json?: boolean }) => {
        await withServices(async ({ connectionRules, organizations }) => {
          const { id } = await organizations.named(options.org);
          await connectionRules.decide(OPERATOR, id, clientId, isAllowed);
        });
        print(options, { clientId, isAllowed }, [`${clientId}  ${isAllowed ? 'allowed' : 'denied'}`]);
      });
  }

  withJson(app.command('decisions').description('Show the rule of an organization, and the applications that it allows or denies.'))
    .requiredOption('--org <org>', 'organization: id or slug')
    .action(async (options: { org: string; json?: boolean }) => {
      const { rule, decisions } = await withServices(async ({ connectionRules, organizations }) =>
        connectionRules.ofOrganization((await organizations.named(options.org)).id),
      );
      const decided = decisions.map(({ clientId, isAllowed }) => ({ clientId, isAllowed }));
      const lines = decided.map(({ clientId, isAllowed }) => `${clientId}  ${isAllowed ? 'allowed' : 'denied'}`);
      print(options, { rule, decisions: decided }, [`rule: ${rule}`, ...lines]);
    });
}
