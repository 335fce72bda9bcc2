import { OPERATOR } from '../../src/kernel/context.js';
import type { Plan } from '../../src/kernel/plans.js';
import type { UserRole } from '../../src/kernel/roles.js';
import { SignInLinks } from '../../src/modules/console/index.js';
import type { TestApp } from './app.js';
import { anOrganization } from './builders.js';
import { Browser } from './oauth.js';
import { aUser } from './users.js';

/** A page shows what a session stood for up to half a second before, on a busy machine a little more. */
export const WITHIN_MS = 2000;

/** Someone who is signed in to the console of an organization, with a browser without scripts. */
export async function aVisitor(app: TestApp, { role = 'owner', plan = 'enterprise' }: { role?: UserRole; plan?: Plan } = {}) {
  const organization = await anOrganization(app, { plan });
  return aVisitorOf(app, organization, { role });
}

/** A further one of the same organization. */
export async function aVisitorOf<Organization extends { id: string }>(
  app: TestApp,
  organization: Organization,
  wanted: { role?: UserRole; name?: string } = {},
) {
  const user = await aUser(app, organization.id, { role: 'owner', ...wanted });
  const browser = new ConsoleBrowser(app.url);
  await signInByLink(app, browser, user);
  return { organization, user, browser };
}

export type Visitor = Awaited<ReturnType<typeof aVisitor>>;

export async function signInByLink({ app }: TestApp, browser: Browser, user: { id: string; organizationId: string }) {
  const { link } = await app.get(SignInLinks).make(OPERATOR, user);
  return browser.visit(new URL(link).pathname, {});
}

type Shown = Awaited<ReturnType<Browser['visit']>>;
type Fields = Readonly<Record<string, string | readonly string[]>>;

/** Fills in forms of console pages as a browser does: with the hidden fields, and with what the form shows already. */
export class ConsoleBrowser extends Browser {
  /** Sends the form of a page whose action ends with this; of the page itself by default. */
  send(shown: Shown, fields: Fields = {}, action = shown.url.pathname): Promise<Shown> {
    const forms = [...shown.text.matchAll(/<form method="post" action="([^"]+)"[^>]*>(.*?)<\/form>/gs)];
    const form = forms.find(([, target]) => decode(target!) === action || target!.endsWith(action));
    if (!form) throw new Error(`There is no form for ${action} on ${shown.url.href}: ${forms.map(([, target]) => target).join(', ')}`);
    return this.visit(decode(form[1]!), { ...fieldsOf(form[2]!), ...fields });
  }

  /** Presses the button that sends its form to an address which ends with this. */
  press(shown: Shown, action: string, fields: Fields = {}): Promise<Shown> {
    const forms = [...shown.text.matchAll(/<form method="post"[^>]*>(.*?)<\/form>/gs)];
    const found = forms.flatMap(([, form]) => [...form!.matchAll(/formaction="([^"#]+)/gi)].map(([, target]) => ({ form, target })));
    const pressed = found.find(({ target }) => target!.endsWith(action));
    if (!pressed) throw new Error(`There is no button for ${action} on ${shown.url.href}: ${found.map(({ target }) => target).join(', ')}`);
    return this.visit(decode(pressed.target!), { ...fieldsOf(pressed.form!), ...fields });
  }

  /** Sends the form of a page with files, as multipart/form-data: its own fields come first. */
  async upload(
    shown: Shown,
    files: readonly (readonly [name: string, content: string | Buffer])[],
    fields: Fields = {},
    action?: string,
  ): Promise<Shown> {
    const form = /<form method="post" action="([^"]+)"[^>]*multipart[^>]*>(.*?)<\/form>/s.exec(shown.text)!;
    const body = new FormData();
    for (const [name, value] of Object.entries({ ...fieldsOf(form[2]!.replace(/<input[^>]*type="file"[^>]*>/g, '')), ...fields }))
      for (const one of [value].flat()) body.append(name, one);
    for (const [name, content] of files) body.append('file', new Blob([content as never]), name);
    return this.visit(action ?? decode(form[1]!), body);
  }

  /** Opens a page, and sends its form. */
  async fill(path: string, fields: Fields, action?: string): Promise<Shown> {
    return this.send(await this.visit(path), fields, action);
  }
}

function fieldsOf(form: string): Record<string, string | readonly string[]> {
  const fields: Record<string, string[]> = {};
  const add = (name: string | undefined, value: string): void => {
    if (name !== undefined) fields[name] = [...(fields[name] ?? []), decode(value)];
  };
  for (const [tag] of form.matchAll(/<input[^>]*>/g)) {
    const isChoice = /type="(checkbox|radio)"/.test(tag);
    if (!isChoice || / checked/.test(tag)) add(attribute(tag, 'name'), attribute(tag, 'value') ?? '');
  }
  for (const [, tag, text] of form.matchAll(/(<textarea[^>]*>)(.*?)<\/textarea>/gs)) add(attribute(tag!, 'name'), text!);
  for (const [, tag, options] of form.matchAll(/(<select[^>]*>)(.*?)<\/select>/gs)) {
    const all = [...options!.matchAll(/<option[^>]*>/g)].map(([option]) => option);
    const chosen = all.find((option) => / selected/.test(option)) ?? all[0];
    if (chosen) add(attribute(tag!, 'name'), attribute(chosen, 'value') ?? '');
  }
  return fields;
}

const attribute = (tag: string, name: string): string | undefined => new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1];

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
/** A page with its character references decoded. */
export const textOf = (text: string): string => decode(text);

const decode = (text: string): string => text.replace(/&(amp|lt|gt|quot|#39);/g, (_all, name: string) => ENTITIES[name]!);
