import type { Tenant } from '../../kernel/context.js';
import type { EventDeclaration } from '../../kernel/declare-event.js';

/** A background task, declared at its method. */
export interface JobDeclaration {
  /** Such as `idempotency.expire`: the module and what the job does. Also the name of its wake-ups. */
  readonly id: string;
  readonly summary: string;
  /** How often the job runs if nothing wakes it. */
  readonly everyMs: number;
  readonly emits?: readonly EventDeclaration[];
}

type Digit = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;

/** A job that runs once on each day. */
export interface DailyJobDeclaration extends Omit<JobDeclaration, 'everyMs'> {
  /** From when on, such as `02:00`. A time that the clocks leave out is the next one that they show. */
  readonly at: `${0 | 1 | 2}${Digit}:${0 | 1 | 2 | 3 | 4 | 5}${Digit}`;
  /** Whose time: `UTC`, a name such as `Europe/Berlin`, or that of each active organization, for which the job runs in each environment. */
  readonly zone: string;
}

/** What a job with a time of day is told. */
export interface DailyTurn {
  /** The date in the zone of the job, such as 2026-03-29. */
  readonly day: string;
  /** Aborted when the process stops, or another one has taken over. */
  readonly signal: AbortSignal;
}

/** The same for one organization and environment: a context for repositories, `tenantSql` and `UnitOfWork.runAs`. */
export type OrganizationTurn = DailyTurn & Tenant;

/** The method of a job, which may leave out what it is told. */
type HandlerOf<Turn> = <Handler extends (turn: Turn) => Promise<void>>(
  target: object,
  key: string | symbol,
  descriptor: TypedPropertyDescriptor<Handler>,
) => void;

const declarations = new WeakMap<object, JobDeclaration | DailyJobDeclaration>();

export function Job(declaration: JobDeclaration): MethodDecorator;
export function Job(declaration: DailyJobDeclaration & { readonly zone: 'organization' }): HandlerOf<OrganizationTurn>;
export function Job(declaration: DailyJobDeclaration): HandlerOf<DailyTurn>;
export function Job(declaration: JobDeclaration | DailyJobDeclaration): MethodDecorator {
  return (_target, _key, descriptor) => {
    declarations.set(descriptor.value as object, declaration);
  };
}

export const jobOf = (handler: object): JobDeclaration | DailyJobDeclaration | undefined => declarations.get(handler);
