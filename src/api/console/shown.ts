import type { Type } from '@nestjs/common';
import type { Seeing } from '../call/hidden-answers.js';
import { fieldsOf } from '../validation/field.js';
import { type PageContext, pageOf, type SectionDeclaration, sectionOf, type Showing } from './page.js';

// What a page shows of records, for people from whom fields are hidden.

/** Whether nothing that is hidden from the person is shown. Names are links and titles everywhere. */
export function isShown({ hidden, operation }: Pick<PageContext, 'hidden'> & Partial<PageContext>, shows: Showing | undefined): boolean {
  if (!hidden || shows === 'nothing') return true;
  if (shows === undefined || operation?.cannotBeCut || hidden.hidesNames) return false;
  return typeof shows === 'string' || !shows.some((type) => hidden.isIn(type));
}

/**
 * Parts of a page, such as columns or facts, without those that show fields that are hidden, or what is in them: `day from,to amount` for
 * three parts. What no answer has is of no class: it is left out if a field of any class with this name is hidden.
 */
export const seen = <Part>({ hidden }: Seeing, of: Type<object> | undefined, fields: string, parts: readonly (Part | null)[]): Part[] => {
  const ofParts = fields.split(' ').map((names) => names.split(','));
  const unknown = of && ofParts.flat().find((name) => !fieldsOf(of.prototype as object).has(name));
  if (unknown !== undefined || ofParts.length !== parts.length) throw new Error(`${fields} are not the fields of these parts.`);
  return parts.filter((part, index): part is Part => part !== null && !hidden?.hides(of, ofParts[index]!));
};

/** A record without what is hidden. */
export const seenOf = <Row>({ hidden }: Seeing, of: Type<object>, row: Row): Row => (hidden ? hidden.cut(of, row) : row);

interface DeclaredPage {
  readonly address: RegExp;
  readonly shows: Showing | undefined;
}

export class Shown {
  private readonly pages: readonly DeclaredPage[];

  constructor(controllers: readonly Type<unknown>[]) {
    this.pages = controllers.flatMap(pagesOf).sort((one, other) => variablesIn(one) - variablesIn(other));
  }

  /** Whether an address leads to a page that is not refused for what it shows; undefined: to no page of the console. */
  isOpen(ctx: PageContext, href: string): boolean | undefined {
    const [, path] = /^\/console\/[^/]+\/?([^?#]*)/.exec(href) ?? [];
    const found = path === undefined ? undefined : this.pages.find(({ address }) => address.test(path));
    return found && isShown({ hidden: ctx.hidden }, found.shows);
  }
}

const VARIABLE = '[^/]+';
const variablesIn = ({ address }: DeclaredPage): number => address.source.split(VARIABLE).length;

/** A class that extends another one has the pages of both; its own come first. */
function pagesOf({ prototype }: Type<unknown>): DeclaredPage[] {
  const section = sectionOf((prototype as object).constructor);
  const found: DeclaredPage[] = [];
  for (let of = prototype as object | null; section && of && of !== Object.prototype; of = Object.getPrototypeOf(of) as object | null)
    found.push(...Object.values(Object.getOwnPropertyDescriptors(of)).flatMap(({ value }) => pageIn(section, value) ?? []));
  return found;
}

function pageIn({ path, shows }: SectionDeclaration, handler: unknown): DeclaredPage | undefined {
  const declared = typeof handler === 'function' ? pageOf(handler) : undefined;
  if (!declared || declared.isAction) return undefined;
  const address = [path, declared.route.slice(declared.route.indexOf('/') + 1)].filter(Boolean).join('/');
  return { address: new RegExp(`^${address.replace(/:\w+/g, VARIABLE)}$`), shows: declared.shows ?? shows };
}
