import type { Type } from '@nestjs/common';
import type { ProblemCode } from '../../kernel/problems.js';
import type { AddressLimit } from '../../kernel/address-limits.js';
import type { AuditAction } from '../../kernel/audit-actions.js';
import type { EventDeclaration } from '../../kernel/declare-event.js';
import type { StandardPlan } from '../../kernel/plans.js';
import type { UserRole } from '../../kernel/roles.js';
import type { Viewer } from '../access/hidden-fields.js';
import type { PolicyContext, PolicyWriteContext, Principal } from '../access/principal.js';
import type { HiddenSet } from '../call/hidden-answers.js';
import type { ChangeContext, Tenant } from '../../kernel/context.js';
import type { WriteContext } from '../../store/database/unit-of-work.js';
import { fieldsOf } from '../validation/field.js';

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';
export type Risk = 'read_only' | 'write' | 'destructive';

/** Tools that a client gets only if it asks for their set: each tool costs each conversation. */
export const TOOL_SETS = ['claims'] as const;

/** The operation as a tool for language models. */
export interface ToolDeclaration {
  readonly name: string;
  readonly set?: (typeof TOOL_SETS)[number];
  readonly risk: Risk;
  /** All that a model reads after the summary: when to take this tool, which comes next, and what to know, in the names of its inputs. */
  readonly says: string;
  /** Parameters and properties of the body that the tool does not have. */
  readonly without?: readonly string[];
  /** Properties of the body that the tool always sends: for what a model must not be given, or not decide. */
  readonly sets?: Readonly<Record<string, unknown>>;
  /** Properties of the body whose example the tool shows: those that no description explains well enough. */
  readonly shows?: readonly string[];
  /** Fields of records, those of a list too, that the tool leaves out unless it is asked for `detail: "full"`: `hash`, `actor.id`. */
  readonly leavesOut?: readonly string[];
  /** A record may be large: the tool takes the names of `fields`, and answers with these alone, whole. */
  readonly isLarge?: boolean;
}

/** An operation that has a better successor, and will be gone. */
export interface Deprecation {
  /** The day of the announcement: `2027-01-31`. */
  readonly since: string;
  /** The day from which it may be gone. */
  readonly sunset: string;
  /** What to use, in a sentence. */
  readonly instead: string;
}

/** The form that an operation takes instead of its body in JSON. */
export interface FileForm {
  /** Its fields, which arrive as texts. An instance of it is the body, with the file as `file`. */
  readonly fields: Type<object>;
  readonly maxBytes: number;
  /** The content of a small file. */
  readonly example: string;
}

/** What is noted in the audit log when a person reads it (see call/sensitive-reads.ts). */
export interface SensitiveRead {
  readonly action: AuditAction;
  /** The parameter of the path that names the record; none: the organization. */
  readonly of?: string;
}

/** 202: what is asked for happens later. */
export type SuccessStatus = 200 | 201 | 202 | 204;

/** All that an operation says of itself, at its handler and nowhere else. */
export interface OperationDeclaration {
  /** `claim_projects.create`: the capability and what is done. operationId, metric label, name in logs. */
  readonly id: string;
  /** Method and path below the controller's: `GET /:project_id`. A parameter is an id, but for the kind of a file. */
  readonly route: `${Method} /${string}`;
  readonly scope?: string;
  /** The least role of the people who may do it, in the console and by applications that act for them; none: every member. */
  readonly role?: UserRole;
  /** The plan the organization must have; none: any. */
  readonly plan?: StandardPlan;
  /**
   * What it reads or changes is of the organization as a whole: a credential for some projects is refused. Without it, such a credential
   * reaches the records of its projects, and repositories refuse what asks for others.
   */
  readonly concerns?: 'organization';
  /** It exists for credentials of the test environment only: a live one is answered as at a path that does not exist. */
  readonly environment?: 'test';
  readonly tool?: ToolDeclaration;
  readonly summary: string;
  /** What the summary does not say, in sentences. */
  readonly description: string;
  /** A form with one file (multipart/form-data, `file`) is taken as well, and the file itself, with the fields in the query. */
  readonly takesFile?: FileForm;
  /** The body of the answer; none: 204, unless it is a file. */
  readonly returns?: Type<unknown>;
  /** Of a POST that makes no record, such as an approval: 200 or 202. None: 201 with the `Location` of the new record. */
  readonly status?: SuccessStatus;
  /** The answer is a file. The last parameter of the path names its kind: media types by kind. */
  readonly returnsFile?: Readonly<Record<string, string>>;
  /** The answer has lines of statements or a file: who reads it is noted. */
  readonly reads?: SensitiveRead;
  /** The answer shows or opens what may hold any field of records: it is refused to whom fields are hidden from. So is every file. */
  readonly cannotBeCut?: true;
  /** The answer holds a secret: what is remembered of it for a repeated call is encrypted. */
  readonly returnsSecret?: boolean;
  readonly emits?: readonly EventDeclaration[];
  /** Problems beyond those that every operation of its kind can have. */
  readonly problems?: readonly ProblemCode[];
  readonly deprecated?: Deprecation;
  /**
   * The method of the controller that is called before the transaction, with context and body, for what may take long, such as DNS. The
   * handler is given what it returns by `@Ahead()`. It refuses nothing, unless as a guard: the key of the call may have an answer.
   */
  readonly ahead?: string;
  /**
   * `afterClaim`: the step ahead does something that a rollback does not undo, such as a request to another service. It begins when its
   * key is claimed, outside of any transaction. Without it, a call has no effect outside its transaction, and may be begun twice.
   * `byCalls`: the handler makes calls, each with a transaction and a key of its own. It has none itself, and is called again by a
   * repeated call.
   */
  readonly effects?: 'afterClaim' | 'byCalls';
  /** It makes one record, and can be called with many bodies at once, by `POST /v1/batches`. */
  readonly isBatched?: boolean;
}

