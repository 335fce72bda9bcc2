import { afterAll, describe, expect, it } from 'vitest';
import { verifyChain } from '../../src/modules/audit/index.js';
import { auditPage, auditPages, afterCursor, rowsOfPages } from '../support/audit.js';
import { aKey, aTenant } from '../support/builders.js';
import { Client } from '../support/client.js';
import { sendCall, validCall } from '../support/law-call.js';
import { auditOf, type AuditFound } from '../support/law-database.js';
import { environmentsOf, named, startDocumentedApp, writesOf } from '../support/documented-app.js';

const app = await startDocumentedApp();
afterAll(() => app.close());

/** An unsealed audit entry in the form that the audit log API returns. */
const asExported = (entry: AuditFound) => ({
  environment: entry.environment,
  actor: { type: entry.actor_type, id: entry.actor_id, name: entry.actor_name },
  action: entry.action,
  resource: { type: entry.resource_type, id: entry.resource_id },
  ipAddress: entry.ip_address,
  requestId: entry.request_id,
  changes: entry.changes,
});

describe.each(named(writesOf(app)))('%s', (_id, operation) => {
  it.each(environmentsOf(operation))(
    'in %s: becomes the next audit event with the content of its entry, and the hash chain stays valid',
    async (environment) => {
      const { organization, key } = await aTenant(app, { environment });
      const reader = new Client(app.url, (await aKey(app, organization.id, { environment: 'live' })).key);
      const call = await validCall(app, operation, key);
      const before = await auditPages(reader, { limit: 500 });
      expect(await auditOf(app, organization.id)).toEqual([]);
      const answer = await sendCall(app, call, key);
      expect(answer.status).toBe(operation.status);
      const written = await auditOf(app, organization.id);
      const { data, hasMore } = await auditPage(reader, afterCursor(before.at(-1)!.nextCursor));
      expect([data.length, hasMore]).toEqual([1, false]);
      expect(data).toMatchObject(written.map(asExported));
      // toMatchObject alone would accept changes that the entry does not have.
      expect(data[0]!.changes).toEqual(written[0]!.changes);
      const rows = [...rowsOfPages(before), ...data];
      expect(verifyChain(rows)).toMatchObject({ rows: rows.length, fault: null });
      const seen = await auditPage(new Client(app.url, key), { action_prefix: data[0]!.action });
      expect(seen.data).toContainEqual(data[0]);
    },
  );
});
