import type { Plan } from '../../kernel/plans.js';

/** A port: a limit on what an organization may have. The module that enforces it declares it; `GET /v1/organization` shows it. */
export abstract class OrganizationLimit {
  /** The name of the limit in the organization's record. */
  abstract readonly name: string;
  abstract of(plan: Plan): number;
}