/** What a capability is, for the reader of the documents. Declared at the controller that has its operations. */
export interface CapabilityDeclaration {
  /** A sentence or two. */
  readonly about: string;
  /** The file of its guide, below `docs/`. */
  readonly guide?: string;
}

/** What a change asks for. Hooks may set the fields of `input`; it is undefined for an operation without a body. */
export interface Change {
  readonly input: object | undefined;
  /** The ids in the path: `{ project_id }`. */
  readonly params: Readonly<Record<string, string>>;
}

/** What extensions do around the changes of an operation: see call/change-hooks.ts. */
export interface AroundChange {
  around<Result>(ctx: WriteContext, change: Change, work: () => Promise<Result>): Promise<Result>;
}

/** A write as policies are asked about it: see call/write-policies.ts. */
export interface AskedWrite {
  /** Asks before the write, once; ahead of what no rollback undoes. Otherwise `around` does. */
  requireAllowed(ctx: PolicyWriteContext): Promise<void>;
  /** Asks before and after the work, which is given a context of its own. */
  around<Context extends PolicyWriteContext, Result>(ctx: Context, work: (ctx: Context) => Promise<Result>): Promise<Result>;
}

/** The context of a call: who wants which operation. Made once, by the executor. */
export interface RequestContext extends ChangeContext, Tenant {
  readonly environment: Tenant['environment'];
  readonly requestId: string;
  readonly ipAddress: string;
  readonly principal: Principal;
  readonly operation: RegisteredOperation;
}

/** The context of a call that makes calls. */
export type KeyedContext = RequestContext & { readonly key: string };

export interface HandlerInput {
  readonly ctx: RequestContext;
  readonly params: Readonly<Record<string, string>>;
  readonly query: object;
  readonly body: object | undefined;
  /** What the step ahead has returned. */
  readonly ahead: unknown;
}

export type Handle = (input: HandlerInput) => Promise<unknown>;

/** A declaration with what its handler's place and signature add to it. */
export interface RegisteredOperation extends Omit<OperationDeclaration, 'ahead'> {
  readonly handle: Handle;
  /** It may add headers to the answer. */
  readonly lookAhead:
    | ((ctx: RequestContext, body: object | undefined, headers: Record<string, string>, params: HandlerInput['params']) => unknown)
    | undefined;
  readonly method: Method;
  /** The whole path, parameters in braces: `/v1/claim-projects/{project_id}`. */
  readonly path: string;
  /** Those that are ids. */
  readonly pathIds: readonly string[];
  /** The one that names the kind of a file. */
  readonly fileParam: string | undefined;
  /** What the answer may be, for the `Accept` header. */
  readonly mediaTypes: readonly string[];
  readonly body?: Type<object>;
  readonly query?: Type<object>;
  readonly capability: string;
  readonly status: SuccessStatus;
  readonly isWrite: boolean;
  /** A PATCH of a record with free-form objects, which may be a merge patch (RFC 7396). */
  readonly takesMerge: boolean;
  /** POST and PATCH: an Idempotency-Key is required. */
  readonly needsKey: boolean;
  /** The answer is a record, and has its ETag. */
  readonly isTagged: boolean;
  /** Changes or deletes the record that the path names: `If-Match` may say which version of it. */
  readonly takesIfMatch: boolean;
  /** With those of its hooks. */
  readonly emits: readonly EventDeclaration[];
  /** With those of its policies and hooks. */
  readonly problems: readonly ProblemCode[];
  /** Throws if a policy refuses the call; undefined if none applies. */
  readonly checkPolicies: ((ctx: PolicyContext) => Promise<void>) | undefined;
  /** Asks the policies that see its writes; undefined if none does. */
  readonly writePolicies: ((change: Change) => AskedWrite) | undefined;
  /** What extensions hide of its answers from a viewer, if anything; undefined if nothing is hidden from anybody. */
  readonly hiddenFrom: ((viewer: Viewer) => HiddenSet | undefined) | undefined;
  /** What extensions do before and after the change; undefined if nothing. */
  readonly hooks: AroundChange | undefined;
}

