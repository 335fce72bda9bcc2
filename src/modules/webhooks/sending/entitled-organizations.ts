import { LRUCache } from 'lru-cache';
import type { Plans } from '../../../kernel/plans.js';
import type { Database, Statement } from '../../../store/database/database.js';
import { isDeliveredToSql } from '../endpoints/endpoint-rules.js';

/** How long an answer serves. An organization that loses its plan is sent nothing after this. */
const VALID_MS = 50;
/** With an older answer the next one is asked for, so that busy organizations need not wait for it. */
const FRESH_MS = 30;
const MAX_KNOWN = 10_000;

const entitledStatement = (plans: Plans): Statement => ({
  name: 'organizations.delivered_to',
  text: `SELECT wanted.id FROM unnest($1::uuid[]) AS wanted (id) WHERE ${isDeliveredToSql('wanted.id', plans)}`,
});

interface Known {
  isEntitled: boolean;
  /** When it was asked for, in the time of `performance`. */
  at: number;
  next?: Promise<boolean>;
}

/** Knows whether events are delivered to organizations now. One statement asks for all that are wanted in one turn of the event loop. */
export class EntitledOrganizations {
  private readonly known = new LRUCache<string, Known>({ max: MAX_KNOWN });
  private asking: { readonly wanted: Set<string>; readonly answer: Promise<{ entitled: Set<string>; at: number }> } | undefined;

  private readonly statement: Statement;

  constructor(
    private readonly database: Database,
    plans: Plans,
  ) {
    this.statement = entitledStatement(plans);
  }

  /** Without a promise if it is known. */
  has(organizationId: string): boolean | Promise<boolean> {
    let known = this.known.get(organizationId);
    if (!known) this.known.set(organizationId, (known = { isEntitled: false, at: -Infinity }));
    const age = performance.now() - known.at;
    if (age > FRESH_MS && !known.next) {
      known.next = this.ask(organizationId, known).finally(() => (known.next = undefined));
      // If it fails, whoever needs it asks again.
      known.next.catch(() => undefined);
    }
    return age <= VALID_MS ? known.isEntitled : known.next!;
  }

  private async ask(organizationId: string, known: Known): Promise<boolean> {
    this.asking ??= this.askTogether();
    this.asking.wanted.add(organizationId);
    const { entitled, at } = await this.asking.answer;
    return Object.assign(known, { isEntitled: entitled.has(organizationId), at }).isEntitled;
  }

  private askTogether() {
    const wanted = new Set<string>();
    const answer = new Promise(setImmediate).then(async () => {
      this.asking = undefined;
      // The statement may see an organization as it is when it begins.
      const at = performance.now();
      const rows = await this.database.rows<{ id: string }>(this.statement, [[...wanted]]);
      return { entitled: new Set(rows.map(({ id }) => id)), at };
    });
    return { wanted, answer };
  }
}
