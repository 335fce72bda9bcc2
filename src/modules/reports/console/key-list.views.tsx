import { pathOf, type PageContext } from '../../../api/console/page-context.js';
import { Facts } from '../../../api/console/parts/facts.js';
import { ConsoleForm } from '../../../api/console/parts/fields.js';
import { count } from '../../../api/console/say.js';
import type { KeyList } from '../../statements/index.js';
import type { ClaimReport } from '../report.entity.js';

/** What a key list will have, before it is saved. */
export function KeyListView({ ctx, run, list: { entries, isCut } }: { ctx: PageContext; run: ClaimReport; list: KeyList }) {
  const named = entries.filter(({ name }) => name !== null).length;
  return (
    <>
      <p>
        A key list says which name each token of a person stands for. Give it only to somebody who may know, such as a tax office that asks.
      </p>
      <Facts
        facts={[
          ['People in the lines of the report', `${isCut ? 'More than ' : ''}${count(entries.length)}`],
          ['Names that were kept', count(named)],
        ]}
      />
      {named < entries.length ? <p class="hint">The others are of statements that arrived while your organization kept no names.</p> : null}
      <p>That you save it stands in the audit log.</p>
      <ConsoleForm ctx={ctx} submit="Save the key list (CSV)" cancel={pathOf(ctx, 'reports', run.id)} />
    </>
  );
}
