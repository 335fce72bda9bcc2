import type { Adapter } from 'oidc-provider';
import { clientMetadata } from '../applications/client-metadata.js';
import type { ApplicationCache } from '../applications/application-cache.js';

/** Gives oidc-provider the approved applications as its clients. */
export function clientAdapter(applications: ApplicationCache): Adapter {
  const readOnly = (): Promise<never> => Promise.reject(new Error('Applications are created by the operator only.'));
  const none = () => Promise.resolve(undefined);
  return {
    find: async (clientId) => {
      const application = await applications.byClientId(clientId);
      return application?.status === 'approved' ? clientMetadata(application) : undefined;
    },
    findByUid: none,
    findByUserCode: none,
    upsert: readOnly,
    consume: readOnly,
    destroy: readOnly,
    revokeByGrantId: readOnly,
  };
}
