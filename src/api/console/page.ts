import { randomUUID } from 'node:crypto';
import { createParamDecorator, type ExecutionContext, type Type } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ComponentChildren } from 'preact';
import type { AuditAction } from '../../kernel/audit-actions.js';
import type { ChangeContext, Environment, Tenant } from '../../kernel/context.js';
import { isUuid } from '../../kernel/ids.js';
import type { StandardPlan } from '../../kernel/plans.js';
import { Problem, type FieldError } from '../../kernel/problems.js';
import type { UserRole } from '../../kernel/roles.js';
import type { Unit } from '../../store/database/unit-of-work.js';
import type { PrincipalOrganization } from '../access/principal.js';
import type { HiddenSet } from '../call/hidden-answers.js';
import type { RegisteredOperation, SensitiveRead } from '../operation/operation.js';
import type { FileBounds, SentFile } from '../validation/read-files.js';

// What a page gets, the form that was sent to it, and what it answers.

export interface ConsoleUser {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly role: UserRole;
}

export interface ConsoleOrganization extends PrincipalOrganization {
  /** Whether its plan is enough for what requires another one. */
  readonly includes: (plan: StandardPlan) => boolean;
  readonly timeZone: string;
}

/** How a session was begun. With `single_sign_on` the organization vouches for its own user, and for nobody's users elsewhere. */
export const SIGN_IN_WAYS = ['password', 'passkey', 'link', 'single_sign_on'] as const;
export type SignInWay = (typeof SIGN_IN_WAYS)[number];

export interface OtherOrganization {
  readonly userId: string;
  readonly name: string;
}

export interface SignedIn {
  readonly sessionId: string;
  readonly user: ConsoleUser;
  readonly organization: ConsoleOrganization;
  readonly signedInBy: SignInWay;
  readonly signedInAt: string;
  /** Where they can go without signing in again. */
  readonly others: readonly OtherOrganization[];
  /** The organization requires a second factor, and they have none: they set it up before anything else. */
  readonly lacksSecondFactor: boolean;
  readonly csrf: string;
}

export type BrowserRequest = Pick<FastifyRequest, 'headers' | 'ip'>;

/**
 * A port: who is signed in with a browser, for the console and for applications. A removed user or a changed role is seen at once; only
 * pages that show something may know it half a second later.
 */
export abstract class ConsoleSessions {
  abstract find(request: BrowserRequest): Promise<SignedIn | undefined>;
  /** The same as it was up to half a second before. */
  abstract findBriefly(request: BrowserRequest): Promise<SignedIn | undefined>;
  /** Signs a user in with this browser. The caller has found out who they are. */
  abstract begin(request: FastifyRequest, reply: FastifyReply, userId: string, signedInBy: SignInWay): Promise<void>;
  /** Ends what was begun with credentials that have changed: all sessions of these users but one, and all links that sign in. */
  abstract endAfterChange(userIds: readonly string[], unit: Unit, keptSession?: string): Promise<void>;
  abstract end(reply: FastifyReply, signedIn: Pick<SignedIn, 'sessionId' | 'user'>): Promise<void>;
  abstract signInPath(next: string): string;
  abstract readonly secondFactorPath: string;
  /** A session ends after this time without a page. */
  abstract readonly idleSeconds: number;
}

/** The context of a page: who looks at what, in which environment. */
export interface PageContext extends ChangeContext, Tenant, Omit<SignedIn, 'signedInAt' | 'lacksSecondFactor'> {
  readonly environment: Environment;
  readonly requestId: string;
  readonly ipAddress: string;
  /** Whether the role of the user lets them do what an operation does. */
  readonly can: (operation: string) => boolean;
  /** The operation that the page or action declares. */
  readonly operation: RegisteredOperation | undefined;
  /** What extensions hide from the person; undefined: nothing. */
  readonly hidden: HiddenSet | undefined;
  readonly path: string;
  readonly query: URLSearchParams;
  /** The fields of an action; empty for a page. */
  readonly form: Form;
  readonly notice: string | undefined;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Who looks at which page of the console. Noted by console-call.ts alone. */
    pageContext: PageContext | null;
  }
}

/** The context of the page, as the first parameter of a handler. */
export const PageCtx: () => ParameterDecorator = createParamDecorator(
  (_data: unknown, execution: ExecutionContext) => execution.getArgByIndex<FastifyRequest>(0).pageContext,
);

/** What parts know of the page that they are on. */
export type KnownOfPage = Pick<PageContext, 'csrf' | 'path' | 'query'> & { readonly organization: Pick<ConsoleOrganization, 'timeZone'> };

/** The address of a page in the environment of this one: `pathOf(ctx, 'projects', id)`. */
export const pathOf = ({ environment }: Pick<PageContext, 'environment'>, ...parts: readonly string[]): string =>
  ['/console', environment, ...parts].join('/');

/** The name of the hidden field that makes a form count once, however often it is sent. */
export const ONCE_FIELD = 'once';
export const onceToken = (): string => randomUUID();

export class Form {
  constructor(
    private readonly fields: URLSearchParams,
    private readonly sent: readonly SentFile[] = [],
  ) {}

  static readonly empty = new Form(new URLSearchParams());

  text(name: string): string {
    return this.fields.get(name) ?? '';
  }

  /** The id of what was chosen. */
  id(name: string): string {
    const text = this.text(name);
    if (!isUuid(text)) throw Problem.invalidField(name, 'required', 'must be one of the choices');
    return text;
  }

