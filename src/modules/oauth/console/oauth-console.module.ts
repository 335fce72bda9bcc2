import { Module } from '@nestjs/common';
import { ApplicationsModule } from '../applications/applications.module.js';
import { ConnectionsPageModule } from '../connections-page/connections-page.module.js';
import { ApplicationsConsole } from './applications.console.js';
import { ConnectionsConsole } from './connections.console.js';

/** Applications, and what users allowed them: in the console, and on the page of connected applications. */
@Module({ imports: [ApplicationsModule, ConnectionsPageModule], controllers: [ApplicationsConsole, ConnectionsConsole] })
export class OAuthConsoleModule {}
