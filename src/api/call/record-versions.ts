import { createHash } from 'node:crypto';
import type { Type } from '@nestjs/common';
import { Problem } from '../../kernel/problems.js';
import { commaList } from '../../kernel/text.js';
import type { Expectation } from '../../store/database/unit-of-work.js';
import type { RegisteredOperation } from '../operation/operation.js';
import { fieldsOf } from '../validation/field.js';

export interface TaggedRecord {
  readonly id: string;
  readonly updatedAt: string;
}

/** RFC 9110. `updatedAt` always grows; a digest of the fields that change without it follows, for which `If-Match` does not ask. */
export function entityTag(type: Type<unknown>, record: TaggedRecord): string {
  const separate = separateFields(type);
  if (separate.length === 0) return `"${versionOf(record)}"`;
  const values = separate.map((name) => (record as unknown as Record<string, unknown>)[name]);
  return `"${versionOf(record)}-${createHash('sha256').update(JSON.stringify(values)).digest('base64url').slice(0, 8)}"`;
}

const versionOf = ({ updatedAt }: Pick<TaggedRecord, 'updatedAt'>): string => Date.parse(updatedAt).toString(36);

const separate = new WeakMap<object, string[]>();

function separateFields({ prototype }: Type<unknown>): readonly string[] {
  const known = separate.get(prototype as object);
  if (known) return known;
  const names = [...fieldsOf(prototype as object)].filter(([, { about }]) => about.isSeparate).map(([name]) => name);
  separate.set(prototype as object, names);
  return names;
}

const TAG = /^(?:W\/)?"[\x21\x23-\x7e]*"$/;
const ANY = '*';

export function ifMatchOf(header: string | undefined): string[] | undefined {
  if (header === undefined) return undefined;
  const tags = commaList(header);
  if (tags.length > 0 && (header.trim() === ANY || tags.every((tag) => TAG.test(tag)))) return tags;
  const message = 'must be * or an ETag in its double quotes';
  throw Problem.validation([{ location: 'header', field: 'If-Match', code: 'invalid_tag', message }]);
}

/** Whether a tag that the caller has is of this version. A weak tag is of none: it may stand for several. */
export function isVersionOf(tags: readonly string[], record: Pick<TaggedRecord, 'updatedAt'>): boolean {
  const version = versionOf(record);
  return tags.some((tag) => tag === ANY || (tag.startsWith('"') && tag.slice(1, -1).split('-')[0] === version));
}

/** Whether a header `If-None-Match` names this tag. What is no tag names none. */
export function isNamedBy(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  return header.trim() === ANY || commaList(header).some((given) => given.replace(/^W\//, '') === tag);
}

/** The headers that an answer has for its record. They are made from the answer, so a repeated call gets the same. */
export function recordHeaders({ isTagged, returns, status, path }: RegisteredOperation, answer: unknown, baseUrl: string) {
  if (!isTagged) return {};
  const record = answer as TaggedRecord;
  return { ETag: entityTag(returns!, record), ...(status === 201 && { Location: `${baseUrl}${path}/${record.id}` }) };
}

export function expectationOf(ifMatch: readonly string[] | undefined, params: Readonly<Record<string, string>>): Expectation | undefined {
  if (!ifMatch) return undefined;
  const recordId = Object.values(params).at(-1)!;
  const check: Expectation['check'] = (row) => {
    if (isVersionOf(ifMatch, row)) return;
    throw new Problem('changed_meanwhile', { detail: `The record was last changed at ${row.updatedAt}, after you had read it.` });
  };
  return { recordId, check };
}
