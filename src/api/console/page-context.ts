import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ChangeContext, Environment, Tenant } from '../../kernel/context.js';
import type { Plan, StandardPlan } from '../../kernel/plans.js';
import type { UserRole } from '../../kernel/roles.js';
import type { Unit } from '../../store/database/unit-of-work.js';
import type { RegisteredOperation } from '../operation/operation.js';
import type { Form } from './form.js';

export interface ConsoleUser {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly role: UserRole;
}

export interface ConsoleOrganization {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
  readonly plan: Plan;
  /** Whether its plan is enough for what requires another one. */
  readonly includes: (plan: StandardPlan) => boolean;
  readonly status: 'active' | 'suspended';
  readonly timeZone: string;
}

/** How a session was begun. With `single_sign_on` the organization vouches for its own user, and for nobody's users elsewhere. */
export const SIGN_IN_WAYS = ['password', 'link', 'single_sign_on'] as const;
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
}

/** The context of a page: who looks at what, in which environment. */
export interface PageContext extends ChangeContext, Tenant {
  readonly environment: Environment;
  readonly requestId: string;
  readonly ipAddress: string;
  readonly user: ConsoleUser;
  readonly organization: ConsoleOrganization;
  readonly signedInBy: SignInWay;
  readonly others: readonly OtherOrganization[];
  readonly sessionId: string;
  readonly csrf: string;
  /** Whether the role of the user lets them do what an operation does. */
  readonly can: (operation: string) => boolean;
  /** The operation that the page or action declares. */
  readonly operation: RegisteredOperation | undefined;
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
