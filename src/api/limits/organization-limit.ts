import type { Plan } from '../../kernel/plans.js';

/** A port: a bound on what an organization may have. The module that enforces it declares it, and `GET /v1/organization` shows it. */
export abstract class OrganizationLimit {
  /** What is bounded, as the record of the organization names it. */
  abstract readonly name: string;
  abstract of(plan: Plan): number;
}
