import { expect } from 'vitest';
import { makePerishables, type World } from '../fuzz/world.js';
import type { Canaries } from './canaries.js';
import { Client } from './client.js';
import { eventually } from './eventually.js';
import { importStatement } from './statements.js';

/** The secrets that the service has issued, and those of people. */
export async function keepSecrets(world: World, canaries: Canaries): Promise<void> {
  for (const [name, key] of Object.entries(world.keys)) canaries.keep(`API key: ${name}`, key);
  canaries.keep('access token', world.accessToken);
  const made = await makePerishables(world);
  canaries.keep('client secret', made.partner.application.clientSecret);
  canaries.keep('password', made.partner.user.password);
  canaries.keep('authorization code', made.code);
  canaries.keep('access token of the application', made.accessToken);
  canaries.keep('refresh token', made.refreshToken);
  canaries.keep('invitation', made.invitation);
  for (const { cookies, csrf } of made.pages) {
    canaries.keep('csrf of an authorization', csrf);
    for (const cookie of cookies.split('; ')) {
      const [name = '', value = ''] = cookie.split('=');
      canaries.keep(`cookie ${name}`, value);
    }
  }
  // They are used, so that they pass everything that a log may be written in.
  await fetch(new URL(`/invitations/${made.invitation}`, world.url)).then((answer) => answer.text());
}

/** A file with a canary in its name, its lines and its columns, which a worker reads, redacts and reports on. */
export async function keepStatement(world: World, canaries: Canaries, organizationId: string): Promise<void> {
  const line = (name: string): string => canaries.content(`${name} of a statement`);
  const file = `Date,Description,Amount,Counterparty\n2026-01-05,${line('description')},-89.90,${line('counterparty')}\n`;
  const { id } = await importStatement(world.app, organizationId, { file, fileName: `${line('file name')}.csv` });
  const api = new Client(world.url, world.key);
  await eventually(async () => {
    const { body } = await api.get(`/v1/bank-statements/${id}`);
    expect((body as { redactionStatus: string }).redactionStatus).toBe('succeeded');
  }, 60_000);
}
