import type { Database, Statement } from '../../../store/database/database.js';
import { isDeliveredToSql } from '../endpoints/endpoint-rules.js';

/** How long an answer serves. An organization that loses its plan is sent nothing after this. */
const VALID_MS = 50;

const ENTITLED: Statement = {
  name: 'organizations.delivered_to',
  text: `SELECT wanted.id FROM unnest($1::uuid[]) AS wanted (id) WHERE ${isDeliveredToSql('wanted.id')}`,
};

/** Asks whether events are delivered to organizations now: for all that are asked for in one turn of the event loop with one statement. */
export class EntitledOrganizations {
  private asking: { readonly wanted: Set<string>; readonly answer: Promise<ReadonlySet<string>> } | undefined;
  private known = new Map<string, { readonly isEntitled: boolean; readonly until: number }>();

  constructor(private readonly database: Database) {}

  async has(organizationId: string): Promise<boolean> {
    const known = this.known.get(organizationId);
    if (known && performance.now() < known.until) return known.isEntitled;
    this.asking ??= this.ask();
    this.asking.wanted.add(organizationId);
    return (await this.asking.answer).has(organizationId);
  }

  private ask() {
    const wanted = new Set<string>();
    const answer = new Promise(setImmediate).then(async () => {
      this.asking = undefined;
      // Not from the end of the statement: it may have seen the organization as it was when it began.
      const until = performance.now() + VALID_MS;
      const rows = await this.database.rows<{ id: string }>(ENTITLED, [[...wanted]]);
      const entitled = new Set(rows.map(({ id }) => id));
      for (const [id, { until: end }] of this.known) if (end < performance.now()) this.known.delete(id);
      for (const id of wanted) this.known.set(id, { isEntitled: entitled.has(id), until });
      return entitled;
    });
    return { wanted, answer };
  }
}
