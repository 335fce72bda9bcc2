import type { Adapter } from 'oidc-provider';
import { clientMetadata } from '../applications/client-metadata.js';
import { isShared, type Clients } from '../shared/clients.js';
import { sharedClientMetadata } from '../shared/shared-client.js';

/** Gives oidc-provider the approved applications, and those that every organization can connect, as its clients. */
export function clientAdapter(clients: Clients, callerAddress: () => string): Adapter {
  const readOnly = (): Promise<never> => Promise.reject(new Error('Applications are not created by the authorization server.'));
  const none = () => Promise.resolve(undefined);
  return {
    find: async (clientId) => {
      const asker = await clients.find(clientId, callerAddress());
      return asker && (isShared(asker) ? sharedClientMetadata(asker) : clientMetadata(asker));
    },
    findByUid: none,
    findByUserCode: none,
    upsert: readOnly,
    consume: readOnly,
    destroy: readOnly,
    revokeByGrantId: readOnly,
  };
}
