import { Problem } from './problems.js';

/** `moving` to another installation: calls are refused, and workers end what they have begun. `moved`: it is there. */
export type AnyStatus = 'active' | 'suspended' | 'moving' | 'moved';

/** For what waits until the organization is open again, here or elsewhere. */
const RETRY_AFTER_SECONDS = 30;

/** Refuses what an organization does that is not active. */
export function requireOpen(status: AnyStatus): void {
  if (status === 'suspended') throw new Problem('organization_suspended');
  if (status === 'moved') throw new Problem('organization_moved');
  if (status === 'moving') throw new Problem('organization_moving', { headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) } });
}