  /** undefined for an empty field. */
  given(name: string): string | undefined {
    return this.text(name) || undefined;
  }

  list(name: string): string[] {
    return this.fields.getAll(name);
  }

  files(name: string): SentFile[] {
    return this.sent.filter(({ field }) => field === name);
  }

  isChecked(name: string): boolean {
    return this.fields.has(name);
  }

  /** What the form is shown with again after it was refused. */
  refusedWith(problem: Problem): FormState {
    return { values: (name) => this.fields.getAll(name), problem };
  }
}

export interface FormState {
  readonly values: (name: string) => readonly string[];
  readonly problem?: Problem;
}

export const formOf = (values: Readonly<Record<string, string | readonly string[] | null | undefined>> = {}): FormState => ({
  values: (name) => [values[name] ?? []].flat(),
});

export const valueIn = ({ values }: FormState, name: string): string => values(name)[0] ?? '';

/** What is wrong with a field, or with something inside it: `sourceMapping.rules[0].field` belongs to `sourceMapping`. */
export function errorsIn({ problem }: FormState, name: string): readonly FieldError[] {
  return (problem?.errors ?? []).filter(({ field }) => field === name || field.startsWith(`${name}.`) || field.startsWith(`${name}[`));
}

export const NAVIGATION_GROUPS = ['Claims', 'Developers', 'Organization'] as const;

export interface SectionDeclaration {
  /** Below the environment: `projects`. */
  readonly path: string;
  /** What the navigation calls it. */
  readonly label: string;
  /** What its page `new` does, for the search: "New project". */
  readonly adds?: string;
  /** Without one it is not in the navigation. */
  readonly group?: (typeof NAVIGATION_GROUPS)[number];
  /** The section that it is a tab of. Then it has no place of its own in the navigation. */
  readonly tabOf?: string;
  /** Among those of the group; lower is first. */
  readonly order?: number;
  /** Only people who may do this operation see it in the navigation. */
  readonly operation?: string;
  /** Only people with at least this role do. */
  readonly role?: UserRole;
  readonly shows?: Exclude<Showing, 'fields'>;
}

/**
 * What a page has of records, for people from whom fields are hidden: nothing, their names at most, the fields that they may see, or
 * fields of these classes of answers, of which none may be hidden. A page that does not say it is refused to them.
 */
export type Showing = 'nothing' | 'names' | 'fields' | readonly Type<object>[];

/** Who may see a page, or do what a form does. */
export interface Access {
  /** Left out: as its section says. */
  readonly shows?: Showing;
  /** The operation of the API that does the same. It says which role and plan it takes. */
  readonly operation?: string;
  /** Without an operation: the least role. */
  readonly role?: UserRole;
  /** Also for somebody who still has to set up the second factor that the organization requires. */
  readonly isForEveryone?: boolean;
  /** It shows or sends something sensitive: who reads it is noted. A page that does what an operation does need not say it again. */
  readonly reads?: SensitiveRead;
  /** Only within minutes after signing in, or after signing in this way: it shows or does what a browser that was left open must not. */
  readonly needsFreshSignIn?: boolean | SignInWay;
}

export interface PageDeclaration extends Access {
  /** `GET /new`, below the path of the section. */
  readonly route: string;
  readonly isAction: boolean;
  readonly records: readonly AuditAction[];
  /** The form has files, within these bounds. */
  readonly takesFiles?: FileBounds | undefined;
}

const pages = new WeakMap<object, PageDeclaration>();
const sections = new WeakMap<object, SectionDeclaration>();

export const declarePage = (handler: object, declaration: PageDeclaration): unknown => pages.set(handler, declaration);
export const pageOf = (handler: object): PageDeclaration | undefined => pages.get(handler);
export const declareSection = (controller: object, declaration: SectionDeclaration): unknown => sections.set(controller, declaration);
export const sectionOf = (controller: object): SectionDeclaration | undefined => sections.get(controller);

export const CONTENT_ID = 'content';

export interface ShownPage {
  /** The heading, and the title of the browser's tab. */
  readonly title: string;
  readonly body: ComponentChildren;
  readonly status: number;
  readonly beside?: BesideTitle;
}

/** What stands with the title of a record. */
export interface BesideTitle {
  /** The list that it is in. */
  readonly up?: readonly [path: string, label: string];
  readonly badge?: ComponentChildren;
  /** Buttons, of which one is filled. */
  readonly actions?: ComponentChildren;
}

/** Where a handler sends the browser, and what the next page says about what was done. */
export interface Redirection {
  readonly location: string;
  readonly notice?: string | undefined;
}

/** A file for the browser to save. */
export interface Download {
  readonly fileName: string;
  readonly mediaType: string;
  readonly content: Uint8Array | NodeJS.ReadableStream;
}

export type Answer = ShownPage | Redirection | Download;

export const page = (title: string, body: ComponentChildren, status = 200): ShownPage => ({ title, body, status });
export const titledPage = (title: string, beside: BesideTitle, body: ComponentChildren): ShownPage => ({
  title,
  body,
  status: 200,
  beside,
});
export const goTo = (location: string, notice?: string): Redirection => ({ location, notice });
export const download = (fileName: string, mediaType: string, content: Download['content']): Download => ({ fileName, mediaType, content });

/** Thrown where somebody may not do what they ask for. */
export class PageRefusal extends Error {
  constructor(
    readonly title: string,
    message: string,
  ) {
    super(message);
  }
}
