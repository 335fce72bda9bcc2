import { formOf } from '../../../api/console/form.js';
import { pathOf, type PageContext } from '../../../api/console/page-context.js';
import { ActionButton, Confirm } from '../../../api/console/parts/facts.js';
import { OverlapField } from '../../../api/console/parts/overlap-field.js';
import type { Application } from '../applications/application.entity.js';
import { KeysField } from './application-form.js';

interface StepsProps {
  readonly ctx: PageContext;
  readonly application: Application;
  readonly now: Date;
}

/** What can be done with an application now. A connection is only suspended and approved: the rest is said by its application. */
export function ApplicationSteps({ ctx, application, now }: StepsProps) {
  const at = (...parts: string[]): string => pathOf(ctx, 'applications', application.id, ...parts);
  const { name, status, heldByOperator, sharedClientId, isPublic, publicKeys } = application;
  const isOwn = sharedClientId === null;
  return (
    <div class="steps">
      {isOwn ? (
        <a class="button" href={at('edit')}>
          Edit
        </a>
      ) : null}
      {status !== 'approved' && !heldByOperator ? <ActionButton ctx={ctx} action={at('approve')} label="Approve" /> : null}
      {isOwn && !isPublic && !publicKeys ? <Rotate ctx={ctx} application={application} now={now} /> : null}
      {isOwn && !isPublic ? <ReplaceKeys ctx={ctx} application={application} /> : null}
      {status === 'approved' ? (
        <Confirm
          ctx={ctx}
          action={at('suspend')}
          label="Suspend"
          question={`${name} gets no access, and its tokens stop working within a second. They work again once it is approved.`}
          submit="Suspend the application"
        />
      ) : null}
    </div>
  );
}

function Rotate({ ctx, application: { id, previousSecretExpiresAt }, now }: StepsProps) {
  const isOverlap = previousSecretExpiresAt !== null && Date.parse(previousSecretExpiresAt) > now.getTime();
  return (
    <Confirm
      ctx={ctx}
      action={pathOf(ctx, 'applications', id, 'rotate-secret')}
      label="Rotate the secret"
      question={
        <>
          You get a new secret. The present one works for as long as you choose here.
          {isOverlap ? <strong> The one before it, which still works, ends at once.</strong> : null}
        </>
      }
      submit="Make the new secret"
    >
      <OverlapField label="The old secret still works for" />
    </Confirm>
  );
}

function ReplaceKeys({ ctx, application: { id, publicKeys } }: Omit<StepsProps, 'now'>) {
  const [label, question, field, submit] = publicKeys
    ? [
        'Replace the keys',
        'The present keys stop working at once. For an overlap, give the old and the new key.',
        'Public keys',
        'Replace the keys',
      ]
    : ['Use a key', 'The key replaces the secret, which stops working at once.', 'Public key', 'Replace the secret by the key'];
  return (
    <Confirm ctx={ctx} action={pathOf(ctx, 'applications', id, 'keys')} label={label} question={question} submit={submit}>
      <KeysField state={formOf()} label={field} />
    </Confirm>
  );
}
