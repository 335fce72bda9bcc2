import { Injectable } from '@nestjs/common';
import { Settings } from '../../../kernel/settings/settings.js';
import { ApplicationCache } from '../applications/applications.repository.js';
import type { Application } from '../applications/application.entity.js';
import { ClientDocuments, isDocumentUrl } from './documents/client-documents.js';
import { isRegisteredId, RegistrationsService } from './registrations/registrations.service.js';
import type { SharedClient } from './shared-client.js';

export type Asker = Application | SharedClient;

export const isShared = (asker: Asker): asker is SharedClient => !('organizationId' in asker);

@Injectable()
export class Clients {
  constructor(
    private readonly applications: ApplicationCache,
    private readonly registrations: RegistrationsService,
    private readonly documents: ClientDocuments,
    private readonly settings: Settings,
  ) {}

  /** Undefined if there is none, or none that is approved. Throws `ClientDocumentRefused`. */
  async find(clientId: string, callerAddress: string): Promise<Asker | undefined> {
    if (isDocumentUrl(clientId)) return this.settings.clientDocuments ? this.documents.find(clientId, callerAddress) : undefined;
    if (isRegisteredId(clientId)) return this.registrations.find(clientId);
    const application = await this.applications.byClientId(clientId);
    // Nobody signs in with the client id of a connection: it stands for a shared application, which has one of its own.
    return application?.status === 'approved' && application.sharedClientId === null ? application : undefined;
  }
}
