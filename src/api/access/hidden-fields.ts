import type { Type } from '@nestjs/common';
import { CUSTOM_FIELDS } from '../../store/database/columns.js';
import type { PolicyContext, Principal } from './principal.js';

/** Who gets to see an answer: with a credential, in the console, or, of events that are sent, the organization itself. */
export interface Viewer {
  readonly organization: Pick<PolicyContext['organization'], 'id' | 'plan'>;
  /** The application that asks; null of an API key, of people and of an organization. */
  readonly application: Pick<NonNullable<Principal['application']>, 'id' | 'name'> | null;
  /** The person who asks, or for whom an application does; null of a credential that speaks for no person. */
  readonly user: Principal['user'];
}

/** Fields of a class of answers. */
export interface FieldsOfRecord {
  readonly of: Type<object>;
  readonly names: readonly string[];
}

/** Names fields of a class of answers: `fieldsIn(ClaimItemDto, 'rate', 'amount')`. */
export const fieldsIn = <Record extends object>(
  of: Type<Record>,
  ...names: readonly ((keyof Record & string) | `${typeof CUSTOM_FIELDS}.${string}`)[]
): FieldsOfRecord => ({ of, names });

/**
 * A port: fields of records that not everybody may see. They are left out of every answer and event; what cannot be cut, such as a file or
 * the audit log, is refused to whom something is hidden from.
 */
export abstract class HiddenFields {
  /** The same at all times: the documents say that these fields may be left out. */
  abstract readonly fields: readonly FieldsOfRecord[];
  /** Asked with each call. An error of it answers 500. */
  abstract isHiddenFrom(viewer: Viewer): boolean;
}
