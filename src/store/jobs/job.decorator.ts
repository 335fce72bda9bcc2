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

const declarations = new WeakMap<object, JobDeclaration>();

export function Job(declaration: JobDeclaration): MethodDecorator {
  return (_target, _key, descriptor) => {
    declarations.set(descriptor.value as object, declaration);
  };
}

export const jobOf = (handler: object): JobDeclaration | undefined => declarations.get(handler);
