import { createHash } from 'node:crypto';
import {
  Accounts,
  InvitationsService,
  SignInService,
  UsersService,
  type SignIn,
  type SignInRequest,
  type UserFacts,
} from '../../src/modules/users/index.js';
import { totpCode } from '../../tools/one-time-codes/index.js';
import type { Changes } from '../../src/kernel/changes.js';
import { OPERATOR } from '../../src/kernel/context.js';
import type { UserRole } from '../../src/kernel/roles.js';
import { newId } from '../../src/kernel/ids.js';
import type { TestApp } from './app.js';
import { rowsOf } from './database.js';

export const PASSWORD = 'correct horse battery staple';
export const REQUEST_ID = 'a-request';

export const usersOf = ({ app }: TestApp): UsersService => app.get(UsersService);

export const accountsOf = ({ app }: TestApp): Accounts => app.get(Accounts);

export const anEmail = (): string => `jane-${newId()}@accountants.example`;

export function aUser(
  app: TestApp,
  organizationId: string,
  wanted: { email?: string; name?: string; role?: UserRole } = {},
): Promise<UserFacts> {
  return usersOf(app).create(OPERATOR, { organizationId, email: anEmail(), role: 'member', password: PASSWORD, ...wanted });
}

export async function anInvitation(
  { app }: TestApp,
  organizationId: string,
  wanted: { email?: string; name?: string; role?: UserRole } = {},
) {
  const invitation = await app.get(InvitationsService).invite(OPERATOR, { organizationId, email: anEmail(), role: 'member', ...wanted });
  const { pathname } = new URL(invitation.link);
  return { ...invitation, path: pathname, token: pathname.slice('/invitations/'.length) };
}

/** A new IP address, because failures are limited by address. */
export function anAddress(): string {
  const digest = createHash('sha256').update(newId()).digest();
  return `10.${digest[0]}.${digest[1]}.${digest[2]}`;
}

/** Signs in with the right password from a new address. `wanted` overrides this. */
export function signIn(
  { app }: TestApp,
  user: { organizationId: string; email: string },
  wanted: Partial<SignInRequest> = {},
): Promise<SignIn> {
  const { organizationId, email } = user;
  return app
    .get(SignInService)
    .signIn({ organizationId, email, password: PASSWORD, address: anAddress(), requestId: REQUEST_ID, ...wanted });
}

/** The code that an authenticator app shows for a secret at a time. */
export function codeAt(secret: string, time: Date): string {
  const bits = [...secret].map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0')).join('');
  const bytes = Buffer.from(bits.match(/.{8}/g)!.map((byte) => parseInt(byte, 2)));
  return totpCode(bytes, Math.floor(time.getTime() / 30_000));
}

export interface Entry {
  readonly action: string;
  readonly environment: string | null;
  readonly actor: string;
  readonly resource: string;
  readonly ip_address: string | null;
  readonly request_id: string | null;
  readonly changes: Changes;
}

const ENTRY = `action, environment, concat_ws(' ', actor_type, actor_id, actor_name) AS actor,
  concat_ws(' ', resource_type, resource_id) AS resource, ip_address, request_id, changes`;

/** The audit entries about users of an organization, oldest first: sealed and unsealed, because a worker may seal entries during a test. */
export function entriesOf({ databaseUrl }: TestApp, organizationId: string, of = 'user'): Promise<Entry[]> {
  const found = (table: string, place: string): string =>
    `SELECT ${ENTRY}, ${place} FROM ${table} WHERE organization_id = $1 AND action LIKE $2`;
  return rowsOf<Entry>(
    databaseUrl,
    `SELECT action, environment, actor, resource, ip_address, request_id, changes FROM (
       ${found('audit_events', '0 AS is_new, sequence AS place')} UNION ALL ${found('audit_entries', '1, ordinal')}
     ) log ORDER BY is_new, place`,
    [organizationId, `${of}.%`],
  );
}

export const actionsOf = async (app: TestApp, organizationId: string): Promise<string[]> =>
  (await entriesOf(app, organizationId)).map(({ action }) => action);
