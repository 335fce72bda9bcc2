import { type FormState, pathOf, type PageContext } from '../../../api/console/page.js';
import { Confirm, Time } from '../../../api/console/parts/facts.js';
import { ConsoleForm, TextField } from '../../../api/console/parts/fields.js';
import { Table } from '../../../api/console/parts/list.js';
import { count, say } from '../../../api/console/say.js';
import type { AuditWitness } from '../tree/witness.entity.js';

/** Who else signs the checkpoints of the log, and the form for another one. */
export const WitnessList = ({ ctx, state, found }: { ctx: PageContext; state: FormState; found: readonly AuditWitness[] }) => (
  <>
    <p>{say('console.audit.witnesses.about')}</p>
    <Table
      caption={say('console.audit.witnesses.title')}
      rows={found}
      empty={<p>{say('console.audit.witnesses.none')}</p>}
      columns={[
        [say('console.audit.witnesses.name'), ({ verifierKey }) => verifierKey.split('+')[0]!],
        [say('console.audit.witnesses.url'), ({ url }) => <code>{url}</code>],
        [say('console.audit.witnesses.signed'), ({ size }) => count(size), 'number'],
        [say('console.audit.when'), ({ cosignedAt }) => cosignedAt && <Time ctx={ctx} at={cosignedAt} />],
        [say('console.audit.witnesses.failure'), ({ failure }) => failure && <code>{failure}</code>],
        [
          say('console.audit.witnesses.remove'),
          ({ verifierKey }) => (
            <Confirm
              ctx={ctx}
              action={pathOf(ctx, 'audit', 'witnesses', 'remove')}
              label={say('console.audit.witnesses.remove')}
              question={say('console.audit.witnesses.removeQuestion')}
              submit={say('console.audit.witnesses.remove')}
            >
              <input type="hidden" name="witness" value={verifierKey} />
            </Confirm>
          ),
        ],
      ]}
    />
    <ConsoleForm ctx={ctx} state={state} action={pathOf(ctx, 'audit', 'witnesses')} submit={say('console.audit.witnesses.add')}>
      <TextField
        state={state}
        name="witness"
        label={say('console.audit.witnesses.key')}
        hint={say('console.audit.witnesses.keyHint')}
        required
      />
      <TextField state={state} name="url" label={say('console.audit.witnesses.url')} placeholder="https://" required />
    </ConsoleForm>
  </>
);
