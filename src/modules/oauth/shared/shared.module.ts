import { Module } from '@nestjs/common';
import { ApplicationsModule } from '../applications/applications.module.js';
import { Clients } from './clients.js';
import { ConnectionsModule } from './connections/connections.module.js';
import { ClientDocuments } from './documents/client-documents.js';
import { DocumentFetcher } from './documents/document-fetcher.js';
import { RegistrationsModule } from './registrations/registrations.module.js';

/** Applications that every organization can connect, and the connections that organizations have to them. */
@Module({
  imports: [ApplicationsModule, ConnectionsModule, RegistrationsModule],
  providers: [Clients, ClientDocuments, DocumentFetcher],
  exports: [Clients, ConnectionsModule, RegistrationsModule],
})
export class SharedModule {}
