import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccessTokens } from './access-tokens.js';
import { ApplicationsModule } from './applications.module.js';
import { OAuthExpiry } from './oauth-expiry.js';
import { OAuthRecord } from './oauth-record.entity.js';
import { OAuthRecordsRepository } from './oauth-records.repository.js';
import { OAuthStorage } from './oauth-storage.js';
import { OAuthTransactions } from './oauth-transactions.js';
import { OwnTokens } from './own-tokens.js';

/** What the authorization server keeps, and for how long. */
@Module({
  imports: [TypeOrmModule.forFeature([OAuthRecord]), ApplicationsModule],
  providers: [OAuthStorage, OAuthRecordsRepository, OwnTokens, OAuthTransactions, OAuthExpiry, AccessTokens],
  exports: [OAuthStorage, OAuthTransactions, AccessTokens],
})
export class StorageModule {}
