import { pathOf, type PageContext } from '../../../api/console/page-context.js';
import { Facts } from '../../../api/console/parts/facts.js';
import { ConsoleForm } from '../../../api/console/parts/fields.js';
import { count, say } from '../../../api/console/say.js';
import type { KeyList } from '../../statements/index.js';
import type { ClaimReport } from '../report.entity.js';

/** What a key list will have, before it is saved. */
export function KeyListView({ ctx, run, list: { entries, isCut } }: { ctx: PageContext; run: ClaimReport; list: KeyList }) {
  const named = entries.filter(({ name }) => name !== null).length;
  const people = isCut ? say('console.reports.keys.moreThan', { count: entries.length }) : count(entries.length);
  return (
    <>
      <p>{say('console.reports.keys.about')}</p>
      <Facts
        facts={[
          [say('console.reports.keys.people'), people],
          [say('console.reports.keys.kept'), count(named)],
        ]}
      />
      {named < entries.length ? <p class="hint">{say('console.reports.keys.others')}</p> : null}
      <p>{say('console.reports.keys.audited')}</p>
      <ConsoleForm ctx={ctx} submit={say('console.reports.keys.save')} cancel={pathOf(ctx, 'reports', run.id)} />
    </>
  );
}
