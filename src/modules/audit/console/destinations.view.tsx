import { type FormState, pathOf, type PageContext } from '../../../api/console/page.js';
import { ActionButton, Confirm, Time } from '../../../api/console/parts/facts.js';
import { ConsoleForm, SelectField, TextField } from '../../../api/console/parts/fields.js';
import { Table } from '../../../api/console/parts/list.js';
import { count, say } from '../../../api/console/say.js';
import { DESTINATION_KINDS } from '../stream/destination.entity.js';
import type { ListedDestination } from '../stream/destinations.repository.js';

/** Where the log is sent to, how far each has come, and the form for another one. */
export const DestinationList = ({ ctx, state, found }: { ctx: PageContext; state: FormState; found: readonly ListedDestination[] }) => (
  <>
    <p>{say('console.audit.destinations.about')}</p>
    <Table
      caption={say('console.audit.destinations.title')}
      rows={found}
      empty={<p>{say('console.audit.destinations.none')}</p>}
      columns={[
        [say('console.audit.destinations.url'), ({ url }) => <code>{url}</code>],
        [say('console.audit.destinations.behind'), ({ behind }) => count(behind), 'number'],
        [say('console.audit.destinations.sent'), ({ sentAt }) => sentAt && <Time ctx={ctx} at={sentAt} />],
        [say('console.audit.destinations.failure'), ({ failure }) => failure && <code>{failure}</code>],
        [say('console.audit.destinations.since'), ({ failingSince }) => failingSince && <Time ctx={ctx} at={failingSince} />],
        [say('console.audit.destinations.change'), (one) => <Changes ctx={ctx} destination={one} />],
      ]}
    />
    <ConsoleForm ctx={ctx} state={state} action={pathOf(ctx, 'audit', 'destinations')} submit={say('console.audit.destinations.add')}>
      <SelectField
        state={state}
        name="kind"
        label={say('console.audit.destinations.kind')}
        choices={DESTINATION_KINDS.map((kind) => [kind, say(`console.audit.destinations.kinds.${kind}`)])}
      />
      <TextField state={state} name="url" label={say('console.audit.destinations.url')} placeholder="https://" required />
      <TextField
        state={state}
        name="name"
        label={say('console.audit.destinations.name')}
        hint={say('console.audit.destinations.nameHint')}
        required
      />
      <TextField state={state} name="secret" label={say('console.audit.destinations.secret')} type="password" required />
      <TextField state={state} name="region" label={say('console.audit.destinations.region')} placeholder="eu-central-1" />
    </ConsoleForm>
  </>
);

const Changes = ({ ctx, destination: { id } }: { ctx: PageContext; destination: ListedDestination }) => (
  <>
    <ActionButton ctx={ctx} action={pathOf(ctx, 'audit', 'destinations', 'try')} label={say('console.audit.destinations.try')}>
      <input type="hidden" name="destination" value={id} />
    </ActionButton>
    <Confirm
      ctx={ctx}
      action={pathOf(ctx, 'audit', 'destinations', 'remove')}
      label={say('console.audit.destinations.remove')}
      question={say('console.audit.destinations.removeQuestion')}
      submit={say('console.audit.destinations.remove')}
    >
      <input type="hidden" name="destination" value={id} />
    </Confirm>
  </>
);
