import type { Actor, ChangeContext, Environment } from './request-context.js';

/** Who changes settings outside the API: the operator at the command line, or the program itself. */
export type SettingsActor = Actor;

export const OPERATOR: SettingsActor = { type: 'system', id: null, name: 'claims command' };

/** The service's own worker, where it changes something of a tenant by itself. */
export const DISPATCHER: SettingsActor = { type: 'system', id: null, name: 'webhook dispatcher' };

/** The context of a change that no API call makes. */
export function settingsContext(organizationId: string, actor: SettingsActor, environment: Environment | null = null): ChangeContext {
  return { organizationId, environment, actor, requestId: null, ipAddress: null, emits: [] };
}
