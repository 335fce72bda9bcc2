import { MAX_PROJECTS } from '../../../kernel/product.js';
import { isUuid } from '../../../kernel/ids.js';

/** RFC 9396: what an application asks for, and what a token says, if it reaches some claim projects only. */
export const CLAIM_PROJECTS = 'claim_projects';

interface Detail {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** The claim projects of details; null without details: all. */
export function projectsIn(details: readonly Detail[] | null | undefined): string[] | null {
  if (!details) return null;
  const ids = details.flatMap(({ project_ids: named }) => named as string[]);
  return [...new Set(ids.map((id) => id.toLowerCase()))];
}

/** Those that a request asks for. The library has checked it. */
export function askedProjects(params: Readonly<Record<string, unknown>> | undefined): string[] | null {
  const { authorization_details: details } = params ?? {};
  return typeof details === 'string' ? projectsIn(JSON.parse(details) as Detail[]) : null;
}

export const detailsOf = (projects: readonly string[] | null) =>
  projects === null ? undefined : [{ type: CLAIM_PROJECTS, project_ids: [...projects] }];

export const areProjectIds = (ids: unknown): ids is string[] =>
  Array.isArray(ids) && ids.length > 0 && ids.length <= MAX_PROJECTS && ids.every((id) => typeof id === 'string' && isUuid(id));

/** Those that both allow; null: all. */
export const inBoth = (some: readonly string[] | null, others: readonly string[] | null): readonly string[] | null =>
  some && others ? some.filter((id) => others.includes(id)) : (some ?? others);