/**
 * What limits a route that has no credential: a limit by address. `failures`: its handler counts failed credentials only.
 * `probes`: nothing, because a load balancer that is refused takes the process out of service; such a route must do no work.
 */
export type RouteLimit = AddressLimit | 'probes';

/** A route that is not an operation of the API. */
export interface ProtocolDeclaration {
  readonly why: string;
  readonly limit: RouteLimit;
}

export interface OpenRoute extends ProtocolDeclaration {
  readonly method: string;
  readonly path: string;
}

export function splitRoute(route: OperationDeclaration['route']): { method: Method; path: string } {
  const [method, path] = route.split(' ') as [Method, string];
  return { method, path };
}

/** For the description of a PATCH. */
export const UNCHANGED = 'A PATCH that changes nothing returns 200, keeps `updatedAt` and emits no event.';

export const parametersOf = (path: string): string[] => [...path.matchAll(/:(\w+)/g)].map((match) => match[1]!);
export const isIdParameter = (name: string): boolean => name.endsWith('_id');

export const IDEMPOTENCY_KEY_EXAMPLE = '5e0c2a51-1f7e-4f0f-9a53-2f2d9a6a8b10';

export const needsKey = (method: Method): boolean => method === 'POST' || method === 'PATCH';
export const successStatus = ({ status, returns, returnsFile, route }: OperationDeclaration): SuccessStatus => {
  if (status) return status;
  if (!returns && !returnsFile) return 204;
  return route.startsWith('POST ') ? 201 : 200;
};

/** Something that is done to one record, such as an approval: `POST /:order_id/approve`. It takes a body only if it declares one. */
export const isAction = ({ route, status }: Pick<OperationDeclaration, 'route' | 'status'>): boolean =>
  status !== undefined && /^POST .*\/:\w+_id\/[a-z_]+$/.test(route);

const isOfOneRecord = ({ route }: OperationDeclaration): boolean => /:\w+_id$/.test(route);

function returnsRecord({ returns }: OperationDeclaration): boolean {
  const fields = returns && fieldsOf(returns.prototype as object);
  return fields !== undefined && fields.has('id') && fields.has('updatedAt');
}

export const isTagged = (declaration: OperationDeclaration): boolean =>
  returnsRecord(declaration) && (isOfOneRecord(declaration) || declaration.route.startsWith('POST '));
export const takesIfMatch = (declaration: OperationDeclaration): boolean =>
  (isOfOneRecord(declaration) && /^(PATCH|DELETE) /.test(declaration.route)) || (isAction(declaration) && returnsRecord(declaration));

const declarations = new Map<object, OperationDeclaration>();
const protocols = new WeakMap<object, ProtocolDeclaration>();
const capabilities = new WeakMap<object, CapabilityDeclaration>();

// What decorators say of handlers and controllers. The registry reads it at start.
export const declareOperation = (handler: object, declaration: OperationDeclaration): unknown => declarations.set(handler, declaration);
export const declarationOf = (handler: object): OperationDeclaration | undefined => declarations.get(handler);
/** Whether a GET returns it: one of this application, or of another in this process, which declares events for all of them. */
export const isRead = (data: unknown): boolean =>
  [...declarations.values()].some(({ route, returns }) => route.startsWith('GET ') && returns === data);
export const batchedOperations = (): string[] => [...declarations.values()].filter(({ isBatched }) => isBatched).map(({ id }) => id);
export const declareProtocol = (handler: object, declaration: ProtocolDeclaration): unknown => protocols.set(handler, declaration);
export const protocolOf = (handler: object): ProtocolDeclaration | undefined => protocols.get(handler);
export const declareCapability = (controller: object, declaration: CapabilityDeclaration): unknown =>
  capabilities.set(controller, declaration);
export const capabilityOf = (controller: object): CapabilityDeclaration | undefined => capabilities.get(controller);
