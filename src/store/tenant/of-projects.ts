import type { Tenant } from '../../kernel/context.js';
import { Problem } from '../../kernel/problems.js';

/** For what a credential that is bound to projects does not reach. */
export function outOfReach(detail = 'This is of the organization as a whole, and the credential is for some of its projects.'): never {
  throw new Problem('bound_to_projects', { detail });
}

/** Refuses a context of some projects: what follows does not ask whose project it is. */
export function requireAll<T>({ projects }: Pick<Tenant, 'projects'>): T {
  return projects ? outOfReach() : (undefined as T);
}

/** A record may be made, or moved, only within the projects of the context. */
export function requireReached({ projects }: Tenant, projectId: unknown): void {
  if (!projects || (typeof projectId === 'string' && projects.includes(projectId))) return;
  outOfReach('The record would be, or is, of no project that the credential is for: name one of these as its project.');
}
