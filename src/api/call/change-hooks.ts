import { isDeepStrictEqual } from 'node:util';
import type { Type } from '@nestjs/common';
import type { EventDeclaration } from '../../kernel/declare-event.js';
import { Problem, type ProblemCode } from '../../kernel/problems.js';
import type { WriteContext } from '../../store/database/unit-of-work.js';
import { methodsOf } from '../../store/discovery/methods-of.js';
import { parameterTypes } from '../operation/nest-metadata.js';
import type { AroundChange, Change, RegisteredOperation } from '../operation/operation.js';
import { fieldsOf } from '../validation/field.js';
import { loadValidation } from '../validation/read-request.js';

/**
 * A port: what an extension does with the changes of others. Its methods with `@Before` and `@After` are called inside the transaction of
 * the change, by the API, by tools and in the console. What a method writes with its `ctx` is committed or rolled back with the change.
 *
 * A method refuses by throwing a `Problem`; any other error answers 500. Nothing is called for a replay or a dry run. What must not
 * happen unless the change is committed, such as a request to another service, belongs to its event.
 */
export abstract class ChangeHook {}

export type ChangeParams = Change['params'];

interface HookOptions {
  /** The codes that it refuses with, beyond those of the operation. The documents list them. */
  readonly problems?: readonly ProblemCode[];
  /** The events that it appends, beyond those of the operation. */
  readonly emits?: readonly EventDeclaration[];
}

interface Mark extends HookOptions {
  readonly when: 'before' | 'after';
  readonly operation: string;
}

type Marks<Method> = (target: object, name: string | symbol, descriptor: TypedPropertyDescriptor<Method>) => void;
type BeforeMethod = (ctx: WriteContext, input: never, params: ChangeParams) => void | Promise<void>;
type AfterMethod = (ctx: WriteContext, record: never, input: never, params: ChangeParams) => void | Promise<void>;

const marks = new WeakMap<object, readonly Mark[]>();

/** Called before the change, with its valid input, whose fields the method may set. What it sets must be valid, too. */
export const Before = <Method extends BeforeMethod>(operation: string, options: HookOptions = {}): Marks<Method> =>
  marked({ ...options, when: 'before', operation });

/** Called after the change, with the record as the API returns it. */
export const After = <Method extends AfterMethod>(operation: string, options: HookOptions = {}): Marks<Method> =>
  marked({ ...options, when: 'after', operation });

function marked<Method>(mark: Mark): Marks<Method> {
  return (_target, _name, { value }) => {
    const method = value as object;
    marks.set(method, [mark, ...(marks.get(method) ?? [])]);
  };
}

type Run = (...args: readonly unknown[]) => unknown;

interface Hook extends Mark {
  /** `CostCentres.check`, for errors. */
  readonly name: string;
  readonly run: Run;
  readonly takes: readonly unknown[];
}

/** The hooks of providers, in the order of their modules and methods. */
export function hooksOf(providers: readonly ChangeHook[]): Hook[] {
  return providers.flatMap((provider) => {
    const prototype = Object.getPrototypeOf(provider) as object;
    return [...methodsOf(prototype)].flatMap(([name, method]) =>
      (marks.get(method) ?? []).map((mark) => ({
        ...mark,
        name: `${provider.constructor.name}.${name}`,
        run: method.bind(provider),
        takes: parameterTypes(prototype, name),
      })),
    );
  });
}

export function hookProblems(hooks: readonly Hook[], operations: readonly RegisteredOperation[]): string[] {
  return hooks.flatMap((hook) => {
    const { name, when, takes } = hook;
    const operation = operations.find(({ id }) => id === hook.operation);
    if (!operation) return [`${name} is ${when} ${hook.operation}, but there is no such operation.`];
    const { id, body, returns } = operation;
    if (!operation.isWrite) return [`${name} is ${when} ${id}, which is a read.`];
    const expected = when === 'before' ? [body] : [returns, body];
    return expected.flatMap((type, index) => {
      const taken = takes[index + 1];
      if (type === undefined || taken === undefined || isOrExtends(type, taken)) return [];
      return [`${name} is ${when} ${id}, so its parameter ${index + 2} is a ${type.name} (and its import no type import).`];
    });
  });
}

const isOrExtends = (type: Type<unknown>, taken: unknown): boolean =>
  taken !== Object && (type === taken || type.prototype instanceof (taken as Type<object>));

class OperationHooks implements AroundChange {
  private readonly before: readonly Hook[];
  private readonly after: readonly Hook[];
  private readonly sent = new WeakMap<object, object>();

  constructor(
    private readonly operation: RegisteredOperation,
    hooks: readonly Hook[],
  ) {
    this.before = hooks.filter(({ when }) => when === 'before');
    this.after = hooks.filter(({ when }) => when === 'after');
  }

  async around<Result>(ctx: WriteContext, { input, params }: Change, work: () => Promise<Result>): Promise<Result> {
    const sent = input && this.restored(input as Record<string, unknown>);
    for (const hook of this.before) {
      await hook.run(ctx, input, params);
      if (input && !isDeepStrictEqual({ ...input }, sent)) await this.requireValid(hook, input, params);
    }
    const record = await work();
    for (const hook of this.after) await hook.run(ctx, frozen(record), input, params);
    return record;
  }

  /** A hook may have changed the input, and the write may begin anew: each time with what was sent. */
  private restored(input: Record<string, unknown>): object {
    const known = this.sent.get(input);
    const sent = known ?? copyOf({ ...input });
    this.sent.set(input, sent);
    if (known) for (const name of Object.keys(input)) delete input[name];
    if (known) Object.assign(input, copyOf(known));
    return sent;
  }

  /** The caller cannot be blamed for what a hook has set. */
  private async requireValid({ name }: Hook, input: object, params: ChangeParams): Promise<void> {
    const validate = await loadValidation();
    try {
      Object.assign(input, validate(this.operation, { params, query: {}, body: input as Record<string, unknown>, url: '' }).body);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      throw new Error(`${name} has made the input of ${this.operation.id} invalid: ${error.detail}`, { cause: error });
    }
  }
}

/** A copy of what fields can say, inside of objects as well. All else, such as a file, stays what it is. */
function copyOf<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map(copyOf) as Value;
  if (typeof value !== 'object' || value === null) return value;
  const type = Object.getPrototypeOf(value) as object | null;
  if (type !== null && type !== Object.prototype && fieldsOf(type).size === 0) return value;
  const copied = Object.entries(value).map(([name, one]) => [name, copyOf<unknown>(one)] as const);
  return Object.assign(Object.create(type) as Value & object, Object.fromEntries(copied));
}

export function withHooks(operation: RegisteredOperation, all: readonly Hook[]): RegisteredOperation {
  const hooks = all.filter((hook) => hook.operation === operation.id);
  if (hooks.length === 0) return operation;
  const problems = [...new Set([...operation.problems, ...hooks.flatMap((hook) => hook.problems ?? [])])];
  const emits = [...new Set([...operation.emits, ...hooks.flatMap((hook) => hook.emits ?? [])])];
  return { ...operation, problems, emits, hooks: new OperationHooks(operation, hooks) };
}

/** The record is answered as it is: a hook that changes it fails, instead of making the answer differ from the row. */
export function frozen<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.values(value).forEach(frozen);
  return Object.freeze(value);
}
