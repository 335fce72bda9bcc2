import { rowsOf } from './database.js';

/** Everything that the creation of a project leaves, by the project's name. */
const LEFT: Readonly<Record<string, string>> = {
  record: 'SELECT name FROM claim_projects WHERE organization_id = $1',
  event: `SELECT data->>'name' AS name FROM events WHERE organization_id = $1 AND kind = 'claim_project.created'`,
  'audit row': `SELECT changes->'name'->>'to' AS name
    FROM (SELECT organization_id, action, changes FROM audit_entries
      UNION ALL SELECT organization_id, action, changes FROM audit_events) log
    WHERE organization_id = $1 AND action = 'claim_project.created'`,
};
/** Of an organization with an endpoint. Further attempts are rows of their own. */
const DELIVERIES = `SELECT event.data->>'name' AS name FROM webhook_deliveries delivery
    JOIN events event ON event.id = delivery.event_id AND event.organization_id = delivery.organization_id
    WHERE delivery.organization_id = $1 AND delivery.attempt = 1`;
const HAS_ENDPOINT = 'SELECT 1 FROM webhook_endpoints WHERE organization_id = $1';

/** Each is a line that says what of which name. */
export interface Losses {
  /** What was acknowledged and is not there. */
  readonly lost: readonly string[];
  /** What is there more than once, or was never acknowledged. */
  readonly doubled: readonly string[];
}

/** Compares the projects whose creation was acknowledged with what a database has of their organization. */
export async function lossesOf(acknowledged: readonly string[], databaseUrl: string, organizationId: string): Promise<Losses> {
  const hasEndpoint = (await rowsOf(databaseUrl, HAS_ENDPOINT, [organizationId])).length > 0;
  const found: Losses[] = [];
  for (const [what, sql] of Object.entries({ ...LEFT, ...(hasEndpoint && { delivery: DELIVERIES }) })) {
    const rows = await rowsOf<{ name: string }>(databaseUrl, sql, [organizationId]);
    found.push(
      compared(
        what,
        acknowledged,
        rows.map(({ name }) => name),
      ),
    );
  }
  return { lost: found.flatMap(({ lost }) => lost), doubled: found.flatMap(({ doubled }) => doubled) };
}

export function compared(what: string, acknowledged: readonly string[], present: readonly string[]): Losses {
  const [wanted, there] = [new Set(acknowledged), new Set<string>()];
  const doubled: string[] = [];
  for (const name of present) {
    if (there.has(name) || !wanted.has(name)) doubled.push(`${what} ${name}`);
    there.add(name);
  }
  return { lost: acknowledged.filter((name) => !there.has(name)).map((name) => `${what} ${name}`), doubled };
}
