import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccessTokensRepository } from './access-tokens.repository.js';
import { SharedModule } from '../shared/shared.module.js';
import { OAuthExpiry } from './oauth-expiry.js';
import { OAuthRecord } from './oauth-record.entity.js';
import { OAuthRecordsRepository } from './oauth-records.repository.js';
import { OAuthStorage } from './oauth-storage.js';
import { OAuthTransactions } from './oauth-transactions.js';
import { ClientCredentialsTokensRepository } from './client-credentials-tokens.repository.js';

/** The records of the authorization server, and their expiry. */
@Module({
  imports: [TypeOrmModule.forFeature([OAuthRecord]), SharedModule],
  providers: [
    OAuthStorage,
    OAuthRecordsRepository,
    ClientCredentialsTokensRepository,
    OAuthTransactions,
    OAuthExpiry,
    AccessTokensRepository,
  ],
  exports: [OAuthStorage, OAuthTransactions, AccessTokensRepository],
})
export class StorageModule {}
