import { Problem } from './problems.js';

/**
 * How far the move of an organization to another installation is. `closing`: calls are refused, and workers end what they have begun.
 * `moving`: nothing writes. `moved`: it is elsewhere.
 */
export const MOVE_STATUSES = ['closing', 'moving', 'moved'] as const;
export type AnyStatus = 'active' | 'suspended' | (typeof MOVE_STATUSES)[number];

/** For what waits until the organization is open again, here or elsewhere. */
const RETRY_AFTER_SECONDS = 30;

export const isMove = (status: AnyStatus): boolean => (MOVE_STATUSES as readonly string[]).includes(status);

/** Refuses what an organization does that is not active. */
export function requireOpen(status: AnyStatus): void {
  if (status === 'suspended') throw new Problem('organization_suspended');
  if (status === 'moved') throw new Problem('organization_moved');
  if (isMove(status)) throw new Problem('organization_moving', { headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) } });
}
