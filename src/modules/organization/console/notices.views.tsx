import { formOf, type FormState } from '../../../api/console/form.js';
import { pathOf, type PageContext } from '../../../api/console/page-context.js';
import { CheckGroup, ConsoleForm, type Choice } from '../../../api/console/parts/fields.js';
import type { NoticeSetting } from '../notices/notice-settings.service.js';

type Settings = readonly NoticeSetting[];

/** Which mails the owners get, in a few words. */
export function noticesInWords(settings: Settings): string {
  const on = settings.filter(({ isOn }) => isOn).length;
  return on === settings.length ? 'All' : on === 0 ? 'None' : `${on} of ${settings.length} kinds`;
}

export const noticesOf = (settings: Settings): FormState => formOf({ notices: settings.flatMap(({ kind, isOn }) => (isOn ? [kind] : [])) });

export function NoticesForm({ ctx, state, settings }: { ctx: PageContext; state: FormState; settings: Settings }) {
  const choices = settings.map(({ kind, when }): Choice => [kind, when]);
  return (
    <section>
      <h2 id="mail">Mail to owners</h2>
      <ConsoleForm ctx={ctx} state={state} action={pathOf(ctx, 'organization', 'notices')} submit="Save">
        <CheckGroup state={state} name="notices" label="Owners get a mail when this happens:" choices={choices} />
      </ConsoleForm>
    </section>
  );
}
