import type { ComponentChildren } from 'preact';
import type { AuditAction } from '../../kernel/audit-actions.js';
import type { UserRole } from '../../kernel/roles.js';
import type { FileBounds } from '../validation/read-files.js';

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
}

export interface PageDeclaration {
  readonly operation?: string;
  readonly role?: UserRole;
  readonly isForEveryone?: boolean | undefined;
  readonly needsFreshSignIn?: boolean | undefined;
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
