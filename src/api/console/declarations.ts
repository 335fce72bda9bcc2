import { applyDecorators, Controller, Get, Post, UseInterceptors } from '@nestjs/common';
import type { AuditAction } from '../../kernel/audit-actions.js';
import { Protocol } from '../operation/operation.decorator.js';
import { ConsoleCall } from './console-call.js';
import { type Access, declarePage, declareSection, type SectionDeclaration } from './page.js';
import type { FileBounds } from '../validation/read-files.js';

export const CONSOLE_PATH = '/console';

/**
 * Pages about one kind of record: `/console/test/projects`. The environment is part of the address, so that links and two open tabs
 * mean what they show.
 */
export function ConsoleSection(declaration: SectionDeclaration): ClassDecorator {
  return applyDecorators(Controller(`${CONSOLE_PATH.slice(1)}/:environment/${declaration.path}`), (target: object) => {
    declareSection(target, declaration);
  });
}

/** A page that shows something. Its handler returns `page(…)`. */
export function Page({ route, ...access }: Access & { readonly route: `GET /${string}` }): MethodDecorator {
  return declared(Get(route.slice('GET '.length)), { ...access, route, isAction: false, records: [] });
}

interface ActionDeclaration extends Access {
  readonly route: `POST /${string}`;
  /** Without an operation: what the audit log says. */
  readonly records?: AuditAction[];
  /** The form has files (`<ConsoleForm hasFiles>`), within these bounds. */
  readonly takesFiles?: FileBounds;
}

/** What the button of a form does. Its handler returns `goTo(…)`, or a page that shows something once. */
export function Action({ route, records = [], ...declaration }: ActionDeclaration) {
  return declared(Post(route.slice('POST '.length)), { ...declaration, route, isAction: true, records });
}

const declared = (route: MethodDecorator, declaration: Parameters<typeof declarePage>[1]): MethodDecorator =>
  applyDecorators(
    route,
    Protocol('A page of the console.', 'console'),
    UseInterceptors(ConsoleCall),
    (_target: object, _key: string | symbol, descriptor: PropertyDescriptor) => {
      declarePage(descriptor.value as object, declaration);
    },
  );
