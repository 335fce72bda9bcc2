import type { Adapter } from 'oidc-provider';
import { clientMetadata } from '../applications/client-metadata.js';
import type { ApplicationCache } from '../applications/application-cache.js';

/** Clients are applications: they are registered in the settings, and only those that are approved exist. */
export function clientAdapter(applications: ApplicationCache): Adapter {
  const notKept = (): Promise<never> => Promise.reject(new Error('Applications are registered in the settings.'));
  const none = () => Promise.resolve(undefined);
  return {
    find: async (clientId) => {
      const application = await applications.byClientId(clientId);
      return application?.status === 'approved' ? clientMetadata(application) : undefined;
    },
    findByUid: none,
    findByUserCode: none,
    upsert: notKept,
    consume: notKept,
    destroy: notKept,
    revokeByGrantId: notKept,
  };
}
